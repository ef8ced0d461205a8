package dev.penstock.examples.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.examples.Flights;
import dev.penstock.examples.Rows;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Programs run by `spark-submit` on a cluster of processes, some of which are killed.
@Timeout(600) // a cluster whose executors do not start keeps Spark waiting for ever
@Tag("night")
class StandaloneClusterTest {
  private static final int RANKS = 2;
  private static final int EPOCHS = 5;
  private static final int PARTS = 40;
  private static final Pattern LINE =
      Pattern.compile("Rank ./2: (\\d+) rows, checksum (\\p{XDigit}+), model (\\p{XDigit}+)");
  private static final Pattern GOING_ON = Pattern.compile("goes on from checkpoint (\\S+)");

  @TempDir Path folder;

  private static final Path ROOT = Path.of(System.getProperty("penstock.root"));
  private static final Path TARGET = ROOT.resolve("examples/spark/target");

  private static Path home() throws IOException {
    return StandaloneCluster.home(
        Files.readString(ROOT.resolve("spark/home/target/classpath.txt")),
        TARGET.resolve("spark-home"));
  }

  private record Driver(Process process, Path log) implements AutoCloseable {
    /// Waits for its end.
    ///
    /// @return the lines about its ranks
    List<String> ended() throws IOException, InterruptedException {
      List<String> said;
      try (var out = process.inputReader(UTF_8)) {
        said = out.lines().filter(line -> line.startsWith("Rank ")).toList();
      }
      assertThat(process.waitFor()).as("exit status; log:%n%s", Files.readString(log)).isZero();
      return said;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private Driver start(StandaloneCluster cluster, Class<?> program, String name, String... own)
      throws IOException {
    Path log = folder.resolve("log-of-" + name);
    List<String> arguments = RunOnCluster.arguments(TARGET, program, RANKS, List.of(own));
    return new Driver(cluster.submit(arguments).redirectError(log.toFile()).start(), log);
  }

  private Driver train(StandaloneCluster cluster, SampleFlights flights, Path checkpoints)
      throws IOException {
    return start(
        cluster,
        TrainOnSpark.class,
        checkpoints.getFileName().toString(),
        flights.trainingFolder().toString(),
        checkpoints.toString(),
        String.valueOf(RANKS),
        String.valueOf(EPOCHS));
  }

  private Driver score(StandaloneCluster cluster, SampleFlights flights, Path scores)
      throws IOException {
    return start(
        cluster,
        ScoreOnSpark.class,
        scores.getFileName().toString(),
        flights.heldOutFolder().toString(),
        scores.toString(),
        String.valueOf(PARTS));
  }

  /// Waits until a folder has a file of a name that begins so.
  private static void await(Path folder, String name) throws IOException, InterruptedException {
    try (WatchService watch = folder.getFileSystem().newWatchService()) {
      folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      while (!has(folder, name)) {
        WatchKey key = watch.take();
        key.pollEvents();
        key.reset();
      }
    }
  }

  private static boolean has(Path folder, String name) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith(name));
    }
  }

  /// Returns from where executors went on, of all that ran.
  private List<String> goingOn() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("cluster/work"))) {
      List<String> lines = new ArrayList<>();
      for (Path file : files.filter(each -> each.endsWith("stderr")).sorted().toList()) {
        Matcher found = GOING_ON.matcher(Files.readString(file));
        while (found.find()) {
          lines.add(found.group(1));
        }
      }
      return lines;
    }
  }

  /// What one rank's line says.
  private record Line(long rows, long checksum, String model) {
    static Line of(String text) {
      Matcher line = LINE.matcher(text);
      assertThat(line.matches()).as(text).isTrue();
      return new Line(
          Long.parseLong(line.group(1)), Long.parseUnsignedLong(line.group(2), 16), line.group(3));
    }
  }

  private static Rows tableOnce(Path table) {
    Learnt learnt = Learnt.nothing();
    try (DataLoader loader =
        DataLoader.of(
            Flights.in(table).columns("date", "delay", "distance"),
            o -> o.batchSize(4096).rank(Rank.SINGLE))) {
      for (Batch batch : loader) {
        try (batch) {
          learnt = learnt.seen(batch);
        }
      }
    }
    return learnt.rows();
  }

  @Test
  void aTrainingGoesOnWhenAnExecutorAndAWorkerAreKilled() throws Exception {
    try (SampleFlights flights = SampleFlights.extract();
        StandaloneCluster cluster =
            new StandaloneCluster(home(), folder.resolve("cluster"), 2, RANKS)) {
      List<String> undisturbed;
      try (Driver training = train(cluster, flights, folder.resolve("undisturbed"))) {
        undisturbed = training.ended();
      }
      List<Line> lines = undisturbed.stream().map(Line::of).toList();
      Rows once = tableOnce(flights.trainingFolder());
      assertThat(lines).hasSize(RANKS);
      assertThat(lines.stream().mapToLong(Line::rows).sum()).isEqualTo(EPOCHS * once.count());
      assertThat(lines.stream().mapToLong(Line::checksum).sum()).isEqualTo(EPOCHS * once.digest());
      assertThat(lines).extracting(Line::model).containsOnly(lines.getFirst().model());
      assertThat(goingOn()).isEmpty();

      Path checkpoints = Files.createDirectory(folder.resolve("disturbed"));
      try (Driver training = train(cluster, flights, checkpoints)) {
        await(checkpoints, "epoch-1-step-200-");
        kill(cluster.executors(0));
        await(checkpoints, "epoch-3-step-200-");
        cluster.kill(1);
        assertThat(training.ended()).isEqualTo(undisturbed);
      }
      // Each rank, twice or more: Spark may try before it has noticed all that is gone.
      assertThat(goingOn())
          .filteredOn(name -> name.startsWith("epoch-1-step-"))
          .hasSizeGreaterThanOrEqualTo(RANKS);
      assertThat(goingOn())
          .filteredOn(name -> name.startsWith("epoch-3-step-"))
          .hasSizeGreaterThanOrEqualTo(RANKS);
    }
  }

  private static void kill(List<ProcessHandle> executors) {
    assertThat(executors).hasSize(1);
    executors.forEach(ProcessHandle::destroyForcibly);
  }

  /// Returns what was written, sorted.
  private static List<String> scores(Path folder) {
    List<String> scores = new ArrayList<>();
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(folder.toString()), o -> o.batchSize(4096).rank(Rank.SINGLE))) {
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            scores.add(
                batch.strings("origin").get(row)
                    + batch.strings("destination").get(row)
                    + batch.tensor("late").getFloat(row));
          }
        }
      }
    }
    Collections.sort(scores);
    return scores;
  }

  @Test
  void eachRowIsScoredOnceWhenAnExecutorIsKilled() throws Exception {
    try (SampleFlights flights = SampleFlights.extract();
        StandaloneCluster cluster =
            new StandaloneCluster(home(), folder.resolve("cluster"), 2, 1)) {
      Path undisturbed = folder.resolve("undisturbed");
      try (Driver scoring = score(cluster, flights, undisturbed)) {
        scoring.ended();
      }
      List<String> expected = scores(undisturbed);
      assertThat(expected).hasSize(75_000);

      Path disturbed = folder.resolve("disturbed");
      try (Driver scoring = score(cluster, flights, disturbed)) {
        await(folder, "disturbed");
        // Spark keeps here what tasks have written, until all have.
        for (String each : List.of("_temporary", "0")) {
          await(disturbed, each);
          disturbed = disturbed.resolve(each);
        }
        await(disturbed, "task_");
        kill(cluster.executors(0));
        scoring.ended();
        assertThat(Files.readString(scoring.log())).contains("Lost executor");
      }
      assertThat(scores(folder.resolve("disturbed"))).isEqualTo(expected);
    }
  }
}
