package dev.penstock.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.StructuredDataset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A log's word on how many rows a file has is held against the file.
class StatedRowsTest {
  private static final String STATED = "\\\"numRecords\\\":3";

  @TempDir Path folder;
  private Path table;

  @BeforeEach
  void copy() throws IOException {
    table = DeltaDatasetTest.copy(DeltaDatasetTest.DELETED, folder);
  }

  private StructuredDataset dataset() {
    return DeltaDataset.table(table.toString()).dataset();
  }

  /// Changes what the last commit states of its file.
  private void state(String rows) throws IOException {
    Path commit = table.resolve("_delta_log/00000000000000000015.json");
    String text = Files.readString(commit);
    assertThat(text).contains(STATED);
    Files.writeString(commit, text.replace(STATED, "\\\"numRecords\\\":" + rows));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "2", "4", "9223372036854775807"})
  void fileWithAnotherNumberOfRowsIsAnError(String rows) throws IOException {
    state(rows);
    assertThatThrownBy(() -> dataset().files())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageMatching(
            "Cannot read the file: it has 3 rows but the table states "
                + rows
                + "\\. Restore the file, or read an older version of the table\\. \\[.*\\.parquet]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "3.5", "null", "[3]", "{\\\"x\\\":4}", "9223372036854775808"})
  void whatIsNotANumberOfRowsStatesNone(String rows) throws IOException {
    List<String> expected = EveryWay.read(dataset());
    state(rows);
    assertThat(EveryWay.read(dataset())).isEqualTo(expected);
  }
}
