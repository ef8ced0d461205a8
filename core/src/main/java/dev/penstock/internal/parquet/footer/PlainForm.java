package dev.penstock.internal.parquet.footer;

/// How a column's plain values lie in a page, and what they become in memory. A width is the bytes
/// of a value in memory, a source width those in the file.
public sealed interface PlainForm {
  /// Values that are the same in the file and in memory.
  record Copy(int width) implements PlainForm {}

  /// 32-bit integers that become 8 or 16 bits.
  record Narrow(int width, boolean signed) implements PlainForm {}

  /// Little-endian integers of 4 or 8 bytes that become decimals of 8, 16 or 32.
  record Widen(int sourceWidth, int width) implements PlainForm {}

  /// Big-endian integers of one length that become decimals of 8, 16 or 32 bytes.
  record BigEndian(int sourceWidth, int width) implements PlainForm {}

  /// Big-endian integers, each after its length, that become decimals of 8, 16 or 32 bytes.
  record SizedBigEndian(int width) implements PlainForm {}

  /// Impala's 12-byte timestamps, which become a count of units since 1970.
  record Int96(int unitNanos) implements PlainForm {}

  /// Booleans, one bit each.
  record Bits() implements PlainForm {}

  /// Byte arrays, each after its length.
  record Sized() implements PlainForm {}
}
