package dev.penstock.internal.objects;

import dev.penstock.sample.Generator;
import java.util.Arrays;

/// The random numbers of the workers, and which of them have begun: a place for each worker.
///
/// **Threads.** Each worker uses its own place only.
public final class WorkerSeeds {
  final long base;
  final Generator[] generators;
  final boolean[] begun;

  /// Draws the workers' base seed.
  public WorkerSeeds(Generator numbers, int workers) {
    this.base = numbers.random();
    this.generators = new Generator[workers];
    Arrays.setAll(generators, worker -> new Generator(base + worker));
    this.begun = new boolean[workers];
  }
}
