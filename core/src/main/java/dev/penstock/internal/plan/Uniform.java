package dev.penstock.internal.plan;

/// Random numbers in `[0, 1)` that are determined by a few numbers, the same in every release.
///
/// The 53 high bits of [SplitMix64], as `SplittableRandom.nextDouble` takes them.
///
/// Immutable.
public final class Uniform {
  private final long state;

  public Uniform(long seed, long epoch, long number) {
    this.state = Permutation.orderState(seed, epoch, ~number);
  }

  /// Returns the number of an index from 0, in `[0, 1)`.
  public double number(long index) {
    return (SplitMix64.mix(state + (index + 1) * SplitMix64.GOLDEN_GAMMA) >>> 11) * 0x1p-53;
  }
}
