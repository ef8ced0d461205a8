package dev.penstock.split;

import java.util.List;

/// Decides how the files of a dataset are cut and dealt to readers.
///
/// Most users take the default, [TargetSizeSplitStrategy]. Your own can be a lambda. The result of
/// a strategy is checked: every row of every file must be in exactly one [FileSplit].
///
/// **Threads.** Called by one thread at a time.
///
/// **Order.** The loader reads all FileSplits as one sequence. If the strategy [#keepsFileOrder],
/// they come in the order of the files and their rows; otherwise the first FileSplit of each Split
/// comes first, then the second of each, and so on. A shuffle permutes them either way. With
/// [#keepsFileOrder] the dealing to readers does not affect the order.
@FunctionalInterface
public interface SplitStrategy {
  /// {@return one [Split] per reader, cut from the files; fewer or more are allowed}
  ///
  /// @param files the files in path order, with their rows and row groups
  /// @param count how many readers there are, at least 1
  /// @param epoch the epoch, counted from 0
  List<Split> generate(List<DataFileInfo> files, int count, long epoch);

  /// {@return whether rows come in file order, however they were dealt; false unless overridden}
  default boolean keepsFileOrder() {
    return false;
  }
}
