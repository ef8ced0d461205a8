package dev.penstock.schema;

/// The types that are named most often, for casts and declared partitions.
public final class Types {
  /// True or false.
  public static final DataType BOOL = new DataType.Bool();

  /// A signed integer of 8 bits.
  public static final DataType INT8 = new DataType.Int(8, true);

  /// A signed integer of 16 bits.
  public static final DataType INT16 = new DataType.Int(16, true);

  /// A signed integer of 32 bits.
  public static final DataType INT32 = new DataType.Int(32, true);

  /// A signed integer of 64 bits.
  public static final DataType INT64 = new DataType.Int(64, true);

  /// A floating-point number of 16 bits.
  public static final DataType FLOAT16 = new DataType.Floating(16);

  /// A floating-point number of 32 bits.
  public static final DataType FLOAT32 = new DataType.Floating(32);

  /// A floating-point number of 64 bits.
  public static final DataType FLOAT64 = new DataType.Floating(64);

  /// Text in UTF-8.
  public static final DataType STRING = new DataType.Utf8();

  /// A calendar date.
  public static final DataType DATE = new DataType.Date();

  private Types() {}
}
