package dev.penstock.internal.pipeline;

import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.NullValueException;
import dev.penstock.format.ColumnSlice;
import dev.penstock.format.Dictionary;
import dev.penstock.format.SliceReader;
import dev.penstock.internal.pipeline.ColumnPlan.ListPlan;
import dev.penstock.schema.DataType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A column that becomes Java objects: strings, binaries, decimals, UUIDs.
///
/// The objects of a dictionary are made once and shared by the rows that have them.
final class ListTarget implements SliceTarget {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final ListPlan plan;
  private final int source;
  private ColumnSlice slice;
  private SliceContext context;
  private @Nullable Dictionary dictionary;
  private @Nullable Object[] dictionaryObjects = new Object[0];
  private byte[] bytes = new byte[64];

  @SuppressWarnings("NullAway.Init") // prepare() comes before copy()
  ListTarget(ListPlan plan, int source) {
    this.plan = plan;
    this.source = source;
  }

  /// Returns the array that a batch holds the column's objects in.
  static @Nullable Object[] newArray(DataType type, int length) {
    return switch (type) {
      case DataType.Utf8 _ -> new String[length];
      case DataType.Decimal _ -> new BigDecimal[length];
      case DataType.Uuid _ -> new UUID[length];
      default -> new byte[length][];
    };
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // slices that share a dictionary share the instance
  public void prepare(SliceReader reader, int rows, SliceContext context) {
    this.slice = reader.column(source);
    this.context = context;
    if (slice.dictionary() != null && slice.dictionary() != dictionary) {
      dictionary = slice.dictionary();
      dictionaryObjects = newArray(slice.type(), dictionary.size());
    }
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) throws IOException {
    @Nullable Object[] objects = batch.lists[plan.index()];
    MemorySegment validity = slice.validity();
    MemorySegment codes = slice.codes();
    MemorySegment offsets = slice.offsets();
    for (int i = 0; i < count; i++) {
      int row = from + i;
      if (validity != null && !Validity.isPresent(validity, row)) {
        if (plan.nulls() instanceof NullPolicy.Reject) {
          throw new NullValueException(
              plan.name(), context.firstRow() + row, context.file().text());
        }
        objects[to + i] = null;
      } else if (codes != null) {
        objects[to + i] = entry(codes.getAtIndex(INT, row), row);
      } else if (offsets != null) {
        int start = offsets.getAtIndex(INT, row);
        objects[to + i] = text(slice.values(), start, offsets.getAtIndex(INT, row + 1), row);
      } else {
        int width = slice.type().byteWidth();
        objects[to + i] = fixed(slice.values(), (long) row * width, width);
      }
    }
  }

  private @Nullable Object entry(int code, int row) throws IOException {
    Object object = dictionaryObjects[code];
    if (object == null && dictionary != null) {
      MemorySegment offsets = dictionary.offsets();
      int start = offsets.getAtIndex(INT, code);
      object = text(dictionary.values(), start, offsets.getAtIndex(INT, code + 1), row);
      dictionaryObjects[code] = object;
    }
    return object;
  }

  private Object text(MemorySegment values, int start, int end, int row) throws IOException {
    int length = end - start;
    if (slice.type() instanceof DataType.Binary) {
      return values.asSlice(start, length).toArray(ValueLayout.JAVA_BYTE);
    }
    if (bytes.length < length) {
      bytes = new byte[Math.max(length, bytes.length * 2)];
    }
    MemorySegment.copy(values, ValueLayout.JAVA_BYTE, start, bytes, 0, length);
    String string = new String(bytes, 0, length, StandardCharsets.UTF_8);
    if (string.indexOf('\uFFFD') >= 0) {
      requireUtf8(length, row);
    }
    return string;
  }

  /// A replacement character is either in the data, or stands for bytes that are no UTF-8.
  private void requireUtf8(int length, int row) throws IOException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
    } catch (CharacterCodingException e) {
      throw new IOException(
          "Corrupt text in column '"
              + plan.name()
              + "': the value is not UTF-8. Rewrite the column as binary, or leave it out. ["
              + context.file()
              + ", row "
              + (context.firstRow() + row)
              + "]",
          e);
    }
  }

  private Object fixed(MemorySegment values, long offset, int width) {
    byte[] value = values.asSlice(offset, width).toArray(ValueLayout.JAVA_BYTE);
    return switch (slice.type()) {
      case DataType.Decimal(int _, int scale) -> new BigDecimal(littleEndian(value), scale);
      case DataType.Uuid _ -> {
        ByteBuffer buffer = ByteBuffer.wrap(value).order(ByteOrder.BIG_ENDIAN);
        yield new UUID(buffer.getLong(), buffer.getLong());
      }
      default -> value;
    };
  }

  private static BigInteger littleEndian(byte[] value) {
    for (int i = 0, j = value.length - 1; i < j; i++, j--) {
      byte swap = value[i];
      value[i] = value[j];
      value[j] = swap;
    }
    return new BigInteger(value);
  }
}
