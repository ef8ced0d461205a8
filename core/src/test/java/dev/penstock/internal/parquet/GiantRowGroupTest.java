package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.testing.TestMemory;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import org.apache.parquet.format.CompressionCodec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A row group is streamed: the memory that decoding takes does not grow with it.
class GiantRowGroupTest {
  private static final int COLUMNS = 16;
  private static final int SLICE_ROWS = 8192;
  private static final long SLICE_BYTES = SLICE_ROWS * 8L;

  /// 16 columns of 1,100 pages of 128 KiB: 2.1 GiB of values.
  private static final int GIANT_PAGES = 1100;

  @Tag("outer")
  @ParameterizedTest
  @EnumSource(names = {"UNCOMPRESSED", "SNAPPY"})
  void twoGibibytesTakeNoMoreMemoryThanASixteenthOfThem(CompressionCodec codec) throws IOException {
    long giant = peakBytes(new RepeatingFile(COLUMNS, GIANT_PAGES, codec));
    long small = peakBytes(new RepeatingFile(COLUMNS, GIANT_PAGES / 16, codec));

    assertThat(giant).isEqualTo(small);
    // What is read ahead, a page, and a slice.
    assertThat(giant).isLessThan(COLUMNS * 20 * SLICE_BYTES);
  }

  private static long peakBytes(RepeatingFile file) throws IOException {
    TestMemory memory = new TestMemory(Long.MAX_VALUE);
    ParquetFormat format = new ParquetFormat();
    FileMetadata metadata = format.readMetadata(file);
    assertThat(metadata.rowGroups()).hasSize(1);
    long rows = 0;
    long wrong = 0;
    try (SliceReader reader =
        format.openReader(file, metadata, metadata.schema(), 0, metadata.rowCount(), memory)) {
      for (int count = reader.next(SLICE_ROWS); count > 0; count = reader.next(SLICE_ROWS)) {
        for (int column = 0; column < COLUMNS; column++) {
          double last =
              reader
                  .column(column)
                  .values()
                  .getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, count - 1);
          wrong += last == RepeatingFile.value(column, rows + count - 1) ? 0 : 1;
        }
        rows += count;
      }
    }
    assertThat(wrong).isZero();
    assertThat(rows).isEqualTo(file.rows());
    return memory.peakBytes();
  }
}
