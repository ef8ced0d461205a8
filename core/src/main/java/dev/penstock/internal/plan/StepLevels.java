package dev.penstock.internal.plan;

/// Which steps have expensive batches: the same steps on all ranks, at random.
///
/// Of each [#STRATA] steps one has a level in each of as many equal parts of `[0, 1)`, so steps of
/// about the same level are about as many wherever one looks. A window gives its cheapest batch to
/// its step with the lowest level, and so on.
///
/// **Threads.** One at a time.
public final class StepLevels {
  static final int STRATA = 64;
  private static final long SEED = 0x6c65_7665_6c73L; // apart from the orders of windows

  private final long seed;
  private final long epoch;
  private final int[] strata = new int[STRATA];
  private long block = -1; // of the strata

  public StepLevels(long seed, long epoch) {
    this.seed = seed ^ SEED;
    this.epoch = epoch;
  }

  /// Returns the level of a step, in `[0, 1)`.
  public double level(long step) {
    if (block != step / STRATA) {
      block = step / STRATA;
      Permutation.fill(strata, STRATA, seed, epoch, block);
    }
    double within = new Uniform(seed, epoch, block).number(step % STRATA);
    return (strata[(int) (step % STRATA)] + within) / STRATA;
  }

  /// Returns a random order of the batches of a step.
  public int[] batches(long step, int count) {
    int[] order = new int[count];
    Permutation.fill(order, count, ~seed, epoch, step);
    return order;
  }
}
