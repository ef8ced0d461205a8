package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The commands on nested columns: a file that pyarrow 26.0.1 wrote, and its rows as pyarrow reads
/// them; `nested.py` beside them made both.
class NestedCommandTest {
  private static final String FILE = resource("nested.parquet").toString();

  private static Path resource(String name) {
    URL url = Objects.requireNonNull(NestedCommandTest.class.getResource(name));
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void catPrintsTheRowsThatPyarrowReads() throws IOException {
    List<String> rows = Files.readAllLines(resource("nested.jsonl"));
    for (String workers : List.of("0", "1", "2")) {
      for (String batchSize : List.of("1", "7", "1024")) {
        CommandRun run =
            CommandRun.of("cat", FILE, "--workers", workers, "--batch-size", batchSize);
        assertThat(run.err()).isEmpty();
        assertThat(run.lines()).isEqualTo(rows);
      }
    }
  }

  @Test
  void fieldsOfStructsAreColumns() {
    CommandRun run =
        CommandRun.of(
            "cat", FILE, "--limit", "2", "--columns", "place.where.lat,id,place.where,place.seen");
    assertThat(run.lines())
        .containsExactly(
            "{\"place.where.lat\":-628.0,\"id\":0,\"place.where\":{\"lat\":-628.0,"
                + "\"at\":\"22:05:06.000789000\"},\"place.seen\":null}",
            "{\"place.where.lat\":null,\"id\":1,\"place.where\":null,\"place.seen\":null}");
  }

  @Test
  void headShowsNestedValuesInTheirCells() {
    CommandRun run =
        CommandRun.of("head", FILE, "-n", "2", "--columns", "id,tokens,tags,place.name,scores");
    assertThat(run.out())
        .isEqualTo(
            """
               id  tokens                             tags          place.name  scores
            int64  list<int32>                        list<string>  string      map<string, float32>
            -----  ---------------------------------  ------------  ----------  ---------------------------------------
                0  [null,1904202612,1721854523,null]  ["ä€😀"]      null        [{"key":"bee","value":null},{"key":"ä€…
                1  [1235826598,-2108492267]           []            null        null
            """);
  }

  @Test
  void schemaShowsNestedTypes() {
    CommandRun run =
        CommandRun.of("schema", FILE, "--columns", "embedding,place,scores,place.seen");
    assertThat(run.out())
        .startsWith(
            """
            column      type                                                                                        nullable
            ----------  ------------------------------------------------------------------------------------------  --------
            embedding   list<float32>                                                                               no
            place       struct<name: string, where: struct<lat: float64, at: time[ns]>, seen: list<timestamp[ms]>>  yes
            scores      map<string, float32>                                                                        yes
            place.seen  list<timestamp[ms]>                                                                         yes
            """);
    assertThat(CommandRun.of("schema", FILE, "--json", "--columns", "scores").out())
        .contains(
            "\"columns\":[{\"name\":\"scores\",\"type\":\"map<string, float32>\",\"nullable\":true}]");
  }

  @Test
  void digestsDependOnTheValuesAlone() {
    Set<String> digests = new HashSet<>();
    for (String[] setting : new String[][] {{"0", "1024"}, {"1", "7"}, {"2", "60"}, {"4", "1"}}) {
      String line =
          CommandRun.of(
                  "load",
                  FILE,
                  "--json",
                  "--nulls",
                  "mask",
                  "--workers",
                  setting[0],
                  "--batch-size",
                  setting[1])
              .out();
      digests.add(CommandRun.field(line, "orderDigest") + CommandRun.field(line, "contentDigest"));
    }
    assertThat(digests).hasSize(1);
  }

  @Test
  void loadRefusesNullListsUnlessTheyAreMasked() {
    CommandRun run = CommandRun.of("load", FILE, "--columns", "flags");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .startsWith(
            "Cannot batch column 'flags': row 0 is null and a tensor of lists has no place for one."
                + " Use --nulls mask. [")
        .hasLineCount(1);
    assertThat(CommandRun.of("load", FILE, "--columns", "flags", "--nulls", "mask").status())
        .isZero();
  }
}
