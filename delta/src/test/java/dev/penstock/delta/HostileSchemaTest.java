package dev.penstock.delta;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Logs whose schema is nested more deeply than any stack.
class HostileSchemaTest {
  @TempDir Path folder;

  private void write(int depth) throws IOException {
    String type =
        "{\\\"type\\\":\\\"array\\\",\\\"containsNull\\\":true,\\\"elementType\\\":".repeat(depth)
            + "\\\"integer\\\""
            + "}".repeat(depth);
    Path log = Files.createDirectories(folder.resolve("_delta_log"));
    Files.writeString(
        log.resolve("00000000000000000000.json"),
        """
        {"protocol":{"minReaderVersion":1,"minWriterVersion":2}}
        {"metaData":{"id":"1","format":{"provider":"parquet","options":{}},"schemaString":"%s",\
        "partitionColumns":[],"configuration":{},"createdTime":1}}
        """
            .formatted(
                "{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[{\\\"name\\\":\\\"c\\\","
                    + "\\\"nullable\\\":true,\\\"metadata\\\":{},\\\"type\\\":"
                    + type
                    + "}]}"));
  }

  @ParameterizedTest
  @CsvSource({
    "100, its column 'c' is nested more than 64 deep.",
    "900, its column 'c' is nested more than 64 deep.",
    "100000, its metadata is nested too deeply."
  })
  void columnThatIsTooDeepIsRefused(int depth, String why) throws IOException {
    write(depth);
    assertThatThrownBy(() -> DeltaDataset.table(folder.toString()).dataset().schema())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("Cannot read Delta table '" + folder + "': " + why);
  }
}
