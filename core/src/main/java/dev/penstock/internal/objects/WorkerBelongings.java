package dev.penstock.internal.objects;

import dev.penstock.sample.Generator;
import java.util.Arrays;
import java.util.function.Supplier;

/// What each worker has of its own: random numbers, perhaps a copy of the dataset, and whether it
/// has begun. There is a place for each worker.
///
/// **Threads.** Each worker uses its own place only.
public final class WorkerBelongings {
  final long base;
  final Generator[] generators;
  final Object[] datasets;
  final boolean[] begun;

  /// Draws the workers' base seed, and copies the dataset.
  ///
  /// @param datasets gives the dataset of the next worker; users' code
  public WorkerBelongings(Generator numbers, int workers, Supplier<?> datasets) {
    this.base = numbers.random();
    this.generators = new Generator[workers];
    Arrays.setAll(generators, worker -> new Generator(base + worker));
    this.datasets = new Object[workers];
    Arrays.setAll(this.datasets, _ -> datasets.get());
    this.begun = new boolean[workers];
  }
}
