package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300) // of each test: a rank's process that says nothing is waited for
class ElasticityDrillTest {
  @TempDir private Path folder;

  private String written(String name, int rows) throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int id = 0; id < rows; id++) {
      text.append(id).append(',').append(name).append(id % 7).append('\n');
    }
    Path own = Files.createDirectory(folder.resolve(name));
    Files.writeString(own.resolve("rows.csv"), text);
    return own.toString();
  }

  /// A mixture behind a filter, all rows shuffled; five processes, of which three are killed.
  @Test
  void processesThatAreKilledTrainOnEachRowOnce() throws Exception {
    List<String> log = new ArrayList<>();
    DrillData data =
        DrillData.parse(
            List.of(
                written("far", 900),
                written("near", 500),
                "cache=" + folder.resolve("cache"),
                "where=id >= 50 and id != 77",
                "worlds=2,1,2",
                "batch=20",
                "seed=5"));
    assertThat(ElasticityDrill.isPassed(data, log::add)).as("%s", log).isTrue();
    assertThat(log).hasSize(5);
    assertThat(log.get(1)).startsWith("2 ranks: ranks [").contains("were killed in step");
    assertThat(log.get(2)).startsWith("1 ranks: ranks [0] were killed in step");
    assertThat(log.get(3)).startsWith("2 ranks: ended the epoch after");
    assertThat(log.get(4)).isEqualTo("Passed: 1298 rows came, each once.");
  }

  @Test
  void argumentsThatAreNoneAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DrillData.parse(List.of("seed=3")))
        .withMessageStartingWith("Cannot run the drill without data: expected FOLDER");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DrillData.parse(List.of("data", "worlds=8,0")))
        .withMessage("Cannot run the drill with '0' in worlds=: expected a number of at least 1.");
  }
}
