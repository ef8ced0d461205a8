package dev.penstock.orc;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import org.apache.orc.OrcFile.WriterVersion;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.jspecify.annotations.Nullable;

/// The reliable part of a column's statistics in a file.
///
/// Writers are known to get some wrong: strings before HIVE-8732, decimals before ORC-517,
/// timestamps before ORC-135 (no fields in UTC). Bounds of `char` include the padding, values are
/// read without it. Files do not state whether there are NaN; if the first value is NaN, so are the
/// bounds. Counts of Arrow C++ are wrong below a struct that is null in another struct.
final class StatedStatistics {
  /// The day before which the hybrid calendar differs from the calendar of returned dates.
  private static final long GREGORIAN_DAY = -141_427;

  /// The first and last millisecond that lie in the range of nanosecond timestamps.
  private static final long FIRST_MILLI = Math.floorDiv(Long.MIN_VALUE, 1_000_000);

  private static final long LAST_MILLI = Long.MAX_VALUE / 1_000_000;

  private static final long DAY_MILLIS = 86_400_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /// A bound, and whether a row has exactly this value.
  private record Bounds(@Nullable Bound lower, @Nullable Bound upper) {
    static final Bounds NONE = new Bounds(null, null);

    static Bounds of(Comparable<?> lower, Comparable<?> upper) {
      return new Bounds(new Bound(lower, true), new Bound(upper, true));
    }
  }

  private StatedStatistics() {}

  /// Returns what is known about a column in some rows.
  ///
  /// @param path the structs around the column, and the column last
  static ColumnStatistics of(
      List<OrcColumn> path,
      IntFunction<OrcProto.ColumnStatistics> byId,
      long rows,
      OrcMetadata file) {
    long values = rows;
    for (OrcColumn part : path) {
      values = values(byId.apply(part.id()), rows, values);
    }
    OptionalLong nulls = values < 0 ? OptionalLong.empty() : OptionalLong.of(rows - values);
    if (values <= 0) {
      return new ColumnStatistics(OptionalLong.of(rows), nulls, OptionalLong.empty(), null, null);
    }
    Bounds bounds = bounds(path.getLast(), byId.apply(path.getLast().id()), file);
    boolean contradict =
        bounds.lower != null
            && bounds.upper != null
            && bounds.lower.compareTo(bounds.upper.value()) > 0;
    return new ColumnStatistics(
        OptionalLong.of(rows),
        nulls,
        OptionalLong.empty(),
        contradict ? null : bounds.lower,
        contradict ? null : bounds.upper);
  }

  /// Returns how many values a column has.
  ///
  /// @param most how many the struct around it has; negative if unknown
  /// @return negative if not stated, or if that contradicts itself or the struct
  private static long values(OrcProto.ColumnStatistics stated, long rows, long most) {
    long values = stated.hasNumberOfValues() ? stated.getNumberOfValues() : -1;
    // Rows without the struct are nulls of the part for C++, but not for Java.
    boolean fits = !stated.hasHasNull() || (stated.getHasNull() ? values < rows : values == most);
    return values <= most && fits ? values : -1;
  }

  private static Bounds bounds(
      OrcColumn column, OrcProto.ColumnStatistics stated, OrcMetadata file) {
    WriterVersion writer = file.tail().getWriterVersion();
    return switch (column.type()) {
      case DataType.Bool _ -> booleans(stated);
      case DataType.Int _ when stated.hasIntStatistics() -> {
        OrcProto.IntegerStatistics numbers = stated.getIntStatistics();
        yield numbers.hasMinimum() && numbers.hasMaximum()
            ? Bounds.of(numbers.getMinimum(), numbers.getMaximum())
            : Bounds.NONE;
      }
      case DataType.Floating(int bits) when stated.hasDoubleStatistics() ->
          floats(stated.getDoubleStatistics(), bits);
      case DataType.Utf8 _
          when stated.hasStringStatistics()
              && writer.includes(WriterVersion.HIVE_8732)
              && column.orc().getCategory() != TypeDescription.Category.CHAR ->
          strings(stated.getStringStatistics());
      case DataType.Decimal _
          when stated.hasDecimalStatistics() && writer.includes(WriterVersion.ORC_517) ->
          decimals(stated.getDecimalStatistics());
      case DataType.Date _ when stated.hasDateStatistics() ->
          dates(stated.getDateStatistics(), file.isProleptic());
      case DataType.Timestamp _ when stated.hasTimestampStatistics() ->
          timestamps(stated.getTimestampStatistics(), column.times(), file.isProleptic());
      default -> Bounds.NONE;
    };
  }

  private static Bounds booleans(OrcProto.ColumnStatistics stated) {
    OrcProto.BucketStatistics buckets = stated.getBucketStatistics();
    if (buckets.getCountCount() != 1) {
      return Bounds.NONE;
    }
    long trues = buckets.getCount(0);
    return trues < 0 || trues > stated.getNumberOfValues()
        ? Bounds.NONE
        : Bounds.of(trues == stated.getNumberOfValues(), trues > 0);
  }

