package dev.penstock.internal.order;

import dev.penstock.compose.Composition;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.plan.Mix;
import dev.penstock.internal.plan.Source;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import java.util.List;
import java.util.Optional;

/// What an order is made of.
///
/// @param sources the dataset itself, or the sources of a mixture
public record OrderInput(
    Object dataset, LoaderOptions options, Rank rank, List<Source> sources, Optional<Mix> mix) {
  public OrderInput {
    sources = List.copyOf(sources);
  }

  Source only() {
    return sources.getFirst();
  }

  long seed() {
    return options.order().seed();
  }

  long memoryBytes() {
    return options.memoryUse().limitFor(options.reading().workers()).bytes();
  }

  int atLeastOneWorker() {
    return Math.max(1, options.reading().workers());
  }

  boolean isTransformed() {
    return options.transformation().function().isPresent();
  }

  /// Returns whether a transform may drop or add rows.
  boolean changesRows() {
    return !options.transformation().keepsRows();
  }

  /// Returns whether row groups alone tell which rows match.
  boolean isFilterExact() {
    return sources.stream().allMatch(source -> source.pruning().isExact());
  }

  /// Returns whether to count where that decides how many batches there are: if asked to, and
  /// otherwise if ranks would have different numbers of them.
  boolean isCounted() {
    return options.rankShare().countMatches().orElse(rank.count() > 1)
        && options.batching().stepsPerEpoch().isEmpty();
  }

  Optional<Composition> composition() {
    return options.batching().composition();
  }

  /// Returns whether the size of batches decides the order.
  boolean isOfBatches() {
    return isCut() || composition().filter(Composition::isBalanced).isPresent();
  }

  /// Returns whether a composition makes whole batches.
  boolean isCut() {
    return composition().filter(Composing::isCut).isPresent();
  }
}
