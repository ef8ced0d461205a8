package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.StepDigest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logs of steps of other versions. That recorded here is of 0.1.0: all later versions write the
/// same, or say in the changelog that the order changed.
class RecordedStepsTest {
  private static final int ROWS = 20;

  @TempDir Path folder;
  private StructuredDataset dataset;

  @BeforeEach
  void writeFiles() throws IOException {
    for (int file = 0; file < 3; file++) {
      Path path = folder.resolve("data/part-" + file + ".csv");
      Files.createDirectories(path.getParent());
      List<String> lines = new ArrayList<>(List.of("number"));
      IntStream.range(file * ROWS, (file + 1) * ROWS).forEach(i -> lines.add("" + i));
      Files.writeString(path, String.join("\n", lines) + "\n");
    }
    dataset = new StructuredDataset(folder.resolve("data").toString()).splitRows(7);
  }

  private List<String> logged(StructuredDataset rows, Shuffle shuffle, int world)
      throws IOException {
    Path log = folder.resolve("steps.jsonl");
    Files.deleteIfExists(log);
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(8).workers(1).seed(7).shuffle(shuffle).stepLog(log);
    for (int rank = 0; rank < world; rank++) {
      try (DataLoader loader = DataLoader.of(rows, options.rank(new Rank(rank, world)))) {
        loader.setEpoch(2);
        EpochIterator<Batch> epoch = loader.iterator();
        while (epoch.hasNext()) {
          epoch.next().close();
        }
      }
    }
    return Files.readAllLines(log);
  }

  @Test
  void laterVersionsWriteTheSameDigests() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.addAll(logged(dataset, Shuffle.none(), 1));
    lines.addAll(logged(dataset, Shuffle.splits(), 2));
    lines.addAll(logged(dataset, Shuffle.window(25), 3));
    lines.addAll(logged(dataset.where("number not in (3, 4, 30, 59)"), Shuffle.window(25), 2));
    try (InputStream recorded =
        RecordedStepsTest.class.getResourceAsStream("recorded-steps.jsonl")) {
      String text =
          new String(Objects.requireNonNull(recorded).readAllBytes(), StandardCharsets.UTF_8);
      assertThat(lines).isEqualTo(text.lines().toList());
    }
    assertThat(lines)
        .allSatisfy(line -> assertThat(StepDigest.parse(line).toJson()).isEqualTo(line));
  }
}
