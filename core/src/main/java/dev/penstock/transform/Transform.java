package dev.penstock.transform;

import java.util.Objects;

/// Changes blocks of rows before they are batched: may add, change and drop columns, and drop, add
/// and reorder rows within the block.
///
/// What it is given is fixed by the file, the filter and the options: the rows of a whole row
/// group, or the wanted ones of each aligned run of so many rows of a row group. Workers, timing
/// and memory have no part in it; so results repeat if the function itself is one of its arguments.
///
/// Before the first epoch it is asked once with no rows, to learn its columns. Every answer has to
/// have these columns, with the same types, in the same order.
///
/// A block is given again when a row of it could not be delivered, so that the rows before that one
/// arrive. Where the function then gives fewer rows than before, the epoch ends with the error.
///
/// **Threads.** Called by several workers at once.
@FunctionalInterface
public interface Transform {
  /// Transforms a block.
  ///
  /// @param block the rows, valid during the call
  /// @param context where they come from
  /// @return the rows to deliver; may be the block itself
  /// @throws Exception if it cannot; the epoch ends with an error that names the rows and this
  ///   cause
  ColumnBlock apply(ColumnBlock block, TransformContext context) throws Exception;

  /// Returns the transform that applies this one, then another.
  ///
  /// @param next the other
  /// @return both
  default Transform andThen(Transform next) {
    return (block, context) ->
        next.apply(
            Objects.requireNonNull(
                apply(block, context),
                "the one before andThen() returned null but expected a ColumnBlock"),
            context);
  }
}
