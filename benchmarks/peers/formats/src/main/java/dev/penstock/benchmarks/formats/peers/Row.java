package dev.penstock.benchmarks.formats.peers;

import dev.penstock.benchmarks.formats.Columns;
import org.jspecify.annotations.Nullable;

/// A row, for libraries that map JSON to objects.
record Row(
    @Nullable Double d0,
    @Nullable Double d1,
    @Nullable Double d2,
    @Nullable Double d3,
    @Nullable Double d4,
    @Nullable Double d5,
    long i0,
    long i1,
    long i2,
    long l0,
    long l1,
    String s0,
    String s1) {
  void addTo(Columns columns) {
    columns.addRow();
    columns.set(0, orNaN(d0));
    columns.set(1, orNaN(d1));
    columns.set(2, orNaN(d2));
    columns.set(3, orNaN(d3));
    columns.set(4, orNaN(d4));
    columns.set(5, orNaN(d5));
    columns.set(6, i0);
    columns.set(7, i1);
    columns.set(8, i2);
    columns.set(9, l0);
    columns.set(10, l1);
    columns.set(11, (Object) s0);
    columns.set(12, (Object) s1);
  }

  private static double orNaN(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }
}
