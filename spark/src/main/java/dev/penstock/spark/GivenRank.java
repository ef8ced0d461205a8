package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.split.Rank;
import java.util.Optional;

/// Refuses a loader without its rank. It would find one in the executor's environment, or none, and
/// then deliver too few rows, or all rows on every rank.
final class GivenRank {
  private GivenRank() {}

  /// Requires a rank.
  ///
  /// @throws IllegalArgumentException if the loader has another one, or none
  static void require(Rank rank, DataLoader loader) {
    if (!given(loader).equals(Optional.of(rank))) {
      throw refused(rank, loader);
    }
  }

  /// Requires a rank, or that of a group of ranks that read the same rows.
  ///
  /// @throws IllegalArgumentException if the loader has another one, or none
  static void requireGroup(Rank rank, DataLoader loader) {
    Optional<Rank> given = given(loader);
    boolean isRight =
        given.isPresent()
            && rank.count() % given.get().count() == 0
            && rank.replicatedBy(rank.count() / given.get().count()).equals(given.get());
    if (!isRight) {
      throw refused(rank, loader);
    }
  }

  private static Optional<Rank> given(DataLoader loader) {
    return loader.options().rankShare().rank();
  }

  private static IllegalArgumentException refused(Rank rank, DataLoader loader) {
    return new IllegalArgumentException(
        ("Cannot run rank %s: its loader has %s. Make it with the rank, or the options,"
                + " that the function is called with.")
            .formatted(rank, given(loader).map(other -> "rank " + other).orElse("no rank")));
  }
}
