package dev.penstock.spi.fields;

import dev.penstock.internal.variant.VariantColumn;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// How values of a file's column without parts become values that can be widened to the table's
/// type. Values that the loader widens itself, such as integers to wider ones, stay unchanged.
///
/// @param type the resulting type
/// @param change what happens to them
/// @param ratio the divisor or factor; of decimals the scale, of bytes their length
record LeafForm(DataType type, Change change, long ratio) {
  /// What happens to values.
  enum Change {
    /// Nothing.
    NONE,
    /// The same bytes with another meaning.
    RETYPED,
    /// Divided, rounding fractions of a unit towards the past.
    DIVIDED,
    /// 32-bit numbers become 64-bit numbers, multiplied.
    MULTIPLIED,
    /// A struct becomes variants.
    JOINED,
    /// Integers become 64-bit floating-point numbers.
    FLOATED,
    /// Integers become decimals.
    SCALED,
    /// Bytes of any length become bytes of one length.
    FIXED
  }

  /// {@return the form; its type is that of the file if the loader converts the values, or nobody
  /// can}
  static LeafForm of(DataType stored, DataType table) {
    if (stored.equals(table) || stored instanceof DataType.Unsupported) {
      return new LeafForm(stored, Change.NONE, 1);
    }
    return switch (table) {
      case DataType.Unsupported _ -> retyped(table);
      case DataType.Utf8 _, DataType.Binary _ when stored.isBytes() -> retyped(table);
      case DataType.Variant _ when VariantColumn.isStored(stored) ->
          new LeafForm(table, Change.JOINED, 1);
      // Iceberg's ORC writers use no other type for these.
      case DataType.FixedBinary _, DataType.Uuid _ when stored instanceof DataType.Binary ->
          new LeafForm(table, Change.FIXED, table.byteWidth());
      case DataType.Uuid _ when stored.equals(new DataType.FixedBinary(16)) -> retyped(table);
      case DataType.FixedBinary(int width) when width == 16 && stored instanceof DataType.Uuid ->
          retyped(table);
      case DataType.Time(TimeUnit unit, boolean _)
          when unit == TimeUnit.MICROS && stored.equals(new DataType.Int(64, true)) ->
          retyped(table);
      case DataType.Time(TimeUnit unit, boolean utc)
          when stored instanceof DataType.Time(TimeUnit from, boolean _) ->
          from.perSecond() > unit.perSecond()
              ? new LeafForm(table, Change.DIVIDED, from.perSecond() / unit.perSecond())
              : retyped(new DataType.Time(from, utc));
      case DataType.Timestamp(TimeUnit unit, boolean utc)
          when stored instanceof DataType.Timestamp(TimeUnit from, boolean _) ->
          from.perSecond() > unit.perSecond()
              ? new LeafForm(table, Change.DIVIDED, from.perSecond() / unit.perSecond())
              : retyped(new DataType.Timestamp(from, utc));
      case DataType.Timestamp(TimeUnit unit, boolean _) when stored instanceof DataType.Date ->
          new LeafForm(table, Change.MULTIPLIED, 86_400 * unit.perSecond());
      case DataType.Floating(int width)
          when width == 64 && stored instanceof DataType.Int(int bits, boolean _) && bits <= 32 ->
          new LeafForm(table, Change.FLOATED, 1);
      case DataType.Decimal(int precision, int scale)
          when stored instanceof DataType.Int(int bits, boolean signed)
              && signed
              && precision - scale >= digits(bits) ->
          new LeafForm(table, Change.SCALED, scale);
      default -> new LeafForm(stored, Change.NONE, 1);
    };
  }

  /// Returns how many decimal digits signed integers have at most.
  private static int digits(int bits) {
    return String.valueOf(1L << (bits - 1)).replace("-", "").length();
  }

  /// {@return a bound of the values after their conversion; null if that does not keep their order}
  @Nullable Bound bound(Bound bound) {
    if (change == Change.NONE || change == Change.RETYPED) {
      return bound;
    }
    if (!(bound.value() instanceof Long count)) {
      return null;
    }
    return switch (change) {
      case DIVIDED -> new Bound(Math.floorDiv(count, ratio), bound.exact());
      case MULTIPLIED -> new Bound(count * ratio, bound.exact());
      case FLOATED -> new Bound(count.doubleValue(), bound.exact());
      case SCALED -> new Bound(BigDecimal.valueOf(count), bound.exact());
      default -> null;
    };
  }

  /// {@return the statistics of the values after their conversion}
  ColumnStatistics statistics(ColumnStatistics stored) {
    Bound lower = stored.lower();
    Bound upper = stored.upper();
    return new ColumnStatistics(
        stored.valueCount(),
        stored.nullCount(),
        stored.nanCount(),
        lower == null ? null : bound(lower),
        upper == null ? null : bound(upper));
  }

  private static LeafForm retyped(DataType type) {
    return new LeafForm(type, Change.RETYPED, 1);
  }
}
