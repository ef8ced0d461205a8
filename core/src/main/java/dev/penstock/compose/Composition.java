package dev.penstock.compose;

import java.util.OptionalLong;

/// What a loader makes of the rows of a window, before they are batched.
///
/// A window is a run of rows of the sequence, after the filter: that of a
/// [dev.penstock.split.Shuffle.Window], or [#ROWS] rows without one. Each window is composed by
/// itself, and a worker holds its rows in memory.
///
/// **Order.** A function of the rows of the window, the seed and the epoch; never of workers.
public sealed interface Composition permits Buckets, Packs, Groups, SlidingWindows, WeightedDraws {
  /// The rows of a window where the shuffle has none.
  int ROWS = 8192;

  /// Returns the column that decides what is made of a window.
  ///
  /// @return its name
  String column();

  /// Puts rows with lists of similar length into the same batch.
  ///
  /// @param column a column of lists
  /// @return batches of as many rows as the loader's batches
  static Buckets buckets(String column) {
    return new Buckets(column, OptionalLong.empty());
  }

  /// Packs lists into rows of one length, one list after another. What does not fit into a row goes
  /// on in the next one.
  ///
  /// @param column a column of lists; only what is made of it is delivered
  /// @param length the elements of a row, in `[1, 16,777,216]`
  /// @return packs that are cut
  /// @throws IllegalArgumentException if `length` is not in there
  static Packs packs(String column, int length) {
    return new Packs(column, length, Packs.Mode.CUT, Packs.TooLong.ERROR);
  }

  /// Puts all rows of a key into one batch.
  ///
  /// @param column the key, by which the files are sorted
  /// @return batches of whole groups
  static Groups groups(String column) {
    return new Groups(column);
  }

  /// Makes sliding windows over the rows of each key.
  ///
  /// @param column the key, by which the files are sorted
  /// @param length the rows of a sliding window, at least 1
  /// @param stride how many rows further the next one begins, at least 1
  /// @return rows that are sliding windows
  /// @throws IllegalArgumentException if a number is below 1
  static SlidingWindows windows(String column, int length, int stride) {
    return new SlidingWindows(column, length, stride);
  }

  /// Draws rows with replacement, in proportion to their weights.
  ///
  /// @param column the weights
  /// @return as many draws as there are rows
  static WeightedDraws draws(String column) {
    return new WeightedDraws(column, OptionalLong.empty());
  }
}
