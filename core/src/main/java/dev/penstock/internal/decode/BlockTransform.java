package dev.penstock.internal.decode;

import dev.penstock.options.Transformation;
import dev.penstock.schema.Schema;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A user's transform, with its input and output columns.
///
/// @param rows the rows of an aligned run; 0 for whole row groups
/// @param keepsRows whether it makes each row of one, so that runs need not be aligned
/// @param version see [Transform#version]
public record BlockTransform(
    Transform transform,
    int rows,
    boolean keepsRows,
    Optional<String> version,
    Schema input,
    Schema output) {
  /// Asks a transform for its output columns.
  ///
  /// @throws IllegalArgumentException if it fails
  public static BlockTransform of(Transform transform, int rows, boolean keepsRows, Schema input) {
    TransformContext context = new TransformContext(Optional.empty(), 0, 0, 0, 0, 1);
    try {
      ColumnBlock block = given(transform.apply(ColumnBlock.empty(input), context));
      if (block.rowCount() > 0) {
        throw new IllegalArgumentException("it made " + block.rowCount() + " rows of none");
      }
      Optional<String> version =
          Objects.requireNonNull(
              transform.version(), "version() returned null but expected an Optional");
      return new BlockTransform(transform, rows, keepsRows, version, input, block.schema());
    } catch (Throwable e) { // users' code
      throw new IllegalArgumentException(
          "Cannot learn the columns that the transform gives, by asking it with no rows: "
              + (e.getMessage() == null ? e : e.getMessage()),
          e);
    }
  }

  /// Returns what leaves blocks as they are: aligned runs of the usual length.
  public static BlockTransform none(Schema columns) {
    return new BlockTransform(
        (block, _) -> block, Transformation.ROWS, false, Optional.empty(), columns, columns);
  }

  /// Returns the same transform, of which only a note is taken.
  BlockTransform noting(BiConsumer<ColumnBlock, TransformContext> note) {
    Schema none = Schema.of(List.of());
    return new BlockTransform(
        (block, context) -> {
          note.accept(apply(block, context), context);
          return ColumnBlock.empty(none);
        },
        rows,
        false,
        Optional.empty(),
        input,
        none);
  }

  ColumnBlock apply(ColumnBlock block, TransformContext context) throws Exception {
    return given(transform.apply(block, context));
  }

  private static ColumnBlock given(@Nullable ColumnBlock block) {
    if (block == null) {
      throw new IllegalStateException(
          "it returned null but expected a ColumnBlock, such as the one it was given");
    }
    return block;
  }
}
