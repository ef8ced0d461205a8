package dev.penstock.options;

import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import java.util.Objects;
import java.util.Optional;

/// Which share of the rows this training process reads.
///
/// @param rank this process among all; empty to read it from the environment, see
///   [dev.penstock.split.Ranks#fromEnvironment()]
/// @param end how ranks come to the same number of batches where rows do not divide evenly
/// @param countMatches whether the rows that match the filter, or what a composition makes, are
///   counted where there is more than one rank; true also counts what a composition makes for one.
///   Empty counts for several ranks
public record RankShare(Optional<Rank> rank, RankEnd end, Optional<Boolean> countMatches) {
  /// The rank of the environment, [RankEnd#EXACT], matches counted for several ranks.
  static final RankShare DEFAULTS =
      new RankShare(Optional.empty(), RankEnd.EXACT, Optional.empty());

  /// Checks that there are choices.
  public RankShare {
    Objects.requireNonNull(rank, "rank must not be null.");
    Objects.requireNonNull(end, "rankEnd must not be null.");
    Objects.requireNonNull(countMatches, "countMatches must not be null.");
  }

  RankShare withRank(Rank choice) {
    return new RankShare(
        Optional.of(Objects.requireNonNull(choice, "rank must not be null.")), end, countMatches);
  }

  RankShare withEnd(RankEnd choice) {
    return new RankShare(rank, choice, countMatches);
  }

  RankShare withCountMatches(boolean on) {
    return new RankShare(rank, end, Optional.of(on));
  }
}
