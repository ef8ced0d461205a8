package dev.penstock.batch;

/// The unit in which a [Batch] counts dates and timestamps since 1970-01-01.
///
/// With a unit, both become `INT64`. Conversion to a finer unit is exact, and a value that does not
/// fit is an error. Conversion to a coarser unit rounds toward negative infinity: one millisecond
/// before 1970 is second -1 and day -1.
public enum EpochUnit {
  /// The column's own unit: days as `INT32` for dates, the column's own unit as `INT64` for
  /// timestamps. The default.
  STORED(0),
  /// Days of 86,400 seconds.
  DAYS(86_400_000_000_000L),
  /// Seconds.
  SECONDS(1_000_000_000L),
  /// Milliseconds.
  MILLIS(1_000_000L),
  /// Microseconds.
  MICROS(1_000L),
  /// Nanoseconds, which cover the years 1677 to 2262.
  NANOS(1L);

  private final long nanos;

  EpochUnit(long nanos) {
    this.nanos = nanos;
  }

  /// {@return the length of the unit in nanoseconds; 0 for [#STORED]}
  public long nanos() {
    return nanos;
  }
}
