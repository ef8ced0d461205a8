package dev.penstock.transform;

import java.util.Optional;

/// Where the rows of a block come from.
///
/// @param file the file's location as text; empty in the call that learns the columns
/// @param firstRow the row of the file at or before the block's first row, counted from 0
/// @param epoch the epoch, counted from 0
/// @param worker the number of the calling worker, counted from 0, or 0 without workers; which
///   worker gets which block differs from run to run
/// @param rank the rank of this process among the training processes, counted from 0
/// @param world how many training processes there are
public record TransformContext(
    Optional<String> file, long firstRow, long epoch, int worker, int rank, int world) {}
