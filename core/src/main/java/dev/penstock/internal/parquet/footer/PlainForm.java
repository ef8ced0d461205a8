package dev.penstock.internal.parquet.footer;

/// How a column's plain values lie in a page, and what they become in memory.
public sealed interface PlainForm {
  /// Values that are the same in the file and in memory.
  ///
  /// @param width the bytes of a value in memory
  record Copy(int width) implements PlainForm {}

  /// 32-bit integers that become 8 or 16 bits.
  ///
  /// @param width the bytes of a value in memory
  /// @param signed whether they may be negative
  record Narrow(int width, boolean signed) implements PlainForm {}

  /// Little-endian integers of 4 or 8 bytes that become decimals of 8, 16 or 32.
  ///
  /// @param sourceWidth the bytes of a value in the file
  /// @param width the bytes of a value in memory
  record Widen(int sourceWidth, int width) implements PlainForm {}

  /// Big-endian integers of one length that become decimals of 8, 16 or 32 bytes.
  ///
  /// @param sourceWidth the bytes of a value in the file
  /// @param width the bytes of a value in memory
  record BigEndian(int sourceWidth, int width) implements PlainForm {}

  /// Big-endian integers, each after its length, that become decimals of 8, 16 or 32 bytes.
  ///
  /// @param width the bytes of a value in memory
  record SizedBigEndian(int width) implements PlainForm {}

  /// Impala's 12-byte timestamps, which become a count of units since 1970.
  ///
  /// @param unitNanos the nanoseconds of a unit
  record Int96(int unitNanos) implements PlainForm {}

  /// Booleans, one bit each.
  record Bits() implements PlainForm {}

  /// Byte arrays, each after its length.
  record Sized() implements PlainForm {}
}
