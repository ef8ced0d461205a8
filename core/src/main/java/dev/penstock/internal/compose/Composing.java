package dev.penstock.internal.compose;

import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.Rows;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.stats.PaddingStats;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A composition of the columns of a dataset.
///
/// @param how the composition
/// @param batchSize the most rows of a batch
/// @param input the columns that it is given
/// @param output the columns that it delivers
/// @param facts where to note how much is made of each window, without delivering any; null to
///   deliver it
public record Composing(
    Composition how, int batchSize, Schema input, Schema output, @Nullable WindowFacts facts) {
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
        yield new Composing(how, batchSize, columns, columns, null);
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
        yield new Composing(how, batchSize, Schema.of(List.of(lists)), packed, null);
      }
    };
  }

  /// Returns the same composition, of the column that decides it, which is only counted.
  ///
  /// @param into where to note how much is made of each window
  /// @return the composition for a pass
  public Composing counting(WindowFacts into) {
    Schema deciding = Schema.of(List.of(input.find(how.column()).orElseThrow()));
    return new Composing(how, batchSize, deciding, Schema.of(List.of()), into);
  }

  /// Returns whether rows are cut into batches of their own, so that what has a place is a batch.
  ///
  /// @return false where batches are full, across windows
  public boolean isCut() {
    return how instanceof Buckets;
  }

  /// Returns the length of the lists that it delivers.
  ///
  /// @return elements; 0 where lists are as they were read
  public int length() {
    return how instanceof Packs packs ? packs.length() : 0;
  }

  private static final Composed NOTHING =
      new Composed() {
        @Override
        public Extent extent() {
          return Extent.NONE;
        }

        @Override
        public void write(int from, int to, RowCopies target) {}

        @Override
        public PaddingStats padding() {
          return PaddingStats.NONE;
        }
      };

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
    Composed composed = composed(window, draw);
    WindowFacts into = facts;
    if (into == null) {
      return composed;
    }
    into.note(draw.number(), composed.extent());
    return NOTHING;
  }

  private Composed composed(Rows window, WindowNumber draw) throws IOException {
    return switch (how) {
      case Buckets buckets ->
          BucketRows.of(
              buckets, batchSize, input.indexOf(buckets.column()), input.size(), window, draw);
      case Packs packs -> PackedRows.of(packs, 0, window);
    };
  }
}
