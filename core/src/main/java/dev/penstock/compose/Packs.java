package dev.penstock.compose;

import java.util.Objects;
import java.util.Optional;

/// Lists, packed into rows of one length.
///
/// A row of a batch has three lists of `length` elements each, so each is a tensor of shape `[rows,
/// length]`: the elements, under the column's name; `COLUMN.segment`, `INT32`, from 1, which list
/// of the row an element is of; and `COLUMN.position`, `INT32`, from 0, its place in the list as it
/// was read. Where a row is not full, its end has the element 0, the segment 0 and the position 0.
///
/// Lists keep the order in which they are read. Null and empty lists leave nothing behind.
///
/// @param column a column of lists
/// @param length the elements of a row, in `[1, LENGTH_MAX]`
/// @param mode whether lists may be cut, and are told apart
/// @param tooLong what to do with a list that is longer than a row; of effect only in [Mode#WHOLE]
/// @param balance makes batches of all ranks at a step cost nearly the same; empty if it does not
///   matter. The cost of a row is the sum of those of its lists
public record Packs(
    String column, int length, Mode mode, TooLong tooLong, Optional<Balance> balance)
    implements Composition {
  /// Whether lists may be cut, and are told apart.
  public enum Mode {
    /// Lists fill row after row; one that does not fit goes on in the next row. Only the last row
    /// of a window is not full.
    CUT,

    /// Lists stay whole. Each goes into the row where it leaves least room, the longest first (best
    /// fit decreasing). Rows come in the order of their first lists.
    WHOLE,

    /// Lists are one stream: the rows are those of [#CUT], but lists are not told apart. The
    /// segment is 1, and the position counts from 0 in each row.
    STREAM
  }

  /// What becomes of a list that is longer than a row.
  public enum TooLong {
    /// It ends the epoch with an error.
    ERROR,

    /// It is cut into lists of the length of a row and one that is shorter, whose positions go on.
    CUT,

    /// It is left out.
    DROP
  }

  /// Throws [IllegalArgumentException] if the length is below 1 or above [Composition#LENGTH_MAX].
  public Packs {
    Objects.requireNonNull(column, "column must not be null.");
    Objects.requireNonNull(mode, "mode must not be null.");
    Objects.requireNonNull(tooLong, "tooLong must not be null.");
    Objects.requireNonNull(balance, "balance must not be null.");
    if (length < 1 || length > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "A pack has at least 1 element and at most " + LENGTH_MAX + ", got " + length + ".");
    }
  }

  /// {@return a copy that keeps lists whole; a list that is longer than a row is an error}
  public Packs whole() {
    return new Packs(column, length, Mode.WHOLE, tooLong, balance);
  }

  /// {@return a copy that keeps lists whole}
  ///
  /// @param choice what to do with a list that is longer than a row
  public Packs whole(TooLong choice) {
    return new Packs(column, length, Mode.WHOLE, choice, balance);
  }

  /// {@return a copy that takes all lists for one stream}
  public Packs stream() {
    return new Packs(column, length, Mode.STREAM, tooLong, balance);
  }

  /// {@return a copy whose batches cost nearly the same on all ranks at each step}
  public Packs balanced() {
    return balanced(Balance.DEFAULT);
  }

  /// {@return a copy whose batches cost nearly the same on all ranks at each step}
  ///
  /// @param choice how the cost is counted
  public Packs balanced(Balance choice) {
    return new Packs(column, length, mode, tooLong, Optional.of(choice));
  }

  @Override
  public String toString() {
    String how =
        switch (mode) {
          case CUT -> "cut";
          case WHOLE -> tooLong == TooLong.ERROR ? "whole" : "whole, " + tooLong;
          case STREAM -> "stream";
        };
    return "packs of "
        + column
        + " to "
        + length
        + " ("
        + how
        + ")"
        + balance.map(each -> ", " + each).orElse("");
  }
}
