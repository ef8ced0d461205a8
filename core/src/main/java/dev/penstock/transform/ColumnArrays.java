package dev.penstock.transform;

import static dev.penstock.spi.format.LittleEndian.DOUBLE;
import static dev.penstock.spi.format.LittleEndian.FLOAT;
import static dev.penstock.spi.format.LittleEndian.INT;
import static dev.penstock.spi.format.LittleEndian.LONG;
import static dev.penstock.spi.format.LittleEndian.SHORT;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.hash.XxHash64;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Converts a column of a block to Java arrays, and Java arrays to a column.
///
/// @param slice its values
record ColumnArrays(Field field, ColumnSlice slice) {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  boolean[] present() {
    boolean[] present = new boolean[slice.rowCount()];
    for (int i = 0; i < present.length; i++) {
      present[i] = isPresent(i);
    }
    return present;
  }

  private boolean isPresent(int row) {
    MemorySegment validity = slice.validity();
    return validity == null || bit(validity, row);
  }

  private static boolean bit(MemorySegment bits, int index) {
    return (bits.get(BYTE, index >>> 3) >>> (index & 7) & 1) != 0;
  }

  double[] doubles() {
    double[] doubles = new double[slice.rowCount()];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = isPresent(i) ? number(i) : Double.NaN;
    }
    return doubles;
  }

  private double number(int row) {
    MemorySegment values = slice.values();
    return switch (slice.type()) {
      case DataType.Bool _ -> bit(values, row) ? 1 : 0;
      case DataType.Int(int bits, boolean signed) -> {
        long value = whole(row);
        yield signed || bits < 64 || value >= 0
            ? (double) value
            : (double) ((value >>> 1) | (value & 1)) * 2;
      }
      case DataType.Floating(int bits) when bits == 16 ->
          Float.float16ToFloat(values.getAtIndex(SHORT, row));
      case DataType.Floating(int bits) when bits == 32 -> values.getAtIndex(FLOAT, row);
      case DataType.Floating _ -> values.getAtIndex(DOUBLE, row);
      case DataType.Decimal(int _, int scale) -> decimal(row, scale).doubleValue();
      default -> throw refuse("numbers", "integers, floating-point numbers, decimals or booleans");
    };
  }

  float[] floats() {
    float[] floats = new float[slice.rowCount()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = isPresent(i) ? single(i) : Float.NaN;
    }
    return floats;
  }

  /// Rounds only once: starts from the exact value if [#number] would round.
  private float single(int row) {
    return switch (slice.type()) {
      case DataType.Int(int bits, boolean signed) when bits == 64 -> {
        long value = whole(row);
        yield signed || value >= 0 ? (float) value : (float) ((value >>> 1) | (value & 1)) * 2;
      }
      case DataType.Decimal(int _, int scale) -> decimal(row, scale).floatValue();
      default -> (float) number(row);
    };
  }

  private BigDecimal decimal(int row, int scale) {
    int width = slice.type().byteWidth();
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[width - 1 - i] = slice.values().get(BYTE, (long) row * width + i);
    }
    return new BigDecimal(new BigInteger(bytes), scale);
  }

  long[] longs() {
    long[] longs = new long[slice.rowCount()];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = isPresent(i) ? whole(i) : 0;
    }
    return longs;
  }

  private long whole(int row) {
    MemorySegment values = slice.values();
    return switch (slice.type()) {
      case DataType.Int(int bits, boolean signed) -> {
        long value = whole(values, row, bits / 8);
        yield signed || bits == 64 ? value : value & (-1L >>> (64 - bits));
      }
      case DataType.Date _, DataType.Time _, DataType.Timestamp _ ->
          whole(values, row, slice.type().byteWidth());
      default -> throw refuse("whole numbers", "integers, dates, times or timestamps");
    };
  }

  private static long whole(MemorySegment values, int row, int width) {
    return switch (width) {
      case 1 -> values.get(BYTE, row);
      case 2 -> values.getAtIndex(SHORT, row);
      case 4 -> values.getAtIndex(INT, row);
      default -> values.getAtIndex(LONG, row);
    };
  }

  boolean[] booleans() {
    if (!(slice.type() instanceof DataType.Bool)) {
      throw refuse("booleans", "booleans");
    }
    boolean[] booleans = new boolean[slice.rowCount()];
    for (int i = 0; i < booleans.length; i++) {
      booleans[i] = isPresent(i) && bit(slice.values(), i);
    }
    return booleans;
  }

  @SuppressWarnings("NullAway") // an array with nulls in it
  String[] strings() {
    if (!(slice.type() instanceof DataType.Utf8)) {
      throw refuse("texts", "strings");
    }
    @Nullable String[] strings = new @Nullable String[slice.rowCount()];
    TextDictionary dictionary = slice.dictionary();
    @Nullable String[] words = new @Nullable String[dictionary == null ? 0 : dictionary.size()];
    for (int i = 0; i < strings.length; i++) {
      if (!isPresent(i)) {
        continue;
      }
      if (dictionary == null) {
        strings[i] = text(slice.values(), Objects.requireNonNull(slice.offsets()), i);
      } else {
        int code = Objects.requireNonNull(slice.codes()).getAtIndex(INT, i);
        if (words[code] == null) {
          words[code] = text(dictionary.values(), dictionary.offsets(), code);
        }
        strings[i] = words[code];
      }
    }
    return strings;
  }

  /// Returns the xxHash64 of each row's UTF-8 bytes, or of its integer as 8 little-endian bytes; 0
  /// for a null.
  long[] hashes() {
    long[] hashes = new long[slice.rowCount()];
    if (!(slice.type() instanceof DataType.Utf8)) {
      MemorySegment word = MemorySegment.ofArray(new byte[Long.BYTES]);
      long[] values = longs();
      for (int i = 0; i < hashes.length; i++) {
        word.set(LONG, 0, values[i]);
        hashes[i] = isPresent(i) ? XxHash64.hash(word, 0, Long.BYTES) : 0;
      }
      return hashes;
    }
    TextDictionary dictionary = slice.dictionary();
    if (dictionary == null) {
      MemorySegment offsets = Objects.requireNonNull(slice.offsets());
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = isPresent(i) ? hash(slice.values(), offsets, i) : 0;
      }
      return hashes;
    }
    long[] words = new long[dictionary.size()];
    for (int i = 0; i < words.length; i++) {
      words[i] = hash(dictionary.values(), dictionary.offsets(), i);
    }
    MemorySegment codes = Objects.requireNonNull(slice.codes());
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = isPresent(i) ? words[codes.getAtIndex(INT, i)] : 0;
    }
    return hashes;
  }

  private static long hash(MemorySegment values, MemorySegment offsets, int index) {
    int start = offsets.getAtIndex(INT, index);
    return XxHash64.hash(values, start, offsets.getAtIndex(INT, index + 1L) - start);
  }

  private static String text(MemorySegment values, MemorySegment offsets, int index) {
    int start = offsets.getAtIndex(INT, index);
    int end = offsets.getAtIndex(INT, index + 1L);
    byte[] bytes = values.asSlice(start, (long) end - start).toArray(BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private IllegalArgumentException refuse(String wanted, String expected) {
    return new IllegalArgumentException(
        Sentence.of(
            "Cannot take %s from column '%s': it is %s but expected %s.",
            wanted, field.name(), slice.type(), expected));
  }

  static ColumnSlice of(double[] values) {
    return copied(new DataType.Floating(64), values, values.length, DOUBLE);
  }

  static ColumnSlice of(float[] values) {
    return copied(new DataType.Floating(32), values, values.length, FLOAT);
  }

  static ColumnSlice of(long[] values) {
    return copied(new DataType.Int(64, true), values, values.length, LONG);
  }

  static ColumnSlice of(int[] values) {
    return copied(new DataType.Int(32, true), values, values.length, INT);
  }

  private static ColumnSlice copied(DataType type, Object array, int count, ValueLayout layout) {
    long bytes = count * layout.byteSize();
    MemorySegment memory =
        MemorySegment.ofArray(new long[Math.ceilDiv(count, 8 / (int) layout.byteSize())]);
    MemorySegment.copy(array, 0, memory, layout, 0, count);
    return ColumnSlice.fixed(type, count, 0, null, memory.asSlice(0, bytes));
  }

  static ColumnSlice of(boolean[] values) {
    return ColumnSlice.fixed(new DataType.Bool(), values.length, 0, null, bits(values));
  }

  static ColumnSlice of(@Nullable String[] values) {
    byte[][] texts = new byte[values.length][];
    boolean[] present = new boolean[values.length];
    MemorySegment offsets = MemorySegment.ofArray(new int[values.length + 1]);
    int bytes = 0;
    int nulls = 0;
    for (int i = 0; i < values.length; i++) {
      String value = values[i];
      present[i] = value != null;
      nulls += value == null ? 1 : 0;
      texts[i] = value == null ? new byte[0] : value.getBytes(StandardCharsets.UTF_8);
      bytes = Math.addExact(bytes, texts[i].length);
      offsets.setAtIndex(INT, i + 1L, bytes);
    }
    byte[] all = new byte[bytes];
    int at = 0;
    for (byte[] text : texts) {
      System.arraycopy(text, 0, all, at, text.length);
      at += text.length;
    }
    return ColumnSlice.variable(
        new DataType.Utf8(),
        values.length,
        nulls,
        nulls == 0 ? null : bits(present),
        MemorySegment.ofArray(all),
        offsets);
  }

  static ColumnSlice withPresent(ColumnSlice slice, boolean[] present) {
    int nulls = 0;
    for (boolean there : present) {
      nulls += there ? 0 : 1;
    }
    return new ColumnSlice(
        slice.type(),
        slice.rowCount(),
        nulls,
        nulls == 0 ? null : bits(present),
        slice.values(),
        slice.offsets(),
        slice.codes(),
        slice.dictionary(),
        slice.children());
  }

  private static MemorySegment bits(boolean[] values) {
    byte[] bits = new byte[(values.length + 7) / 8];
    for (int i = 0; i < values.length; i++) {
      bits[i >>> 3] |= (byte) (values[i] ? 1 << (i & 7) : 0);
    }
    return MemorySegment.ofArray(bits);
  }
}
