package dev.penstock.internal.order;

import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Source;
import java.util.List;

/// What has to be read before an epoch begins or goes on.
public sealed interface Need {
  /// Which rows match, of sources whose filters test rows.
  record Matches(List<Source> sources) implements Need {}

  /// How much a composition makes of each window.
  ///
  /// @param source the dataset that they are of
  /// @param rows all rows, in the order of the files
  /// @param windows the same rows in windows
  record Windows(Source source, Sequence rows, Sequence windows) implements Need {}

  /// Rows in a cache, to be read by number.
  record Cache(List<Sequence> sources) implements Need {}

  /// The epoch's rows on piles, when it is planned.
  record Piles() implements Need {}
}