  private static Bounds floats(OrcProto.DoubleStatistics numbers, int bits) {
    double lower = numbers.hasMinimum() ? numbers.getMinimum() : Double.NaN;
    double upper = numbers.hasMaximum() ? numbers.getMaximum() : Double.NaN;
    if (Double.isNaN(lower) || Double.isNaN(upper)) {
      return Bounds.NONE;
    }
    boolean exact = bits == 64 || ((float) lower == lower && (float) upper == upper);
    return exact ? new Bounds(bound(lower, -0.0, bits), bound(upper, 0.0, bits)) : Bounds.NONE;
  }

  private static Bound bound(double value, double zero, int bits) {
    double one = value == 0 ? zero : value;
    boolean exact = value != 0;
    return bits == 64 ? new Bound(one, exact) : new Bound((float) one, exact);
  }

  private static Bounds strings(OrcProto.StringStatistics texts) {
    Bound lower =
        texts.hasMinimum()
            ? new Bound(ByteString.of(texts.getMinimumBytes().toByteArray()), true)
            : texts.hasLowerBound()
                ? new Bound(ByteString.of(texts.getLowerBoundBytes().toByteArray()), false)
                : null;
    Bound upper =
        texts.hasMaximum()
            ? new Bound(ByteString.of(texts.getMaximumBytes().toByteArray()), true)
            : texts.hasUpperBound()
                ? new Bound(ByteString.of(texts.getUpperBoundBytes().toByteArray()), false)
                : null;
    return new Bounds(lower, upper);
  }

  private static Bounds decimals(OrcProto.DecimalStatistics numbers) {
    try {
      return numbers.hasMinimum() && numbers.hasMaximum()
          ? Bounds.of(new BigDecimal(numbers.getMinimum()), new BigDecimal(numbers.getMaximum()))
          : Bounds.NONE;
    } catch (NumberFormatException e) {
      return Bounds.NONE;
    }
  }

  /* Values before 1582 are converted from the Julian calendar, but bounds are not. Their order stays
   * the same, so a later upper bound holds for them as well. */

  private static Bounds dates(OrcProto.DateStatistics days, boolean proleptic) {
    if (!days.hasMinimum() || !days.hasMaximum()) {
      return Bounds.NONE;
    }
    long first = proleptic ? Long.MIN_VALUE : GREGORIAN_DAY;
    long lower = days.getMinimum();
    long upper = days.getMaximum();
    return new Bounds(
        lower < first ? null : new Bound(lower, true),
        upper < first ? null : new Bound(upper, true));
  }

  /// Bounds count milliseconds; newer writers put the remaining nanoseconds into a separate field.
  /// Before 1970 some writers round milliseconds towards 1970, so the rest may be negative.
  private static Bounds timestamps(
      OrcProto.TimestampStatistics times, StoredTimes.Unit unit, boolean proleptic) {
    if (!times.hasMinimumUtc() || !times.hasMaximumUtc()) {
      return Bounds.NONE;
    }
    // With a day more: a bound may be rounded up, and times may lie in another time zone.
    long first = proleptic ? Long.MIN_VALUE : (GREGORIAN_DAY + 1) * DAY_MILLIS;
    int most = (int) NANOS_PER_MILLI - 1;
    int least = times.getMinimumUtc() > 0 ? 0 : -most;
    int low = times.hasMinimumNanos() ? times.getMinimumNanos() - 1 : least;
    int high = times.hasMaximumNanos() ? times.getMaximumNanos() - 1 : most;
    Bound lower = bound(times.getMinimumUtc(), Math.clamp(low, -most, most), unit, false);
    Bound upper = bound(times.getMaximumUtc(), Math.clamp(high, -most, most), unit, true);
    return new Bounds(
        times.getMinimumUtc() < first ? null : lower, times.getMaximumUtc() < first ? null : upper);
  }

  private static @Nullable Bound bound(
      long millis, int rest, StoredTimes.Unit unit, boolean isUpper) {
    long perMilli = NANOS_PER_MILLI / unit.nanos();
    long most = Long.MAX_VALUE / perMilli - 1;
    if (millis < -most || millis > most) {
      return null;
    }
    long units = isUpper ? Math.ceilDiv(rest, unit.nanos()) : Math.floorDiv(rest, unit.nanos());
    return new Bound(millis * perMilli + units, false);
  }

  /// Returns the unit of a column of timestamps: microseconds if the file states times outside the
  /// nanosecond range.
  static TimeUnit unitOfTimes(OrcProto.Footer footer, int id) {
    if (id >= footer.getStatisticsCount() || !footer.getStatistics(id).hasTimestampStatistics()) {
      return TimeUnit.NANOS;
    }
    OrcProto.TimestampStatistics times = footer.getStatistics(id).getTimestampStatistics();
    // Bounds of old writers are in their time zone.
    boolean isUtc = times.hasMinimumUtc() && times.hasMaximumUtc();
    long slack = isUtc ? 0 : DAY_MILLIS;
    long least = isUtc ? times.getMinimumUtc() : times.getMinimum();
    long most = isUtc ? times.getMaximumUtc() : times.getMaximum();
    boolean isFar = least < FIRST_MILLI - slack || most > LAST_MILLI + slack;
    return isFar ? TimeUnit.MICROS : TimeUnit.NANOS;
  }
}
