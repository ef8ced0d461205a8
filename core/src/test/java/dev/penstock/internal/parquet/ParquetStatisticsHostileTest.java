package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestBounds;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damaged files: what is asked of their statistics gives an answer or a typed error.
class ParquetStatisticsHostileTest {
  private final ParquetFormat format = new ParquetFormat();
  @TempDir Path folder;

  @Seeded(runs = 30)
  void damagedFilesGiveTypedErrorsOrAnswers(Random random) throws IOException {
    int rows = 1 + random.nextInt(300);
    Table table = TestTables.random(random, 1 + random.nextInt(3), rows);
    TestBounds.addExtremes(random, table);
    Path path = folder.resolve("table.parquet");
    TestTables.write(
        table,
        new Layout(CompressionCodecName.UNCOMPRESSED, false, false, 1, 50, 150, false),
        path,
        builder -> {
          for (Field field : table.schema().fields()) {
            builder.withBloomFilterEnabled(field.name(), !(field.type() instanceof DataType.Bool));
            builder.withBloomFilterNDV(field.name(), 10);
          }
        });
    byte[] good = Files.readAllBytes(path);
    int tail = Math.min(good.length, 4000); // Indexes, filters and footer.
    for (int i = 0; i < 100; i++) {
      byte[] bad = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bad[bad.length - 1 - random.nextInt(tail)] ^= (byte) (1 << random.nextInt(8));
      }
      ask(new BytesFile(bad));
    }
  }

  private void ask(BytesFile file) throws IOException {
    FileMetadata metadata;
    try {
      metadata = format.readMetadata(file);
    } catch (MalformedFileException e) {
      return;
    }
    for (int group = 0; group < metadata.rowGroups().size(); group++) {
      for (Field field : metadata.schema().fields()) {
        ColumnStatistics known = metadata.statistics(group, field.name());
        assertThat(known.noNulls() && known.allNull() && known.lower() != null).isFalse();
        try {
          for (PageStatistics page : format.pageStatistics(file, metadata, group, field.name())) {
            assertThat(page.statistics()).isNotNull();
          }
          Optional<BloomFilter> filter = format.bloomFilter(file, metadata, group, field.name());
          if (filter.isPresent()) {
            askFilter(filter.get(), known);
          }
        } catch (MalformedFileException e) {
          assertThat(e).hasMessageContaining("row group " + group + ", column '" + field.name());
        }
      }
    }
  }

  private static void askFilter(BloomFilter filter, ColumnStatistics known) throws IOException {
    Comparable<?> value = known.lower() == null ? ByteString.utf8("some") : known.lower().value();
    try {
      assertThat(filter.mightContain(value)).isIn(true, false);
    } catch (IllegalArgumentException e) {
      assertThat(known.lower()).isNull(); // It was of another type.
    }
  }

  @Test
  void nothingIsKnownOfEncryptedColumns() throws IOException {
    Path path =
        Path.of(
            System.getProperty("penstock.shared", ""),
            "data/parquet-testing/data/encrypt_columns_plaintext_footer.parquet.encrypted");
    assumeTrue(Files.exists(path), () -> "No conformance file at " + path);
    BytesFile file = new BytesFile(Files.readAllBytes(path));
    FileMetadata metadata = format.readMetadata(file);
    int known = 0;
    for (Field field : metadata.schema().fields()) {
      boolean encrypted = field.name().equals("double_field") || field.name().equals("float_field");
      if (encrypted) {
        assertThat(metadata.statistics(0, field.name()).valueCount()).isEmpty();
        assertThat(metadata.statistics(0, field.name()).lower()).isNull();
        assertThat(format.pageStatistics(file, metadata, 0, field.name())).isEmpty();
        assertThat(format.bloomFilter(file, metadata, 0, field.name())).isEmpty();
      } else {
        known += metadata.statistics(0, field.name()).lower() == null ? 0 : 1;
      }
    }
    assertThat(known).isPositive();
  }
}
