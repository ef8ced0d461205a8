package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.batch.Batch;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {
  @TempDir static Path data;

  /// What two ranks' loaders say behind each step of an epoch.
  private static final List<List<LoaderState>> STATES = new ArrayList<>();

  @TempDir Path folder;

  @BeforeAll
  static void readStates() throws IOException {
    Training.writeRows(data);
    for (int rank = 0; rank < 2; rank++) {
      List<LoaderState> states = new ArrayList<>();
      try (DataLoader loader = Training.open(data.toString(), new Rank(rank, 2))) {
        states.add(loader.state());
        for (Batch batch : loader) {
          batch.close();
          states.add(loader.state());
        }
      }
      STATES.add(states);
    }
  }

  private Checkpoints open(String run, int rank) throws IOException {
    return Checkpoints.open(folder.toString(), new Configuration(), run, new Rank(rank, 2));
  }

  private void save(String run, int rank, int step) throws IOException {
    open(run, rank).save(STATES.get(rank).get(step), model(run, rank, step));
  }

  private static byte[] model(String run, int rank, int step) {
    return (run + "\n" + rank + "\n" + step).getBytes(StandardCharsets.UTF_8);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> names = Files.list(folder)) {
      return names
          .map(name -> name.getFileName().toString())
          .filter(name -> name.startsWith("epoch"))
          .sorted()
          .toList();
    }
  }

  @Test
  void checkpointCountsWhenAllRanksHaveSavedIt() throws IOException {
    assertThat(open("a-1", 0).newest()).isEmpty();
    save("a-0", 0, 2);
    save("a-0", 1, 2);
    save("a-0", 0, 4);
    save("a-1", 1, 4); // another attempt's, so another model's

    assertThat(open("a-2", 0).newest()).hasValue("epoch-0-step-2-a-0");
    List<Checkpoints.Saved> saved = open("a-2", 1).read("epoch-0-step-2-a-0");
    for (int rank = 0; rank < 2; rank++) {
      assertThat(saved.get(rank).state()).isEqualTo(STATES.get(rank).get(2));
      assertThat(saved.get(rank).model()).isEqualTo(model("a-0", rank, 2));
    }
  }

  @Test
  void furthestCheckpointIsTheLast() throws IOException {
    for (int step : new int[] {8, 3, 2}) { // the epoch has 8 steps, so 8 is the next one's start
      save("a", 0, step);
      save("a", 1, step);
    }

    assertThat(open("b", 0).newest()).hasValue("epoch-1-step-0-a");
  }

  @Test
  void epochsAndStepsAreNumbers() throws IOException {
    for (String name : List.of("epoch-10-step-9-a", "epoch-10-step-10-a", "epoch-9-step-11-a")) {
      Files.writeString(Files.createDirectory(folder.resolve(name)).resolve("rank-0-of-1"), "{}\n");
    }
    assertThat(open("b", 0).newest()).hasValue("epoch-10-step-10-a");
  }

  @Test
  void twoCheckpointsThatCountAreKeptAndAllBehindThem() throws IOException {
    for (int step = 1; step <= 4; step++) {
      save("a", 0, step);
      if (step != 3) {
        save("a", 1, step);
      }
    }
    save("a", 0, 5);

    assertThat(names())
        .containsExactly(
            "epoch-0-step-2-a", "epoch-0-step-3-a", "epoch-0-step-4-a", "epoch-0-step-5-a");
  }

  @Test
  void folderThatIsNotSharedIsRefused(@TempDir Path elsewhere) throws IOException {
    open("a", 0).begin();
    open("a", 1).requireShared();
    open("b", 0).begin();

    assertThatThrownBy(() -> open("a", 1).requireShared())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Cannot keep checkpoints in "
                + folder
                + ": rank 1/2 does not see there what rank 0 wrote. Give a folder that all"
                + " executors share.");
    assertThatThrownBy(() ->
            Checkpoints.open(elsewhere.toString(), new Configuration(), "b", new Rank(1, 2))
                .requireShared())
        .isInstanceOf(IOException.class);
  }

  @Test
  void fileThatIsNoCheckpointIsRefused() throws IOException {
    save("a", 0, 1);
    save("a", 1, 1);
    Files.writeString(folder.resolve("epoch-0-step-1-a/rank-1-of-2"), "{}");
    // The checksum that Hadoop keeps beside a local file.
    Files.delete(folder.resolve("epoch-0-step-1-a/.rank-1-of-2.crc"));

    assertThatThrownBy(() -> open("a", 0).read("epoch-0-step-1-a"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Cannot resume: a checkpoint starts with a line of JSON, but ");
  }
}
