package dev.penstock.orc;

import dev.penstock.format.ColumnSlice;
import dev.penstock.format.ScratchBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.jspecify.annotations.Nullable;

/// Times: seconds from the start of 2015 and nanoseconds, both in runs.
///
/// Those that were written in another time zone than UTC are orc-core's to decode. In which
/// calendar makes no difference: before 1582 nanoseconds do not fit.
final class StoredTimes extends StoredColumn {
  private static final Set<String> UTC = Set.of("UTC", "GMT", "Etc/UTC", "Etc/GMT");
  private static final long START_SECONDS = 1_420_070_400; // 2015-01-01, as all are counted
  private static final long NANOS = 1_000_000_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long[] POWERS = {
    1, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
  };

  private final StoredStream data;
  private final StoredStream secondary;
  private final IntegerRuns seconds;
  private final IntegerRuns fractions;
  private final ScratchBuffer values;

  StoredTimes(OrcColumn column, Workspace work) {
    super(column, work);
    this.data = work.stream();
    this.secondary = work.stream();
    this.seconds = new IntegerRuns(data, true);
    this.fractions = new IntegerRuns(secondary, false);
    this.values = new ScratchBuffer(work.memory);
  }

  @Override
  boolean isKnown(OrcProto.ColumnEncoding encoding, StripeStreams stripe) {
    boolean known =
        encoding.getKind() == OrcProto.ColumnEncoding.Kind.DIRECT
            || encoding.getKind() == OrcProto.ColumnEncoding.Kind.DIRECT_V2;
    return known
        && (column.orc().getCategory() == TypeDescription.Category.TIMESTAMP_INSTANT
            || UTC.contains(stripe.writerTimezone()));
  }

  @Override
  void begin() {
    boolean second = IntegerRuns.isSecond(encoding());
    seconds.open(place(OrcProto.Stream.Kind.DATA), second);
    fractions.open(place(OrcProto.Stream.Kind.SECONDARY), second);
  }

  @Override
  void seek(Positions positions) throws IOException {
    seconds.seek(positions);
    fractions.seek(positions);
  }

  @Override
  void skip(long count) throws IOException {
    seconds.skip(count);
    fractions.skip(count);
  }

  @Override
  ColumnSlice read(int count, int present, @Nullable MemorySegment bits) throws IOException {
    seconds.read(work.dense, present);
    fractions.read(work.more, present);
    for (int i = 0; i < present; i++) {
      work.dense[i] = stored(work.dense[i] + START_SECONDS, fraction(work.more[i]));
    }
    MemorySegment to = values.ensure(8L * count);
    long[] each = bits == null ? work.dense : spread(work.dense, count);
    MemorySegment.copy(each, 0, to, LONG, 0, count);
    return ColumnSlice.fixed(type(), count, count - present, bits, to);
  }

  /// Returns nanoseconds: the lowest three bits say how many zeros less one were left off, if any.
  /// Arrow C++ writes negative ones before 1970.
  private static long fraction(long stored) throws IOException {
    long digits = stored >> 3;
    long nanos = digits * POWERS[(int) stored & 7];
    if (Math.max(digits, nanos) >= NANOS || Math.min(digits, nanos) <= -NANOS) {
      throw new IOException("a time has the nanoseconds " + nanos);
    }
    return nanos;
  }

  /// Writers count the seconds of times before 1970 towards it, but for those with less than a
  /// millisecond, and those whose nanoseconds are counted towards it too.
  private static long stored(long counted, long fraction) throws IOException {
    return nanos(counted - (counted < 0 && fraction >= NANOS_PER_MILLI ? 1 : 0), fraction);
  }

  /// Returns nanoseconds since 1970.
  ///
  /// @param fraction those to add to the seconds, of any sign, less than a second
  static long nanos(long seconds, long fraction) throws UnsupportedTimeException {
    int nearer = Long.signum(seconds); // The whole seconds of the first time there is do not fit.
    try {
      return Math.addExact(Math.multiplyExact(seconds - nearer, NANOS), fraction + nearer * NANOS);
    } catch (ArithmeticException _) {
      throw new UnsupportedTimeException(seconds);
    }
  }

  /// A time that 64 bits of nanoseconds do not hold.
  static final class UnsupportedTimeException extends IOException {
    private static final long serialVersionUID = 1L;

    UnsupportedTimeException(long seconds) {
      super(
          "Unsupported timestamp in ORC file: "
              + seconds
              + " s from 1970 are more nanoseconds than 64 bits hold, which reach from 1677 to"
              + " 2262. Leave the column out.");
    }
  }

  @Override
  void release() {
    super.release();
    data.release();
    secondary.release();
    values.release();
  }
}
