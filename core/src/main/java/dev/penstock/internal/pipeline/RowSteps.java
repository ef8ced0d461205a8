package dev.penstock.internal.pipeline;

import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import org.jspecify.annotations.Nullable;

/// What becomes of the rows of a file before they are batched.
///
/// @param table the columns that a filter may look at
/// @param transform the user's transform, or null
/// @param epoch the epoch, counted from 0
/// @param seed the seed of the shuffle
/// @param rank this process among the training processes
public record RowSteps(
    Schema table, @Nullable BlockTransform transform, long epoch, long seed, Rank rank) {}
