package dev.penstock.benchmarks.readers;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Where the values of some rows lie: for each column one contiguous piece of off-heap memory.
///
/// A null is either a NaN in its place, or a zero bit of the column's validity. Text is in whatever
/// form its reader makes: there is no common one that would be fair to all.
public final class Buffers {
  private final MemorySegment[] values;
  private final @Nullable MemorySegment[] validity;
  private final @Nullable IntFunction<@Nullable String>[] texts;
  private int rows;

  /// Makes buffers that hold nothing yet.
  ///
  /// @param columns the number of columns
  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of a generic type
  public Buffers(int columns) {
    values = new MemorySegment[columns];
    validity = new MemorySegment[columns];
    texts = new IntFunction[columns];
    java.util.Arrays.fill(values, MemorySegment.NULL);
  }

  /// Starts on the next rows.
  ///
  /// @param count how many, in `[1, 8192]`
  /// @return this
  public Buffers rows(int count) {
    rows = Objects.checkIndex(count - 1, Reader.BATCH_ROWS) + 1;
    return this;
  }

  /// Sets a column of numbers.
  ///
  /// @param column its place in the table
  /// @param memory the values, from the first row on, without gaps; missing ones are NaN
  public void set(int column, MemorySegment memory) {
    values[column] = memory;
    validity[column] = null;
  }

  /// Sets a column of numbers that lies at an address.
  ///
  /// @param column its place in the table
  /// @param address of the first row's value
  /// @param bytes of all rows' values
  /// @param bits the address of the validity, one bit per row, least significant first, 1 =
  ///   present; 0 if none is missing
  public void set(int column, long address, long bytes, long bits) {
    values[column] = at(address, bytes);
    validity[column] = bits == 0 ? null : at(bits, (rows + 7) / 8);
  }

  private static MemorySegment at(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  /// Sets a column of texts.
  ///
  /// @param column its place in the table
  /// @param memory what was made of the texts in memory, [MemorySegment#NULL] if they are objects
  /// @param text gives the text of a row
  public void setTexts(int column, MemorySegment memory, IntFunction<@Nullable String> text) {
    values[column] = memory;
    texts[column] = text;
  }

  int rows() {
    return rows;
  }

  MemorySegment values(int column) {
    return values[column];
  }

  boolean isPresent(int column, int row) {
    MemorySegment bits = validity[column];
    return bits == null
        || (bits.get(java.lang.foreign.ValueLayout.JAVA_BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
  }

  @Nullable String text(int column, int row) {
    return Objects.requireNonNull(texts[column], "no texts").apply(row);
  }
}
