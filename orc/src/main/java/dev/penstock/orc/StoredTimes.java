package dev.penstock.orc;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.jspecify.annotations.Nullable;

/// Times: seconds from the start of 2015 and nanoseconds, both in runs.
///
/// Times written in a time zone other than UTC are left to orc-core, and so are microseconds in the
/// Julian calendar. For nanoseconds, which do not reach back to 1582, the calendar makes no
/// difference.
final class StoredTimes extends StoredColumn {
  private static final Set<String> UTC = Set.of("UTC", "GMT", "Etc/UTC", "Etc/GMT");
  private static final long START_SECONDS = 1_420_070_400; // 2015-01-01, from which all are counted
  private static final long NANOS = 1_000_000_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long[] POWERS = {
    1, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
  };

  /// The unit of values.
  enum Unit {
    NANOS(1),
    MICROS(1000);

    private final int nanos;
    private final long perSecond;

    Unit(int nanos) {
      this.nanos = nanos;
      this.perSecond = StoredTimes.NANOS / nanos;
    }

    /// Returns the length of the unit in nanoseconds.
    int nanos() {
      return nanos;
    }

    /// Returns the value of a time.
    ///
    /// @param seconds from 1970 on
    /// @param fraction the nanoseconds to add, of any sign, less than a second
    /// @throws UnsupportedTimeException if it does not fit, or has a fraction of a unit
    long of(long seconds, long fraction) throws UnsupportedTimeException {
      long units = this == NANOS ? fraction : fraction / 1000; // a constant: no division
      if (units * nanos != fraction) {
        throw UnsupportedTimeException.finer(seconds, fraction);
      }
      int nearer = Long.signum(seconds); // The whole seconds of the earliest time do not fit.
      try {
        return Math.addExact(
            Math.multiplyExact(seconds - nearer, perSecond), units + nearer * perSecond);
      } catch (ArithmeticException _) {
        throw UnsupportedTimeException.far(seconds);
      }
    }
  }

  private final IntegerRuns seconds;
  private final IntegerRuns fractions;
  private final ScratchBuffer values;
  private final Unit unit;
  private final boolean isCalendarPlain;

  StoredTimes(OrcColumn column, Workspace work, boolean isProleptic) {
    super(column, work);
    this.unit = column.times();
    this.isCalendarPlain = unit == Unit.NANOS || isProleptic;
    this.seconds = new IntegerRuns(work.stream(), true);
    this.fractions = new IntegerRuns(work.stream(), false);
    this.values = new ScratchBuffer(work.memory);
  }

  @Override
  boolean isKnown(OrcProto.ColumnEncoding encoding, StripeStreams stripe) {
    boolean known =
        super.isKnown(encoding, stripe)
            || encoding.getKind() == OrcProto.ColumnEncoding.Kind.DIRECT_V2;
    return known
        && isCalendarPlain
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
      work.dense[i] = stored(work.dense[i] + START_SECONDS, fraction(work.more[i]), unit);
    }
    MemorySegment to = values.ensure(8L * count);
    long[] each = bits == null ? work.dense : spread(work.dense, count);
    MemorySegment.copy(each, 0, to, LONG, 0, count);
    return ColumnSlice.fixed(type(), count, count - present, bits, to);
  }

  /// Returns nanoseconds. The lowest three bits encode the number of trailing zeros removed, minus
  /// one. Arrow C++ writes negative nanoseconds before 1970.
  private static long fraction(long stored) throws IOException {
    long digits = stored >> 3;
    long nanos = digits * POWERS[(int) stored & 7];
    if (Math.max(digits, nanos) >= NANOS || Math.min(digits, nanos) <= -NANOS) {
      throw new IOException("a time has the nanoseconds " + nanos);
    }
    return nanos;
  }

  /// Writers round seconds before 1970 towards 1970, except for times with less than a millisecond,
  /// and for writers with negative nanoseconds.
  private static long stored(long counted, long fraction, Unit unit) throws IOException {
    return unit.of(counted - (counted < 0 && fraction >= NANOS_PER_MILLI ? 1 : 0), fraction);
  }

  /// A time that the unit of its column cannot hold.
  static final class UnsupportedTimeException extends IOException {
    private static final long serialVersionUID = 1L;

    private UnsupportedTimeException(String message) {
      super(message);
    }

    private static UnsupportedTimeException far(long seconds) {
      return new UnsupportedTimeException(
          ("Unsupported timestamp in ORC file: %s s from 1970 are more than 64 bits hold"
                  + " in the unit of the column; nanoseconds reach from 1677 to 2262, and the file"
                  + " does not state that it has others. Leave the column out.")
              .formatted(seconds));
    }

    private static UnsupportedTimeException finer(long seconds, long fraction) {
      return new UnsupportedTimeException(
          ("Unsupported timestamp in ORC file: %s s and %s ns from 1970 have parts of a"
                  + " microsecond, but the column has times beyond the reach of nanoseconds, so its"
                  + " unit is microseconds. Leave the column out.")
              .formatted(seconds, fraction));
    }
  }
}
