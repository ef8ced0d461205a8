package dev.penstock.internal.objects;

import dev.penstock.data.IterableDataset;
import dev.penstock.data.WorkerInfo;
import dev.penstock.internal.workers.UserCode;
import dev.penstock.internal.workers.WorkerScope;
import dev.penstock.internal.workers.WorkerScope.Asked;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// The dataset of a loader. Torch's workers have copies of it, and ours may share it. Where several
/// do, this warns once if that may matter: if two workers get rows and nothing asked which worker
/// it runs in, or if `workerInit` takes the dataset, perhaps to change it.
///
/// **Threads.** Safe for any.
public final class SharedDataset {
  final Object dataset;
  private final int workers;
  private final Set<Integer> begun = ConcurrentHashMap.newKeySet(); // workers that gave rows
  private final AtomicBoolean isSettled;

  public SharedDataset(Object dataset, int workers) {
    this.dataset = dataset;
    this.workers = workers;
    this.isSettled = new AtomicBoolean(workers < 2);
  }

  /// Looks at what the code that a worker begins with does.
  void watchInit(WorkerInfo info, Runnable init) {
    Optional<WorkerScope> scope = WorkerScope.current();
    boolean isShared = isSharedBy(info) && !(dataset instanceof Record);
    scope.ifPresent(WorkerScope::forget);
    init.run();
    if (isShared && scope.filter(each -> each.wasAsked(Asked.DATASET)).isPresent()) {
      warn(
          "workerInit takes the dataset, which all {} workers share: what one of them changes in it"
              + " changes for all. {}",
          workers,
          dataset instanceof IterableDataset
              ? "Ask WorkerInfo.current() in its iterator() instead, or implement copyForWorker(),"
                  + " so that each worker has its own."
              : "Keep in a WorkerLocal what each worker needs of its own.");
    }
  }

  /// Begins to look at what a dataset does in a worker.
  public void beginRows() {
    WorkerScope.current().ifPresent(WorkerScope::forget);
  }

  /// Looks at what it did before it gave rows.
  public void gaveRows() {
    if (isSettled.get() || !(dataset instanceof IterableDataset)) {
      return;
    }
    boolean wasAsked =
        WorkerScope.current().filter(each -> each.wasAsked(Asked.WORKER)).isPresent();
    Optional<WorkerInfo> info = WorkerInfo.current();
    if (info.isEmpty() || !begun.add(info.get().id())) {
      return; // outside of workers, or not a worker's first rows
    }
    if (wasAsked || !isSharedBy(info.get())) {
      isSettled.set(true);
    } else if (begun.size() > 1) {
      warn(
          "{} workers read the same dataset, and nothing in it asks which of them calls: if it gives"
              + " each all its rows, every row comes {} times. Ask WorkerInfo.current() in its"
              + " iterator(), use Sharing, or implement copyForWorker().",
          workers,
          workers);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a copy may be equal
  private boolean isSharedBy(WorkerInfo info) {
    return info.dataset() == dataset;
  }

  private void warn(String text, Object... details) {
    if (!isSettled.getAndSet(true)) {
      UserCode.warn(SharedDataset.class, text, details);
    }
  }
}
