package dev.penstock.transform;

import java.util.Optional;

/// Where the rows of a block come from.
///
/// @param file the file's location as text; empty when a transform is asked for its columns
/// @param firstRow the row of the file that the block starts with or behind, counted from 0
/// @param epoch the epoch, counted from 0
/// @param worker the number of the worker that calls, counted from 0; which worker gets which block
///   differs from run to run. 0 without workers
/// @param rank the place of this process among the training processes, counted from 0
/// @param world how many training processes there are
public record TransformContext(
    Optional<String> file, long firstRow, long epoch, int worker, int rank, int world) {}
