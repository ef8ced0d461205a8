package dev.penstock.spi.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;

/// How values of a file's column without parts become values that can be widened to the table's
/// type. Values that the loader widens itself, such as integers to wider ones, stay unchanged.
///
/// @param type the resulting type
/// @param change what happens to them
/// @param ratio the divisor or factor
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
    /// Bytes of any length become bytes of one length.
    FIXED
  }

  /// Returns the form.
  ///
  /// @param stored the type in the file
  /// @param table the type in the table
  /// @return the form; its type is that of the file if the loader converts the values, or nobody
  ///   can
  static LeafForm of(DataType stored, DataType table) {
    if (stored.equals(table) || stored instanceof DataType.Unsupported) {
      return new LeafForm(stored, Change.NONE, 1);
    }
    return switch (table) {
      case DataType.Unsupported _ -> retyped(table);
      case DataType.Utf8 _, DataType.Binary _ when stored.isVariableWidth() -> retyped(table);
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
      default -> new LeafForm(stored, Change.NONE, 1);
    };
  }

  private static LeafForm retyped(DataType type) {
    return new LeafForm(type, Change.RETYPED, 1);
  }
}
