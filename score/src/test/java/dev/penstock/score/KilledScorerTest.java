package dev.penstock.score;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.score.ScoringProcess.Run;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs that are killed, and started again by other numbers of processes and workers.
///
/// `-Dpenstock.kills=100` kills as often, `-Dseed=7` at other points, and `-Dpenstock.kept=FOLDER`
/// leaves the table and what was written there, for other readers.
@Tag("outer")
final class KilledScorerTest {
  private static final int KILLS = Integer.getInteger("penstock.kills", 5);
  private static final long SEED = Long.getLong("seed", Long.getLong("penstock.seeds.from", 0));
  private static final int ROWS = 3000;
  private static final int FILES = 4;

  /// A run alone scores as many batches.
  private static final int BATCHES = 60;

  @TempDir Path temporary;
  private Path folder;
  private Path table;

  @BeforeEach
  void writeTable() throws IOException {
    String kept = System.getProperty("penstock.kept");
    folder = kept == null ? temporary : Files.createDirectories(Path.of(kept));
    table = Files.createDirectories(folder.resolve("table"));
    Random random = new Random(1);
    for (int file = 0; file < FILES; file++) {
      StringBuilder lines = new StringBuilder("id,name\n");
      for (int id = file * ROWS / FILES; id < (file + 1) * ROWS / FILES; id++) {
        lines.append(id).append(",n").append(random.nextLong()).append('\n');
      }
      Files.writeString(table.resolve(file + ".csv"), lines);
    }
  }

  private static List<String> rows(Path scores) {
    List<String> rows = new ArrayList<>();
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(scores.toString()),
            o -> o.output(OutputFormat.MAP).rank(Rank.SINGLE))) {
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            int at = row;
            rows.add(
                batch.names().stream()
                    .map(name -> name + "=" + batch.list(name).get(at))
                    .collect(joining(",")));
          }
        }
      }
    }
    return rows;
  }

  private List<String> undisturbed() throws Exception {
    Path scores = folder.resolve("undisturbed");
    ScoringProcess.scorer(table, ScoringProcess.tenfold()).writeTo(scores.toString());
    return rows(scores);
  }

  private void requireEqual(Path scores, List<String> expected) throws Exception {
    assertThat(rows(scores)).isEqualTo(expected);
    assertThat(ScoringProcess.scorer(table, ScoringProcess.tenfold()).check(scores.toString()))
        .isEqualTo(new ScoreCheck(expected.size() / 200, expected.size(), 0));
  }

  private static List<Path> drafts(Path scores) throws IOException {
    List<Path> drafts = new ArrayList<>();
    if (Files.isDirectory(scores)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(scores, ".penstock-*.tmp")) {
        files.forEach(drafts::add);
      }
    }
    return drafts;
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES) // for many kills
  void runsThatAreKilledLeaveNoRowOutAndNoneTwice() throws Exception {
    List<String> expected = undisturbed();
    System.out.println("Kills " + KILLS + " times, -Dseed=" + SEED);
    Random random = new Random(SEED);
    int left = KILLS;
    int drafts = 0;
    for (int number = 0; left > 0; number++) {
      Path scores = folder.resolve("killed-" + number);
      boolean isComplete = false;
      while (!isComplete) {
        if (left > 0 && life(scores, random)) {
          left--;
        } else {
          isComplete = true;
        }
      }
      drafts += drafts(scores).size();
      Run rest = new Run(table, scores, 2, Rank.SINGLE, Integer.MAX_VALUE);
      try (ScoringProcess process = ScoringProcess.start("", rest)) {
        assertThat(process.end()).isEqualTo("complete");
      }
      assertThat(drafts(scores)).isEmpty();
      requireEqual(scores, expected);
    }
    System.out.println(drafts + " were killed while they created a file");
  }

  /// Lets one, two or three ranks run until one of them is somewhere, and kills all then.
  ///
  /// @return whether they were killed
  private boolean life(Path scores, Random random) throws IOException {
    int ranks = random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1;
    int point = random.nextInt(BATCHES / 4 / ranks);
    boolean isInFile = random.nextBoolean();
    List<ScoringProcess> processes = new ArrayList<>();
    try {
      for (int rank = 0; rank < ranks; rank++) {
        int batches = rank == 0 && !isInFile ? point : Integer.MAX_VALUE;
        int workers = 1 + random.nextInt(3);
        Run run = new Run(table, scores, workers, new Rank(rank, ranks), batches);
        processes.add(ScoringProcess.start("", run));
      }
      return isInFile
          ? isCreating(scores, processes.getFirst(), point / 4)
          : processes.getFirst().isThere();
    } finally {
      processes.forEach(ScoringProcess::close);
    }
  }

  /// Looks at the folder until a file is being created after others, or the process has ended.
  private static boolean isCreating(Path scores, ScoringProcess process, int others)
      throws IOException {
    List<Path> seen = new ArrayList<>(drafts(scores)); // those of earlier lives
    int until = seen.size() + others;
    while (process.isAlive()) {
      for (Path draft : drafts(scores)) {
        if (!seen.contains(draft)) {
          seen.add(draft);
        }
      }
      if (seen.size() > until) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /// The size of files is limited, which fails as a full disk does: for the last part, which is
  /// larger than the libraries that are unpacked.
  @Test
  void aFullDiskLeavesWholeParts() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "There is no bash, which limits files");
    StringBuilder lines = new StringBuilder("id,name\n");
    Random random = new Random(2);
    for (int id = ROWS; id < ROWS + 200; id++) {
      byte[] name = new byte[10_000];
      random.nextBytes(name);
      lines.append(id).append(',').append(HexFormat.of().formatHex(name)).append('\n');
    }
    Files.writeString(table.resolve("large.csv"), lines);
    List<String> expected = undisturbed();
    Path scores = folder.resolve("full");
    Run run = new Run(table, scores, 2, Rank.SINGLE, Integer.MAX_VALUE);
    try (ScoringProcess process = ScoringProcess.start("ulimit -f 1900", run)) {
      assertThat(process.end()).startsWith("Cannot create '").endsWith("name another folder.");
    }
    assertThat(drafts(scores)).isEmpty();
    List<String> there = rows(scores);
    assertThat(there).isSubsetOf(expected).doesNotHaveDuplicates();
    assertThat(there.size() % 200).isZero();
    try (ScoringProcess process = ScoringProcess.start("", run)) {
      assertThat(process.end()).isEqualTo("complete");
    }
    requireEqual(scores, expected);
  }
}
