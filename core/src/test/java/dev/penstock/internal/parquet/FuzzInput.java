package dev.penstock.internal.parquet;

import java.util.Arrays;

/// What a fuzzer made up: small numbers first, 0 where they have ended, then the bytes to read.
public final class FuzzInput {
  private final byte[] data;
  private int position;

  public FuzzInput(byte[] data) {
    this.data = data;
  }

  /// Returns the next number, of one byte.
  public int next() {
    return position < data.length ? data[position++] & 0xff : 0;
  }

  /// Returns the next number, of two bytes.
  public int next2() {
    return next() | next() << 8;
  }

  /// Returns one of some values, as the next number says.
  <T> T pick(T[] values) {
    return values[next() % values.length];
  }

  /// Returns how many bytes have not been taken.
  public int left() {
    return data.length - position;
  }

  /// Returns a copy of the bytes that have not been taken.
  public byte[] rest() {
    return Arrays.copyOfRange(data, position, data.length);
  }
}
