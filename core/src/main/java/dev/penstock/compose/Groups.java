package dev.penstock.compose;

import java.util.Objects;

/// All rows of a key in one batch: the queries of learning-to-rank, the sessions of a user.
///
/// The files have to be sorted by the key, or at least have all rows of a key together, across row
/// groups and files. A key that comes again is an error that names both places. A batch has as many
/// whole groups, one after another, as fit its size; a group that is larger is an error.
///
/// With a shuffle, windows are permuted, and with a window of it also the batches of each; groups
/// stay with their neighbours.
///
/// Before the first epoch the key is read once, to find where groups begin.
///
/// @param column the key
public record Groups(String column) implements Composition {
  /// Checks that there is a column.
  public Groups {
    Objects.requireNonNull(column, "column must not be null.");
  }

  @Override
  public String toString() {
    return "groups by " + column;
  }
}
