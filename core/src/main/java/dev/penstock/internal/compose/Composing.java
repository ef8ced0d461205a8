package dev.penstock.internal.compose;

import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.internal.slices.Rows;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.util.List;

/// A composition of the columns of a dataset.
///
/// @param how the composition
/// @param batchSize the most rows of a batch
/// @param input the columns that it is given
/// @param output the columns that it delivers
public record Composing(Composition how, int batchSize, Schema input, Schema output) {
  /// Finds the columns of a composition.
  ///
  /// @param how the composition
  /// @param batchSize the most rows of a batch
  /// @param columns the columns of the rows
  /// @return the composition with its columns
  /// @throws IllegalArgumentException if a column is missing or not of lists
  public static Composing of(Composition how, int batchSize, Schema columns) {
    return switch (how) {
      case Buckets buckets -> {
        requireLists(columns, buckets.column(), "bucket");
        yield new Composing(how, batchSize, columns, columns);
      }
      case Packs packs -> {
        Field lists = requireLists(columns, packs.column(), "pack");
        DataType numbers = new DataType.List(new DataType.Int(32, true), false);
        Schema packed =
            Schema.of(
                List.of(
                    new Field(lists.name(), lists.type(), false),
                    new Field(lists.name() + ".segment", numbers, false),
                    new Field(lists.name() + ".position", numbers, false)));
        yield new Composing(how, batchSize, Schema.of(List.of(lists)), packed);
      }
    };
  }

  /// Returns the length of the lists that it delivers.
  ///
  /// @return elements; 0 where lists are as they were read
  public int length() {
    return how instanceof Packs packs ? packs.length() : 0;
  }

  private static Field requireLists(Schema columns, String name, String verb) {
    Field field =
        columns
            .find(name)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "Cannot "
                        + verb
                        + " by column '"
                        + name
                        + "': it is not among the columns "
                        + columns.names()
                        + "."));
    if (!(field.type() instanceof DataType.List)) {
      throw new IllegalArgumentException(
          "Cannot "
              + verb
              + " by column '"
              + name
              + "': it is "
              + field.type()
              + ". Choose a column of lists.");
    }
    return field;
  }

  /// Composes a window.
  ///
  /// @param window all of its rows, of the columns of the input; they are read until the last row
  ///   of the result is written
  /// @param draw decides what is random
  /// @return the rows that are delivered
  /// @throws IOException if a value does not fit
  public Composed compose(Rows window, WindowNumber draw) throws IOException {
    return switch (how) {
      case Buckets buckets ->
          BucketRows.of(
              buckets, batchSize, input.indexOf(buckets.column()), input.size(), window, draw);
      case Packs packs -> PackedRows.of(packs, 0, window);
    };
  }
}
