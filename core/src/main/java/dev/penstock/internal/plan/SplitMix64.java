package dev.penstock.internal.plan;

/// The generator SplitMix64 (Steele, Lea, Flood 2014, as in `java.util.SplittableRandom`): a
/// counter whose values are mixed. Its output is part of our contract: a saved run resumes with the
/// same order years later.
final class SplitMix64 {
  static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L; // what the counter gains with each number

  private SplitMix64() {}

  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
