package dev.penstock.examples;

import dev.penstock.batch.Batch;
import java.util.Arrays;

/// How many rows came, and a sum over what is in them: another one if a row is lost, or comes twice
/// in the place of another.
///
/// @param count how many
/// @param digest the sum of a hash of each row, in any order
public record Rows(long count, long digest) {
  /// No rows.
  public static final Rows NONE = new Rows(0, 0);

  /// Counts the rows of a batch that has its columns as lists.
  static Rows of(Batch batch) {
    long[] hashes = new long[batch.rowCount()];
    for (String name : batch.names()) {
      int row = 0;
      for (Object value : batch.list(name)) {
        hashes[row] = mixed(hashes[row] * 31 + hash(value));
        row++;
      }
    }
    long digest = 0;
    for (long hash : hashes) {
      digest += hash;
    }
    return new Rows(hashes.length, digest);
  }

  private static long hash(Object value) {
    return switch (value) {
      case null -> 7;
      case Long number -> number;
      case Double number -> Double.doubleToRawLongBits(number);
      case byte[] bytes -> Arrays.hashCode(bytes);
      default -> value.hashCode();
    };
  }

  /// Mixes the bits of a number, by the finalizer of SplitMix64.
  ///
  /// @param value any number
  /// @return another one for each
  public static long mixed(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return mixed ^ (mixed >>> 31);
  }

  /// Adds other rows.
  ///
  /// @param other the rows
  /// @return both together
  public Rows and(Rows other) {
    return new Rows(count + other.count, digest + other.digest);
  }

  @Override
  public String toString() {
    return count + " rows #" + Long.toHexString(digest);
  }
}
