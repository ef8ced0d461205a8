package dev.penstock.orc;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.LittleEndian;
import dev.penstock.spi.format.ScratchBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.orc.OrcProto;
import org.apache.orc.storage.common.type.CalendarUtils;
import org.jspecify.annotations.Nullable;

/// Integers and dates: in runs of integers, or in runs of bytes for 8-bit integers.
final class StoredIntegers extends StoredColumn {
  /// The day before which the calendars differ, see [StatedStatistics].
  static final long GREGORIAN_DAY = -141_427;

  private final int width;
  private final boolean isHybrid;
  private final IntegerRuns runs;
  private final ByteRuns byteRuns;
  private final ScratchBuffer values;
  private byte[] bytes = {};

  /// @param isHybrid whether old dates are in the Julian calendar
  StoredIntegers(OrcColumn column, Workspace work, boolean isHybrid) {
    super(column, work);
    this.width = column.type().byteWidth();
    this.isHybrid = isHybrid;
    StoredStream data = work.stream();
    this.runs = new IntegerRuns(data, true);
    this.byteRuns = new ByteRuns(data);
    this.values = new ScratchBuffer(work.memory);
  }

  @Override
  boolean isKnown(OrcProto.ColumnEncoding encoding, StripeStreams stripe) {
    return super.isKnown(encoding, stripe)
        || (width > 1 && encoding.getKind() == OrcProto.ColumnEncoding.Kind.DIRECT_V2);
  }

  @Override
  void begin() {
    StripeStreams.Place place = place(OrcProto.Stream.Kind.DATA);
    if (width == 1) {
      byteRuns.open(place);
    } else {
      runs.open(place, IntegerRuns.isSecond(encoding()));
    }
  }

  @Override
  void seek(Positions positions) throws IOException {
    if (width == 1) {
      byteRuns.seek(positions);
    } else {
      runs.seek(positions);
    }
  }

  @Override
  void skip(long count) throws IOException {
    if (width == 1) {
      byteRuns.skip(count);
    } else {
      runs.skip(count);
    }
  }

  @Override
  ColumnSlice read(int count, int present, @Nullable MemorySegment bits) throws IOException {
    long[] numbers = work.dense;
    if (width == 1) {
      bytes = bytes.length < present ? new byte[ROWS_MAX] : bytes;
      byteRuns.read(bytes, present);
      for (int i = 0; i < present; i++) {
        numbers[i] = bytes[i];
      }
    } else {
      runs.read(numbers, present);
    }
    if (isHybrid) {
      for (int i = 0; i < present; i++) {
        if (numbers[i] < GREGORIAN_DAY) {
          numbers[i] = CalendarUtils.convertDateToProleptic((int) numbers[i]);
        }
      }
    }
    MemorySegment to = values.ensure((long) width * count);
    put(bits == null ? numbers : spread(numbers, count), count, to);
    return ColumnSlice.fixed(type(), count, count - present, bits, to);
  }

  private void put(long[] numbers, int count, MemorySegment to) {
    switch (width) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          to.set(ValueLayout.JAVA_BYTE, i, (byte) numbers[i]);
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          to.set(LittleEndian.SHORT, 2L * i, (short) numbers[i]);
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++) {
          to.set(LittleEndian.INT, 4L * i, (int) numbers[i]);
        }
      }
      default -> MemorySegment.copy(numbers, 0, to, LONG, 0, count);
    }
  }
}
