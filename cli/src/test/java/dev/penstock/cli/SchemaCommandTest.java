package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `penstock schema` on the held-out flights.
class SchemaCommandTest {
  private static final String folder = HeldOutFlights.FOLDER.toString();

  @Test
  void listsColumnsAndCounts() {
    CommandRun run = CommandRun.of("schema", folder);
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .startsWith(
            """
            column       type           nullable
            -----------  -------------  --------
            date         timestamp[us]  yes
            delay        int64          yes
            """)
        .contains("75,000 rows, 5 columns, 2 parquet files, 16 row groups, ");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void formatOptionsSayHowTextIsWritten(@TempDir Path text) throws IOException {
    Files.writeString(text.resolve("a.csv"), "id;x\n7;y,z\n");
    CommandRun run = CommandRun.of("schema", "--format-option", "delimiter=;", text.toString());
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("id      int64 ", "x       string", "1 row, 2 columns, 1 csv");
    CommandRun wrong = CommandRun.of("schema", "--format-option", "colour=red", text.toString());
    assertThat(wrong.status()).isEqualTo(1);
    assertThat(wrong.err()).contains("Cannot use --format-option colour: csv has no such option.");
  }

  @Test
  void jsonIsOneObject() {
    CommandRun run = CommandRun.of("schema", "--json", "--columns", "origin,delay", folder);
    assertThat(run.lines()).hasSize(1);
    assertThat(run.out())
        .startsWith("{\"format\":\"parquet\",\"files\":2,\"rows\":75000,\"rowGroups\":16,")
        .endsWith(
            "\"columns\":[{\"name\":\"origin\",\"type\":\"string\",\"nullable\":true},"
                + "{\"name\":\"delay\",\"type\":\"int64\",\"nullable\":true}]}\n");
  }
}
