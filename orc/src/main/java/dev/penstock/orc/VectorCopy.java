package dev.penstock.orc;

import static dev.penstock.spi.format.LittleEndian.DOUBLE;
import static dev.penstock.spi.format.LittleEndian.FLOAT;
import static dev.penstock.spi.format.LittleEndian.INT;
import static dev.penstock.spi.format.LittleEndian.LONG;
import static dev.penstock.spi.format.LittleEndian.SHORT;

import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.orc.storage.common.type.HiveDecimal;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DecimalColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.ListColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.MapColumnVector;
import org.apache.orc.storage.ql.exec.vector.MultiValuedColumnVector;
import org.apache.orc.storage.ql.exec.vector.StructColumnVector;
import org.apache.orc.storage.ql.exec.vector.TimestampColumnVector;

/// Copies a column that ORC decoded, with its parts, from arrays to Arrow's layout.
///
/// **Ownership.** Owns the memory of its slices, which each call reuses.
final class VectorCopy {
  /* All of ORC's vectors have the same form: if `isRepeating` is set, row 0 stands for all rows; if
   * `noNulls` is not set, `isNull` marks nulls. A vector of only nulls is marked as repeating, and
   * the vectors below it keep stale contents. So the fact that all rows are null is passed down. */

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private final OrcColumn column;
  private final List<VectorCopy> children = new ArrayList<>();
  private final ScratchBuffer validity;
  private final ScratchBuffer values;
  private final ScratchBuffer offsets;
  private MemorySegment packed = MemorySegment.NULL;

  VectorCopy(OrcColumn column, ScratchMemory memory) {
    this.column = column;
    this.validity = new ScratchBuffer(memory);
    this.values = new ScratchBuffer(memory);
    this.offsets = new ScratchBuffer(memory);
    column.children().forEach(child -> children.add(new VectorCopy(child, memory)));
  }

  /// Returns whether every row of a vector is null.
  static boolean isAllNull(ColumnVector vector) {
    return vector.isRepeating && !vector.noNulls && vector.isNull[0];
  }

