package dev.penstock.blackbox.files;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.tck.Values;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/// Makes column slices of [Values], as odd as they may be: rubbish where values are null, offsets
/// that start anywhere, values before the first and behind the last, dictionaries.
final class Slices {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Random random;
  private final SegmentAllocator memory;

  Slices(Random random, SegmentAllocator memory) {
    this.random = random;
    this.memory = memory;
  }

  ColumnSlice of(DataType type, List<Object> values) {
    int rows = values.size();
    int nulls = (int) values.stream().filter(value -> value == null).count();
    MemorySegment validity = nulls == 0 ? null : validity(values);
    return switch (type) {
      case DataType.List(DataType element, boolean _) -> {
        List<Object> elements = new ArrayList<>();
        MemorySegment offsets = lists(element, values, elements);
        yield ColumnSlice.list(type, rows, nulls, validity, offsets, of(element, elements));
      }
      case DataType.Map map -> {
        List<Object> entries = new ArrayList<>();
        MemorySegment offsets = lists(map.entry(), values, entries);
        yield ColumnSlice.list(type, rows, nulls, validity, offsets, of(map.entry(), entries));
      }
      case DataType.Struct(List<Field> fields) ->
          ColumnSlice.struct(
              type,
              rows,
              nulls,
              validity,
              fields.stream().map(field -> of(field.type(), part(values, field.name()))).toList());
      case DataType.Utf8 _, DataType.Binary _ -> variable(type, values, nulls, validity);
      default -> ColumnSlice.fixed(type, rows, nulls, validity, fixed(type, values));
    };
  }

  private MemorySegment validity(List<Object> values) {
    byte[] bits = new byte[values.size() / 8 + 1];
    random.nextBytes(bits);
    for (int i = 0; i < values.size(); i++) {
      bit(bits, i, values.get(i) != null);
    }
    return memory.allocateFrom(ValueLayout.JAVA_BYTE, bits);
  }

  private static void bit(byte[] bits, int index, boolean set) {
    int mask = 1 << (index & 7);
    bits[index >> 3] = (byte) (set ? bits[index >> 3] | mask : bits[index >> 3] & ~mask);
  }

  /// Adds the elements of all lists, and some that are of none, and returns the offsets.
  private MemorySegment lists(DataType element, List<Object> values, List<Object> elements) {
    addUnused(element, elements);
    MemorySegment offsets = memory.allocate((values.size() + 1) * 4L, 4);
    for (int i = 0; i < values.size(); i++) {
      offsets.setAtIndex(INT, i, elements.size());
      if (values.get(i) != null) {
        elements.addAll(((List<?>) values.get(i)).stream().map(Slices::entryAsStruct).toList());
      }
    }
    offsets.setAtIndex(INT, values.size(), elements.size());
    addUnused(element, elements);
    return offsets;
  }

  private void addUnused(DataType element, List<Object> elements) {
    for (int count = random.nextInt(3); count > 0; count--) {
      elements.add(entryAsStruct(Values.random(element, random)));
    }
  }

  private static Object entryAsStruct(Object value) {
    if (value instanceof Map.Entry<?, ?> entry) {
      Map<String, Object> struct = new java.util.LinkedHashMap<>();
      struct.put("key", entry.getKey());
      struct.put("value", entry.getValue());
      return struct;
    }
    return value;
  }

  private static List<Object> part(List<Object> structs, String name) {
    List<Object> parts = new ArrayList<>();
    structs.forEach(struct -> parts.add(struct == null ? null : ((Map<?, ?>) struct).get(name)));
    return parts;
  }

  private ColumnSlice variable(
      DataType type, List<Object> values, int nulls, MemorySegment validity) {
    int rows = values.size();
    if (random.nextBoolean()) {
      MemorySegment offsets = memory.allocate((rows + 1) * 4L, 4);
      return ColumnSlice.variable(
          type, rows, nulls, validity, bytes(type, values, offsets), offsets);
    }
    List<Object> distinct = values.stream().filter(value -> value != null).distinct().toList();
    MemorySegment codes = memory.allocate(rows * 4L, 4);
    for (int i = 0; i < rows; i++) {
      codes.setAtIndex(INT, i, Math.max(0, distinct.indexOf(values.get(i))));
    }
    MemorySegment offsets = memory.allocate((distinct.size() + 1) * 4L, 4);
    MemorySegment entries = bytes(type, distinct, offsets);
    return ColumnSlice.coded(
        type, rows, nulls, validity, codes, new TextDictionary(distinct.size(), entries, offsets));
  }

  private MemorySegment bytes(DataType type, List<Object> values, MemorySegment offsets) {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    bytes.writeBytes(new byte[random.nextInt(3)]);
    for (int i = 0; i < values.size(); i++) {
      offsets.setAtIndex(INT, i, bytes.size());
      if (values.get(i) != null) {
        String text = (String) values.get(i);
        bytes.writeBytes(
            type instanceof DataType.Utf8
                ? text.getBytes(StandardCharsets.UTF_8)
                : HexFormat.of().parseHex(text));
      }
    }
    offsets.setAtIndex(INT, values.size(), bytes.size());
    return memory.allocateFrom(ValueLayout.JAVA_BYTE, bytes.toByteArray());
  }

  private MemorySegment fixed(DataType type, List<Object> values) {
    if (type instanceof DataType.Bool) {
      byte[] bits = new byte[values.size() / 8 + 1];
      random.nextBytes(bits);
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i) != null) {
          bit(bits, i, (Boolean) values.get(i));
        }
      }
      return memory.allocateFrom(ValueLayout.JAVA_BYTE, bits);
    }
    int width = type.byteWidth();
    byte[] bytes = new byte[values.size() * width];
    random.nextBytes(bytes);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) != null) {
        put(type, values.get(i), buffer.position(i * width), width);
      }
    }
    MemorySegment segment = memory.allocate(Math.max(1, bytes.length), 8);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return segment;
  }

  private static void put(DataType type, Object value, ByteBuffer to, int width) {
    switch (type) {
      case DataType.Floating(int bits) when bits == 16 ->
          to.putShort(Float.floatToFloat16((Float) value));
      case DataType.Floating(int bits) when bits == 32 -> to.putFloat((Float) value);
      case DataType.Floating _ -> to.putDouble((Double) value);
      case DataType.Decimal _ -> putUnscaled(((BigDecimal) value).unscaledValue(), to, width);
      case DataType.Uuid _ ->
          to.order(ByteOrder.BIG_ENDIAN)
              .putLong(((UUID) value).getMostSignificantBits())
              .putLong(((UUID) value).getLeastSignificantBits())
              .order(ByteOrder.LITTLE_ENDIAN);
      case DataType.FixedBinary _, DataType.Interval _ ->
          to.put(HexFormat.of().parseHex((String) value));
      case DataType.Time(TimeUnit _, boolean _) when value instanceof Long number ->
          putLong(number, to, width);
      default -> putLong(Values.toLong(type, value), to, width);
    }
  }

  private static void putUnscaled(BigInteger unscaled, ByteBuffer to, int width) {
    for (int i = 0; i < width; i++) {
      to.put(unscaled.shiftRight(8 * i).byteValue());
    }
  }

  private static void putLong(long value, ByteBuffer to, int width) {
    putUnscaled(BigInteger.valueOf(value), to, width);
  }
}
