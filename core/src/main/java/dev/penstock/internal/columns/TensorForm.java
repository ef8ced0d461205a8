package dev.penstock.internal.columns;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.DType;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.internal.columns.TextCoder.TextCodeWriter;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/// How the values of a column become the elements of a tensor; each worker has its own writer.
record TensorForm(DataType type, DType dtype, Supplier<ElementWriter> writer) {
  private static final DataType INT64 = new DataType.Int(64, true);
  private static final DataType INT32 = new DataType.Int(32, true);
  private static final DataType FLOAT64 = new DataType.Floating(64);

  /// Returns the form of a column; empty for one that does not become a tensor of one element per
  /// row. All vocabularies of `forms` must be known.
  static Optional<TensorForm> of(Field field, ColumnForms forms) {
    return switch (field.type()) {
      case DataType.Date _, DataType.Timestamp _ ->
          Optional.of(instants(field.type(), forms.timestamps().forColumn(field.name())));
      case DataType.Decimal decimal ->
          switch (forms.decimals().forColumn(field.name())) {
            case OBJECT -> Optional.empty();
            case FLOAT64 -> Optional.of(new TensorForm(FLOAT64, () -> new DecimalDoubles(decimal)));
            case UNSCALED -> Optional.of(new TensorForm(INT64, () -> new DecimalLongs(decimal)));
          };
      case DataType.Utf8 _ -> strings(forms.encoding(field));
      default -> stored(field.type());
    };
  }

  private static Optional<TensorForm> strings(StringEncoding encoding) {
    return switch (encoding) {
      case StringEncoding.Listed _ -> Optional.empty();
      case StringEncoding.Codes codes -> {
        Vocabulary vocabulary = codes.vocabulary().orElseThrow();
        TextCoder coder = TextCoder.places(vocabulary);
        String missing = "which the vocabulary of " + vocabulary.size() + " texts does not have";
        yield Optional.of(
            new TensorForm(INT32, () -> new TextCodeWriter(coder, codes.unknown(), missing)));
      }
      case StringEncoding.Hash(int buckets) -> {
        TextCoder coder = TextCoder.buckets(buckets);
        yield Optional.of(
            new TensorForm(INT32, () -> new TextCodeWriter(coder, OptionalInt.empty(), "")));
      }
    };
  }

  /// Returns the codes of a column of strings as a column of their own, under the column's name.
  static Field codes(Field field) {
    return new Field(field.name(), INT32, field.nullable());
  }

  private TensorForm(DataType type, Supplier<ElementWriter> writer) {
    this(type, ColumnPlan.dtype(type).orElseThrow(), writer);
  }

  private static TensorForm instants(DataType type, EpochUnit unit) {
    return unit == EpochUnit.STORED
        ? stored(type).orElseThrow()
        : new TensorForm(INT64, () -> new TimeCounts(type, unit));
  }

  private static Optional<TensorForm> stored(DataType type) {
    return ColumnPlan.dtype(type).map(dtype -> new TensorForm(type, dtype, () -> copier(dtype)));
  }

  private static ElementWriter copier(DType dtype) {
    return (slice, from, count, elements, to) ->
        TensorTarget.copy(slice, dtype, from, count, elements, to);
  }

  /// Returns the elements as a column of their own, under the column's name.
  Field elements(Field field) {
    return new Field(field.name(), type, field.nullable());
  }

  /// Writes decimals as the nearest doubles.
  private static final class DecimalDoubles implements ElementWriter {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    /// Integers up to this are doubles, and so are powers of ten up to 10^22: then one division
    /// gives the nearest double.
    private static final long EXACT_MAX = 1L << 53;

    private static final int EXACT_SCALE_MAX = 22;

    private final int width;
    private final int scale;
    private final long exactMax;
    private final double divisor;

    DecimalDoubles(DataType.Decimal type) {
      this.width = type.byteWidth();
      this.scale = type.scale();
      boolean exact = scale <= EXACT_SCALE_MAX;
      this.exactMax = exact ? EXACT_MAX : -1;
      this.divisor = exact ? BigDecimal.ONE.movePointRight(scale).doubleValue() : 1;
    }

