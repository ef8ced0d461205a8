package dev.penstock.compose;

import java.util.Optional;
import java.util.OptionalLong;

/// What a loader makes of the rows of a window, before they are batched.
///
/// A window has as many whole row groups of the files as fit; a larger row group is cut into
/// windows. It has at most as many rows as a [dev.penstock.split.Shuffle.Window], or [#ROWS]
/// without one. Windows are the same in every epoch and for every number of ranks; a shuffle
/// permutes them. Each is composed by itself, of the rows that the filter keeps, and a worker holds
/// them in memory.
///
/// **Order.** A function of the rows of the window, the seed and the epoch; never of workers.
public sealed interface Composition
    permits Balanced, Buckets, Packs, Groups, SlidingWindows, WeightedDraws {
  /// The most rows of a window where the shuffle has none.
  int ROWS = 8192;

  /// The most elements of a pack, and the most rows of a sliding window.
  int LENGTH_MAX = 1 << 24;

  /// {@return the name of the column that decides what is made of a window}
  String column();

  /// {@return whether batches cost nearly the same on all ranks at each step}
  default boolean isBalanced() {
    return balancing().isPresent();
  }

  /// {@return how the cost of batches is counted; empty if they are not balanced}
  default Optional<Balance> balancing() {
    return switch (this) {
      case Balanced balanced -> Optional.of(balanced.balance());
      case Buckets buckets -> buckets.balance();
      case Packs packs -> packs.balance();
      case Groups _, SlidingWindows _, WeightedDraws _ -> Optional.empty();
    };
  }

  /// {@return rows as they are, in batches of nearly the same cost on all ranks at each step}
  ///
  /// @param column a column of lists, whose lengths are the costs, or of numbers
  static Balanced balanced(String column) {
    return balanced(column, Balance.DEFAULT);
  }

  /// {@return rows as they are, in batches of nearly the same cost on all ranks at each step}
  ///
  /// @param column a column of lists, whose lengths are the costs, or of numbers
  /// @param balance how the cost is counted
  static Balanced balanced(String column, Balance balance) {
    return new Balanced(column, balance);
  }

  /// {@return batches of rows with lists of similar length; they have the loader's batch size}
  ///
  /// @param column a column of lists
  static Buckets buckets(String column) {
    return new Buckets(column, OptionalLong.empty(), Optional.empty());
  }

  /// {@return lists packed into rows of one length, one list after another} What does not fit into
  /// a row goes on in the next one.
  ///
  /// @param column a column of lists; only what is made of it is delivered
  /// @param length the elements of a row, in `[1, LENGTH_MAX]`
  static Packs packs(String column, int length) {
    return new Packs(column, length, Packs.Mode.CUT, Packs.TooLong.ERROR, Optional.empty());
  }

  /// {@return batches of whole groups: all rows of a key are in one batch}
  ///
  /// @param column the key, by which the files are sorted
  static Groups groups(String column) {
    return new Groups(column);
  }

  /// {@return rows that are sliding windows over the rows of each key}
  ///
  /// @param column the key, by which the files are sorted
  /// @param length the rows of a sliding window, in `[1, LENGTH_MAX]`
  /// @param stride how many rows further the next one begins, at least 1
  static SlidingWindows windows(String column, int length, int stride) {
    return new SlidingWindows(column, length, stride);
  }

  /// {@return as many draws as there are rows, with replacement, in proportion to their weights}
  ///
  /// @param column the weights
  static WeightedDraws draws(String column) {
    return new WeightedDraws(column, OptionalLong.empty());
  }
}
