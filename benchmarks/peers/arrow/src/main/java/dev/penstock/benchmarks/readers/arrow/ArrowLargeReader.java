package dev.penstock.benchmarks.readers.arrow;

/// As [ArrowReader], with batches of 65,536 rows, delivered in parts of 8,192.
public final class ArrowLargeReader extends ArrowReader {
  private static final long LARGE_BATCH_ROWS = 65_536;

  /// Makes the reader.
  public ArrowLargeReader() {
    super(LARGE_BATCH_ROWS);
  }

  @Override
  public String name() {
    return "Arrow C++, batches of 65,536";
  }
}