    @Override
    public void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to) {
      MemorySegment source = slice.values();
      for (int i = 0; i < count; i++) {
        long at = (long) (from + i) * width;
        long low = source.get(LONG, at);
        boolean exact = low <= exactMax && low >= -exactMax && DecimalLongs.fits(source, at, width);
        double value =
            exact ? low / divisor : ObjectMaker.decimal(source, at, width, scale).doubleValue();
        elements.setAtIndex(DOUBLE, to + i, value);
      }
    }
  }

  /// Writes the unscaled values of decimals, which have to fit into 64 bits.
  private record DecimalLongs(DataType.Decimal type) implements ElementWriter {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    @Override
    public void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
        throws UnfitElementException {
      MemorySegment source = slice.values();
      int width = type.byteWidth();
      if (width == 8) {
        MemorySegment.copy(source, from * 8L, elements, to * 8, count * 8L);
        return;
      }
      for (int row = from; row < from + count; row++) {
        long at = (long) row * width;
        long value = source.get(LONG, at);
        if (!fits(source, at, width) && ObjectMaker.isPresent(slice.validity(), row)) {
          throw new UnfitElementException(
              row,
              ObjectMaker.decimal(source, at, width, type.scale())
                  + ", and INT64 cannot hold it without its point",
              Advice.of(
                  "Use %s, or leave the option out.",
                  Remedy.of("decimals", "float64", "DecimalForm.FLOAT64")));
        }
        elements.setAtIndex(LONG, to + row - from, value);
      }
    }

    /// Returns whether a two's complement number fits into its lowest 64 bits.
    static boolean fits(MemorySegment source, long at, int width) {
      long sign = source.get(LONG, at) >> 63;
      long others = 0;
      for (int i = 8; i < width; i += 8) {
        others |= source.get(LONG, at + i) ^ sign;
      }
      return others == 0;
    }
  }

  /// Writes dates and timestamps as 64-bit counts of a unit since 1970-01-01.
  private static final class TimeCounts implements ElementWriter {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final DataType type;
    private final EpochUnit unit;
    private final boolean isDate;
    private final long factor; // to a finer unit; else 1
    private final long divisor; // to a coarser unit; else 1

    /// The largest value that can be multiplied; the smallest is its negative.
    private final long most;

    TimeCounts(DataType type, EpochUnit unit) {
      this.type = type;
      this.unit = unit;
      this.isDate = type instanceof DataType.Date;
      long own =
          type instanceof DataType.Timestamp timestamp
              ? 1_000_000_000L / timestamp.unit().perSecond()
              : EpochUnit.DAYS.nanos();
      this.factor = Math.max(1, own / unit.nanos());
      this.divisor = Math.max(1, unit.nanos() / own);
      this.most = Long.MAX_VALUE / Math.max(2, factor);
    }

    @Override
    public void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
        throws UnfitElementException {
      if (divisor > 1) {
        coarser(slice.values(), from, count, elements, to);
      } else if (factor > 1 || isDate) {
        finer(slice, from, count, elements, to);
      } else {
        MemorySegment.copy(slice.values(), from * 8L, elements, to * 8, count * 8L);
      }
    }

    private void coarser(
        MemorySegment source, int from, int count, MemorySegment elements, long to) {
      for (int i = 0; i < count; i++) {
        long value = source.getAtIndex(LONG, from + i);
        elements.setAtIndex(LONG, to + i, Math.floorDiv(value, divisor));
      }
    }

    private void finer(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
        throws UnfitElementException {
      MemorySegment source = slice.values();
      long beyond = 0; // negative once one of these differences is
      for (int i = 0; i < count; i++) {
        long value = value(source, from + i);
        beyond |= (most - value) | (most + value);
        elements.setAtIndex(LONG, to + i, value * factor);
      }
      if (beyond < 0) {
        requireFits(slice, from, count);
      }
    }

    private long value(MemorySegment source, int row) {
      return isDate ? source.getAtIndex(INT, row) : source.getAtIndex(LONG, row);
    }

    private void requireFits(ColumnSlice slice, int from, int count) throws UnfitElementException {
      MemorySegment source = slice.values();
      for (int row = from; row < from + count; row++) {
        long value = value(source, row);
        boolean fits = value <= most && value >= -most;
        if (!fits && ObjectMaker.isPresent(slice.validity(), row)) {
          String own = type instanceof DataType.Timestamp stamp ? stamp.unit().toString() : "days";
          throw new UnfitElementException(
              row,
              value + " " + own + " since 1970-01-01, which INT64 cannot count in " + unit,
              Advice.text("Use a coarser unit."));
        }
      }
    }
  }

  /// Writes decoded values as the elements of a tensor. There is one for each column and worker.
  ///
  /// **Threads.** One at a time.
  interface ElementWriter {
    /// A non-null value that the tensor cannot hold.
    final class UnfitElementException extends Exception {
      private static final long serialVersionUID = 1L;

      final int index;
      final Advice remedy;

      /// @param index the value's place in the slice
      /// @param value the value and why it does not fit; the text that follows "row 2 is "
      /// @param remedy what to do, as a sentence
      UnfitElementException(int index, String value, Advice remedy) {
        super(value);
        this.index = index;
        this.remedy = remedy;
      }
    }

    /// Writes values from `from` on, the first to element `to`. A null may become anything.
    void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
        throws UnfitElementException;
  }
}
