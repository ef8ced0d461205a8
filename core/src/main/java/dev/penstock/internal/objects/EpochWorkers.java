package dev.penstock.internal.objects;

import dev.penstock.data.WorkerInfo;
import dev.penstock.options.SampleWorkers;
import java.util.function.Function;

/// What the workers of an epoch work with.
///
/// @param fetchers makes the fetcher of a dataset, which is the loader's or a worker's copy
public record EpochWorkers<B>(
    SampleWorkers options,
    SharedDataset dataset,
    long epoch,
    WorkerBelongings own,
    Function<Object, Fetcher<B>> fetchers) {
  int count() {
    return options.reading().workers();
  }

  void runAs(int worker, Runnable work) {
    new WorkerInfo(
            worker, count(), own.base + worker, epoch, own.datasets[worker], own.generators[worker])
        .call(() -> {
          work.run();
          return worker;
        });
  }

  /// Makes the fetcher of the calling thread, which closes it. It throws what the user's code does.
  Fetcher<B> start() {
    if (count() == 0) { // WorkerInfo tells of a worker of another loader, if any
      return fetchers.apply(dataset.dataset);
    }
    WorkerInfo info = WorkerInfo.current().orElseThrow();
    begin(info);
    return fetchers.apply(info.dataset());
  }

  /// Each worker has a place of its own in the array.
  private void begin(WorkerInfo info) {
    if (!own.begun[info.id()]) {
      dataset.watchInit(info, () -> options.init().accept(info));
      own.begun[info.id()] = true;
    }
  }
}
