package dev.penstock.steps;

import dev.penstock.storage.Location;
import java.util.Optional;
import java.util.OptionalLong;

/// A row of a step: where it was in the batches, and where it is stored.
///
/// Where a composition makes a row of several, as [dev.penstock.compose.Composition#packs] does,
/// each of them is one of these, at the same place.
///
/// Immutable.
///
/// @param epoch the epoch, counted from 0
/// @param step the step, counted from 0 in the epoch
/// @param rank which rank's batch
/// @param place the row in the batch, counted from 0
/// @param source the number of the dataset in a mixture, in the order given; empty without one
/// @param file the file
/// @param row the row as it is stored, counted from 0 in the file, deleted rows included
/// @param endRow the row after it; a later one where a transform made it of rows `[row, endRow)`
///   and does not tell of which
/// @param rowId Iceberg's `_row_id`, of tables of format version 3. Where the file stores it, as
///   those do that were compacted, it is read only with [dev.penstock.RowsOfSteps#pass], else it is
///   empty; so it is where a transform made the row of several
/// @param part which elements of its list a pack has; empty where the row is whole
public record StepRow(
    long epoch,
    long step,
    int rank,
    int place,
    OptionalLong source,
    Location file,
    long row,
    long endRow,
    OptionalLong rowId,
    Optional<Part> part) {
  /// Elements of a list, in a pack.
  ///
  /// @param from the first, counted from 0 in the list
  /// @param count how many, at least 1
  /// @param offset where the first is in the pack, counted from 0
  public record Part(int from, int count, int offset) {}
}
