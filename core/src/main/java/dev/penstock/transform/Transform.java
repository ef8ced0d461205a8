package dev.penstock.transform;

import java.util.Objects;
import java.util.Optional;

/// Changes blocks of rows before they are batched: may add, change and drop columns, and drop, add
/// and reorder rows within the block.
///
/// Its input is fixed by the file, the filter and the options: the wanted rows of a row group, or
/// of each aligned run of a fixed number of rows of a row group. Workers, timing and memory do not
/// affect it; so results are reproducible if the function depends only on its arguments. One that
/// [#keepsRows()] gets other blocks, and has to give for a row the same in each.
///
/// Before the first epoch it is called once with no rows, to learn its columns. Every result must
/// have these columns, with the same types, in the same order.
///
/// If a row of a block could not be delivered, the function is called with the block again, so that
/// the rows before that row arrive. If it then returns fewer rows than before, the epoch ends with
/// the error.
///
/// **Threads.** Called by several workers at once.
@FunctionalInterface
public interface Transform {
  /// {@return the rows to deliver, made from those of a block; may be the block itself}
  ///
  /// @param block the rows, valid during the call
  /// @param context where the rows come from
  /// @throws Exception if it fails; the epoch ends with an error that names the rows and this cause
  ColumnBlock apply(ColumnBlock block, TransformContext context) throws Exception;

  /// {@return how many rows it receives at a time where nothing else is said, at least 1} By
  /// default 65,536.
  default int rows() {
    return 65_536;
  }

  /// {@return whether it makes one row of each, of nothing but that row, and in the same order} By
  /// default false.
  ///
  /// Then all that depends on the number of rows is as without a transform: numbers of batches,
  /// ranks, mixtures, any shuffle. Blocks have at most [#rows()] rows and at most 8,192, and begin
  /// anywhere. A block with another number of rows than was given ends the epoch with an error.
  default boolean keepsRows() {
    return false;
  }

  /// {@return a text that, together with a block's columns and rows, decides what the transform
  /// makes of it; empty, the default, if anything else does, such as the file, the epoch or chance}
  ///
  /// With a text and a [cache][dev.penstock.StructuredDataset#cache], what it makes is kept: it is
  /// not called again for rows that it was given before, by any loader that uses the cache. Another
  /// text, such as that of a later release of your code, makes everything anew. It is asked once.
  default Optional<String> version() {
    return Optional.empty();
  }

  /// {@return the transform that applies this one, then another} It receives as many rows at a time
  /// as that of the two that wants fewer, keeps rows if both do, and has a [#version] if both have.
  ///
  /// @param next the other
  default Transform andThen(Transform next) {
    Transform first = this;
    return new Transform() {
      @Override
      public ColumnBlock apply(ColumnBlock block, TransformContext context) throws Exception {
        return next.apply(
            Objects.requireNonNull(
                first.apply(block, context),
                "the one before andThen() returned null but expected a ColumnBlock"),
            context);
      }

      @Override
      public int rows() {
        return Math.min(first.rows(), next.rows());
      }

      @Override
      public boolean keepsRows() {
        return first.keepsRows() && next.keepsRows();
      }

      @Override
      public Optional<String> version() {
        return first
            .version()
            .flatMap(one -> next.version().map(other -> one.length() + ":" + one + other));
      }
    };
  }
}