  /// Copies some rows.
  ///
  /// @param absent whether the enclosing column is null in all of them
  ColumnSlice copy(ColumnVector vector, int from, int count, boolean absent, FilePlace where)
      throws MalformedFileException {
    boolean none = absent || isAllNull(vector);
    int nulls = none ? count : nulls(vector, from, count);
    MemorySegment bits = nulls == 0 ? null : none ? zeros(validity, bitBytes(count)) : packed;
    DataType type = column.type();
    return switch (type) {
      case DataType.Utf8 _, DataType.Binary _ -> {
        MemorySegment starts = offsets.ensure(4L * count + 4);
        MemorySegment bytes =
            none ? zeros(offsets, 4L * count + 4) : texts(vector, from, count, starts, where);
        yield ColumnSlice.variable(type, count, nulls, bits, bytes, starts);
      }
      case DataType.List _, DataType.Map _ -> {
        MultiValuedColumnVector lists = (MultiValuedColumnVector) vector;
        MemorySegment starts = offsets.ensure(4L * count + 4);
        int first = none ? 0 : first(lists, from, count);
        int elements = none ? 0 : lengths(lists, from, count, first, starts, where);
        if (none) {
          zeros(offsets, 4L * count + 4);
        }
        yield ColumnSlice.list(
            type, count, nulls, bits, starts, elements(lists, first, elements, where));
      }
      case DataType.Struct _ -> {
        StructColumnVector structs = (StructColumnVector) vector;
        List<ColumnSlice> fields = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
          fields.add(children.get(i).copy(structs.fields[i], from, count, none, where));
        }
        yield ColumnSlice.struct(type, count, nulls, bits, fields);
      }
      case DataType.Bool _ -> {
        MemorySegment flags = zeros(values, bitBytes(count));
        if (!none) {
          booleans((LongColumnVector) vector, from, count, flags);
        }
        yield ColumnSlice.fixed(type, count, nulls, bits, flags);
      }
      default -> {
        MemorySegment numbers = values.ensure((long) type.byteWidth() * count);
        if (none) {
          numbers.fill((byte) 0);
        } else {
          fixed(vector, from, count, numbers, where);
        }
        yield ColumnSlice.fixed(type, count, nulls, bits, numbers);
      }
    };
  }

  private ColumnSlice elements(
      MultiValuedColumnVector vector, int first, int count, FilePlace where)
      throws MalformedFileException {
    VectorCopy only = children.getFirst();
    if (vector instanceof ListColumnVector lists) {
      return only.copy(lists.child, first, count, count == 0, where);
    }
    MapColumnVector maps = (MapColumnVector) vector;
    ColumnSlice key = only.copy(maps.keys, first, count, count == 0, where);
    if (key.nullCount() > 0) {
      throw where.fail("Unsupported map in ORC file: a key is null. Leave the column out.");
    }
    ColumnSlice value = children.getLast().copy(maps.values, first, count, count == 0, where);
    DataType entry = ((DataType.Map) column.type()).entry();
    return ColumnSlice.struct(entry, count, 0, null, List.of(key, value));
  }

  private static long bitBytes(int count) {
    return (count + 63L) / 64 * 8;
  }

  private static MemorySegment zeros(ScratchBuffer buffer, long bytes) {
    MemorySegment memory = buffer.ensure(bytes);
    memory.asSlice(0, bytes).fill((byte) 0);
    return memory;
  }

  /// Packs validity bits and counts the nulls.
  private int nulls(ColumnVector vector, int from, int count) {
    if (vector.noNulls || vector.isRepeating) {
      return 0;
    }
    packed = validity.ensure(bitBytes(count));
    boolean[] isNull = vector.isNull;
    int present = 0;
    for (int word = 0; word < count; word += 64) {
      long bits = 0;
      int most = Math.min(64, count - word);
      for (int i = 0; i < most; i++) {
        bits |= (isNull[from + word + i] ? 0L : 1L) << i;
      }
      packed.set(LONG, word / 8, bits);
      present += Long.bitCount(bits);
    }
    return count - present;
  }

  private static void booleans(LongColumnVector vector, int from, int count, MemorySegment to) {
    for (int word = 0; word < count; word += 64) {
      long bits = 0;
      int most = Math.min(64, count - word);
      for (int i = 0; i < most; i++) {
        bits |= (vector.vector[vector.isRepeating ? 0 : from + word + i] & 1) << i;
      }
      to.set(LONG, word / 8, bits);
    }
  }

  private void fixed(ColumnVector vector, int from, int count, MemorySegment to, FilePlace where)
      throws MalformedFileException {
    switch (column.type()) {
      case DataType.Floating(int bits) ->
          floats((DoubleColumnVector) vector, from, count, bits, to);
      case DataType.Timestamp _ ->
          timestamps((TimestampColumnVector) vector, from, count, to, where);
      case DataType.Decimal decimal when vector instanceof DecimalColumnVector large ->
          decimals(large, from, count, decimal, to, where);
      default -> integers((LongColumnVector) vector, from, count, to);
    }
  }

  private void integers(LongColumnVector vector, int from, int count, MemorySegment to) {
    long[] numbers = vector.vector;
    int width = column.type().byteWidth();
    if (vector.isRepeating) {
      for (int i = 0; i < count; i++) {
        put(to, width, i, numbers[0]);
      }
      return;
    }
    switch (width) {
      case 8 -> MemorySegment.copy(numbers, from, to, LONG, 0, count);
      case 4 -> {
        for (int i = 0; i < count; i++) {
          to.set(INT, 4L * i, (int) numbers[from + i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          put(to, width, i, numbers[from + i]);
        }
      }
    }
  }

  private static void put(MemorySegment to, int width, long index, long number) {
    switch (width) {
      case 1 -> to.set(ValueLayout.JAVA_BYTE, index, (byte) number);
      case 2 -> to.set(SHORT, 2 * index, (short) number);
      case 4 -> to.set(INT, 4 * index, (int) number);
      default -> to.set(LONG, 8 * index, number);
    }
  }

  private static void floats(
      DoubleColumnVector vector, int from, int count, int bits, MemorySegment to) {
    double[] numbers = vector.vector;
    int step = vector.isRepeating ? 0 : 1;
    int first = vector.isRepeating ? 0 : from;
    if (bits == 32) {
      for (int i = 0; i < count; i++) {
        to.set(FLOAT, 4L * i, (float) numbers[first + i * step]);
      }
    } else if (vector.isRepeating) {
      for (int i = 0; i < count; i++) {
        to.set(DOUBLE, 8L * i, numbers[0]);
      }
    } else {
      MemorySegment.copy(numbers, from, to, DOUBLE, 0, count);
    }
  }

  private void timestamps(
      TimestampColumnVector vector, int from, int count, MemorySegment to, FilePlace where)
      throws MalformedFileException {
    StoredTimes.Unit unit = column.times();
    for (int i = 0; i < count; i++) {
      int row = vector.isRepeating ? 0 : from + i;
      if (!vector.noNulls && vector.isNull[row]) {
        to.set(LONG, 8L * i, 0);
        continue;
      }
      // The milliseconds come from the nanoseconds, which are negative if Arrow C++ wrote them.
      int fraction = vector.nanos[row];
      if (fraction >= NANOS_PER_SECOND || fraction <= -NANOS_PER_SECOND) {
        throw where.fail("Corrupt ORC file: a time has the nanoseconds " + fraction + ".");
      }
      long seconds = Math.floorDiv(vector.time[row] - fraction / NANOS_PER_MILLI, 1000L);
      try {
        to.set(LONG, 8L * i, unit.of(seconds, fraction));
      } catch (StoredTimes.UnsupportedTimeException e) {
        throw where.fail(String.valueOf(e.getMessage()));
      }
    }
  }

  private void decimals(
      DecimalColumnVector vector,
      int from,
      int count,
      DataType.Decimal type,
      MemorySegment to,
      FilePlace where)
      throws MalformedFileException {
    int width = type.byteWidth();
    for (int i = 0; i < count; i++) {
      int row = vector.isRepeating ? 0 : from + i;
      HiveDecimal decimal =
          !vector.noNulls && vector.isNull[row] ? null : vector.vector[row].getHiveDecimal();
      BigInteger unscaled =
          decimal == null
              ? BigInteger.ZERO
              : decimal
                  .unscaledValue()
                  .multiply(BigInteger.TEN.pow(Math.max(0, type.scale() - decimal.scale())));
      if ((decimal != null && decimal.scale() > type.scale())
          || unscaled.bitLength() >= 8 * width) {
        throw where.fail("Corrupt ORC file: the value " + decimal + " does not fit " + type + ".");
      }
      long low = unscaled.longValue();
      to.set(LONG, (long) width * i, low);
      if (width == 16) {
        to.set(LONG, 16L * i + 8, unscaled.shiftRight(64).longValue());
      }
    }
  }

  /// Copies bytes. Adjacent values, as ORC leaves them after reading directly, are copied in one
  /// piece.
  @SuppressWarnings("ReferenceEquality") // whether values lie in one and the same array
  private MemorySegment texts(
      ColumnVector from, int first, int count, MemorySegment starts, FilePlace where)
      throws MalformedFileException {
    BytesColumnVector vector = (BytesColumnVector) from;
    int step = vector.isRepeating ? 0 : 1;
    int start = vector.isRepeating ? 0 : first;
    boolean nulls = !vector.noNulls;
    long total = 0;
    for (int i = 0; i < count; i++) {
      int row = start + i * step;
      starts.set(INT, 4L * i, (int) total);
      total += nulls && vector.isNull[row] ? 0 : vector.length[row];
      if (total > Integer.MAX_VALUE - 64) {
        throw where.fail(
            "Unsupported values in ORC file: " + (i + 1) + " values have " + total + " bytes.");
      }
    }
    starts.set(INT, 4L * count, (int) total);
    MemorySegment to = values.ensure(total);
    int done = 0;
    for (int i = 0; i < count; ) {
      int row = start + i * step;
      if (nulls && vector.isNull[row]) {
        i++;
        continue;
      }
      byte[] bytes = vector.vector[row];
      int at = vector.start[row];
      int end = at + vector.length[row];
      i++;
      while (i < count
          && step == 1
          && !(nulls && vector.isNull[start + i])
          && vector.vector[start + i] == bytes
          && vector.start[start + i] == end) {
        end += vector.length[start + i];
        i++;
      }
      MemorySegment.copy(bytes, at, to, ValueLayout.JAVA_BYTE, done, end - at);
      done += end - at;
    }
    return to;
  }

  /// Returns where the elements of some rows start.
  private static int first(MultiValuedColumnVector vector, int from, int count) {
    for (int row = from; row < from + count; row++) {
      if (vector.noNulls || !vector.isNull[row]) {
        return (int) vector.offsets[row];
      }
    }
    return 0;
  }

  /// Copies offsets, so that they start at 0.
  ///
  /// @return how many elements there are
  private static int lengths(
      MultiValuedColumnVector vector,
      int from,
      int count,
      int first,
      MemorySegment starts,
      FilePlace where)
      throws MalformedFileException {
    long at = first;
    starts.set(INT, 0, 0);
    for (int i = 0; i < count; i++) {
      int row = from + i;
      if (vector.noNulls || !vector.isNull[row]) {
        long length = vector.lengths[row];
        if (vector.isRepeating
            || vector.offsets[row] != at
            || length < 0
            || length > vector.childCount - at) {
          throw where.fail(
              ("Corrupt ORC file: a list has the elements [%s, %s) but they must start at %s"
                      + " and end by %s.")
                  .formatted(
                      vector.offsets[row], vector.offsets[row] + length, at, vector.childCount));
        }
        at += length;
      }
      starts.set(INT, 4L * i + 4, (int) (at - first));
    }
    return (int) (at - first);
  }
}
