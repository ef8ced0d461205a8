package dev.penstock.internal.parquet.footer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.parquet.ParquetFormat;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecodingWorkTest {
  private static final long VALUES = 1000;

  @TempDir private Path folder;

  private static double work(long values, long bytes, Codec codec) {
    return new Chunk(4, bytes, bytes, values, codec, 0, null).work(false);
  }

  @Test
  void thoroughCodecsTakeLongerForAsManyBytes() {
    double zstd = work(VALUES, 8 * VALUES, Codec.ZSTD);
    assertThat(work(VALUES, 8 * VALUES, Codec.GZIP)).isEqualTo(zstd);
    assertThat(work(VALUES, 8 * VALUES, Codec.SNAPPY)).isLessThan(zstd / 2);
    assertThat(work(VALUES, 8 * VALUES, Codec.UNCOMPRESSED)).isLessThan(zstd / 2);
  }

  @Test
  void valuesThatTakeNoBytesAreWorkAsWell() {
    assertThat(work(VALUES, 0, Codec.ZSTD)).isGreaterThan(VALUES);
    assertThat(work(0, 0, Codec.ZSTD)).isZero();
  }

  @Test
  void nullsAreWorkAsWell() {
    Chunk chunk = new Chunk(4, VALUES, VALUES, VALUES, Codec.ZSTD, 0, null);
    assertThat(chunk.work(true)).isGreaterThan(chunk.work(false));
  }

  @Test
  void absurdNumbersAreNoNegativeWork() {
    assertThat(work(Long.MIN_VALUE, -1, Codec.ZSTD)).isZero();
    assertThat(work(Long.MAX_VALUE, Long.MAX_VALUE, Codec.ZSTD)).isPositive().isFinite();
  }

  @Test
  void footerTellsPlacesInADictionaryFromPlainValues() throws IOException {
    assertThat(work(true)).isLessThan(work(false) / 2);
  }

  /// Returns the work of a column of 64-bit numbers of which there are two.
  private double work(boolean dictionary) throws IOException {
    Path path = folder.resolve(dictionary + ".parquet");
    Layout layout =
        new Layout(CompressionCodecName.ZSTD, false, dictionary, 1 << 20, 20_000, 100_000, true);
    List<@Nullable Object> numbers = new ArrayList<>();
    for (long row = 0; row < VALUES; row++) {
      numbers.add(row % 2 == 0 ? 1L << 40 : -1L);
    }
    Schema schema = Schema.of(List.of(new Field("c0", DataType.int64(), false)));
    MessageType type = MessageTypeParser.parseMessageType("message t { required int64 c0; }");
    TestTables.write(new Table(schema, type, List.of(numbers), (int) VALUES), layout, path);
    try (StorageFile file = new LocalStorage().open(new Location(path.toString()))) {
      return new ParquetFormat().readMetadata(file).decodingWork(0, "c0").orElseThrow();
    }
  }
}
