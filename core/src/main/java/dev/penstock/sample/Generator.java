package dev.penstock.sample;

/// Torch's random numbers: MT19937, and what torch draws from it, bit for bit.
///
/// **Threads.** One at a time.
public final class Generator {
  private long seed;

  /// Makes a generator.
  ///
  /// @param seed any number; as in torch only its low 32 bits count
  public Generator(long seed) {
    this.seed = seed;
  }

  /// Returns the seed.
  ///
  /// @return what it was last seeded with
  public long initialSeed() {
    return seed;
  }
}
