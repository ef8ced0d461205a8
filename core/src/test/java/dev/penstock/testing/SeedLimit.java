package dev.penstock.testing;

/// A parameter of a test class whose [Seeded] tests run with fewer seeds, because each takes long.
public interface SeedLimit {
  /// Returns how many seeds to run with at most.
  int mostSeeds();
}
