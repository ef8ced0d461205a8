package dev.penstock;

import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.NullValueException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.split.Rank;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;

/// A column of a dataset as one Java array, by an epoch of its own.
final class WholeColumn {
  /// The longest array that every JVM makes.
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private final StructuredDataset dataset;
  private final String column;

  private WholeColumn(StructuredDataset dataset, String column) {
    this.dataset =
        dataset.columns(column).splitStrategy(TargetSizeSplitStrategy.ofDefault()); // file order
    this.column = column;
  }

  static double[] doubles(StructuredDataset dataset, String column) {
    WholeColumn whole = new WholeColumn(dataset, column);
    if (whole.field().type() instanceof DataType.Int(int bits, boolean _) && bits == 64) {
      return whole.exact(longs(dataset, column)); // text would be rounded where it is parsed
    }
    double[] values = new double[whole.length()];
    whole.copy(DataType.float64(), MemorySegment.ofArray(values));
    return values;
  }

  static long[] longs(StructuredDataset dataset, String column) {
    WholeColumn whole = new WholeColumn(dataset, column);
    long[] values = new long[whole.length()];
    whole.copy(DataType.int64(), MemorySegment.ofArray(values));
    return values;
  }

  private double[] exact(long[] whole) {
    double[] values = new double[whole.length];
    for (int row = 0; row < values.length; row++) {
      values[row] = whole[row];
      if ((long) values[row] != whole[row] || whole[row] == Long.MAX_VALUE) {
        throw new ArithmeticException(
            Sentence.of(
                "Cannot copy column '%s' to a double[]: row %s is %s, and the nearest double is"
                    + " another number. Use longs().",
                column, row, String.valueOf(whole[row])));
      }
    }
    return values;
  }

  private int length() {
    long rows = dataset.rowCount();
    if (rows > LONGEST) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot copy column '%s' to one array: it has %s rows but an array holds at most %s."
                  + " Read batches.",
              column, rows, LONGEST));
    }
    return (int) rows;
  }

  private void copy(DataType type, MemorySegment values) {
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(1 << 16).rank(Rank.single()).nulls(NullPolicy.error());
    long end = 0;
    try (DataLoader loader = DataLoader.of(of(type), options)) {
      for (Batch batch : loader) {
        try (batch) {
          MemorySegment part = batch.tensor(field().name()).memory();
          MemorySegment.copy(part, 0, values, end, part.byteSize());
          end += part.byteSize();
        }
      }
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NullValueException met) {
        throw new UncheckedIOException(
            Sentence.of(
                "Cannot copy column '%s' to an array: it has nulls. Leave them out by a filter such"
                    + " as where(\"%s is not null\"), or read batches with a NullPolicy.",
                column, column),
            met);
      }
      throw e;
    }
  }

  private StructuredDataset of(DataType type) {
    return field().type().equals(type)
        ? dataset // whose values another cast may have made
        : dataset.cast(column, type);
  }

  private Field field() {
    return dataset.schema().fields().getFirst();
  }
}
