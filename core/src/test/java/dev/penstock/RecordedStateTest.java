package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Batch;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// States of other versions. The one recorded here is of 0.1.0: all later versions go on from it,
/// or say in the changelog that the order changed.
class RecordedStateTest {
  private static final String RECORDED =
      """
      {"format":"penstock-state","version":1,"files":"3 files, 60 rows, 191 bytes, #5476520cd98e499d",\
      "columns":"number","filter":"none","shuffle":"splits","seed":7,"splits":"#ae2df80155da38bf",\
      "epoch":2,"batches":3,"past":[],"rank":1,"world":2,"rankEnd":"exact","at":[[12,0]]}\
      """;

  private static final int ROWS = 20;
  private static final int FILES = 3;

  @TempDir Path folder;
  private StructuredDataset dataset;

  @BeforeEach
  void writeFiles() throws IOException {
    for (int file = 0; file < FILES; file++) {
      Path path = folder.resolve("part-" + file + ".csv");
      List<String> lines = new ArrayList<>(List.of("number"));
      IntStream.range(file * ROWS, (file + 1) * ROWS).forEach(i -> lines.add("" + i));
      Files.writeString(path, String.join("\n", lines) + "\n");
      Files.setLastModifiedTime(path, FileTime.from(Instant.parse("2026-11-27T00:00:00Z")));
    }
    dataset = new StructuredDataset(folder.toString());
  }

  private DataLoader loader(int rank) {
    return DataLoader.of(
        dataset, o -> o.batchSize(4).workers(1).shuffle(true).seed(7).rank(new Rank(rank, 2)));
  }

  private static List<Long> rest(DataLoader loader, int skipped) {
    List<Long> rows = new ArrayList<>();
    int batches = 0;
    for (Batch batch : loader) {
      try (batch) {
        for (int row = 0; row < batch.rowCount() && batches >= skipped; row++) {
          rows.add(batch.tensor("number").getLong(row));
        }
        batches++;
      }
    }
    return rows;
  }

  @Test
  void epochGoesOnFromARecordedState() {
    List<Long> expected;
    try (DataLoader whole = loader(1)) {
      whole.setEpoch(2);
      expected = rest(whole, 3);
    }
    try (DataLoader resumed = loader(1)) {
      resumed.resume(LoaderState.parse(RECORDED));
      assertThat(resumed.state().toJson()).isEqualTo(RECORDED);
      assertThat(rest(resumed, 0)).isEqualTo(expected).hasSize(18);
    }
  }

  @Test
  void stateOfALaterVersionIsRefused() {
    assertThatThrownBy(() -> LoaderState.parse(RECORDED.replace("\"version\":1", "\"version\":2")))
        .hasMessage(
            "Cannot read a loader's state: it is 'penstock-state' of version 2 but expected"
                + " 'penstock-state' of version 1. Give what LoaderState.toJson() wrote.");
    assertThatThrownBy(() -> LoaderState.parse(RECORDED.replace("\"seed\"", "\"new\":0,\"seed\"")))
        .hasMessage("Cannot read a loader's state: the document has an unknown field 'new'.");
  }

  @Test
  void stateOfAVersionThatCutsFilesInAnotherWayIsRefused() {
    String splits = RECORDED.replaceFirst("\"splits\":\"#[0-9a-f]+\"", "\"splits\":\"#0\"");
    try (DataLoader loader = loader(1)) {
      assertThatThrownBy(
              () -> {
                loader.resume(LoaderState.parse(splits));
                loader.iterator().hasNext();
              })
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot resume: the splits are '#");
    }
  }
}
