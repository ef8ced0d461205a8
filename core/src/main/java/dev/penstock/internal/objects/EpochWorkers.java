package dev.penstock.internal.objects;

import dev.penstock.data.WorkerInfo;
import dev.penstock.options.SampleWorkers;
import java.util.function.Supplier;

/// What the workers of an epoch work with.
public record EpochWorkers<B>(
    SampleWorkers options,
    Object dataset,
    long epoch,
    WorkerSeeds seeds,
    Supplier<Fetcher<B>> fetchers) {
  int count() {
    return options.reading().workers();
  }

  void runAs(int worker, Runnable work) {
    new WorkerInfo(worker, count(), seeds.base + worker, epoch, dataset, seeds.generators[worker])
        .call(() -> {
          work.run();
          return worker;
        });
  }

  /// Makes the fetcher of the calling thread, which closes it. It throws what the user's code does.
  Fetcher<B> start() {
    if (count() > 0) { // else it tells of a worker of another loader, if any
      WorkerInfo.current().ifPresent(this::begin);
    }
    return fetchers.get();
  }

  /// Each worker has a place of its own in the array.
  private void begin(WorkerInfo info) {
    if (!seeds.begun[info.id()]) {
      options.init().accept(info);
      seeds.begun[info.id()] = true;
    }
  }
}
