package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Three million rows that pyarrow wrote, in eleven row groups of Zstandard pages. What they are is
/// compared with parquet-java in the black-box `FlightsTest`.
class ParquetFlightsTest {
  private static final Path PATH =
      Path.of(System.getProperty("penstock.shared", ""), "data", "flights", "flights-3m.parquet");

  private final ParquetFormat format = new ParquetFormat();

  @BeforeEach
  void fileIsThere() {
    assumeTrue(Files.exists(PATH), () -> "No file " + PATH);
  }

  @Test
  void schemaIsTheOneThatWasWritten() throws IOException {
    try (StorageFile file = new LocalStorage().open(Location.of(PATH))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(metadata.schema())
          .isEqualTo(
              Schema.of(
                  List.of(
                      new Field("date", new DataType.Timestamp(TimeUnit.MICROS, false), true),
                      new Field("delay", new DataType.Int(64, true), true),
                      new Field("distance", new DataType.Int(64, true), true),
                      new Field("origin", new DataType.Utf8(), true),
                      new Field("destination", new DataType.Utf8(), true))));
      assertThat(metadata.rowGroups()).hasSize(11);
      assertThat(metadata.rowCount()).isEqualTo(3_000_000);
    }
  }
}
