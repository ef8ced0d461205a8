package dev.penstock.spi.format;

import java.io.IOException;

/// Recognizes most values that a column does not have in a row group.
///
/// **Ownership.** It may read from the file it was made for; the file must stay open while it is
/// used.
///
/// **Threads.** May be called by any number of threads at once.
public interface BloomFilter {
  /// {@return whether a value may be in the column; false only if no row of the row group has a
  /// value that equals it, 0.0 and -0.0 being equal; always true for NaN}
  ///
  /// @param value the value, of the class that [Bound] names for the column's type
  /// @throws IllegalArgumentException if the value is of another class
  /// @throws IOException if the file cannot be read
  boolean mightContain(Comparable<?> value) throws IOException;
}
