package dev.penstock.examples.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.examples.Flights;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Trainings by `spark-submit` on a cluster of processes, some of which are killed.
@Timeout(600) // a cluster whose executors do not start keeps Spark waiting for ever
@EnabledIfSystemProperty(
    named = "penstock.stores",
    matches = "true",
    disabledReason = "a cluster takes minutes: profile stores runs it")
class StandaloneClusterTest {
  private static final int RANKS = 2;
  private static final int EPOCHS = 5;
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

  private Driver start(StandaloneCluster cluster, SampleFlights flights, Path checkpoints)
      throws IOException {
    Path log = folder.resolve(checkpoints.getFileName() + ".log");
    List<String> arguments =
        RunOnCluster.arguments(
            TARGET,
            TrainOnSpark.class.getName(),
            RANKS,
            List.of(
                flights.trainingFolder().toString(),
                checkpoints.toString(),
                String.valueOf(RANKS),
                String.valueOf(EPOCHS)));
    return new Driver(cluster.submit(arguments).redirectError(log.toFile()).start(), log);
  }

  /// Waits for a checkpoint to be begun.
  private static void await(WatchService folder, String name) throws InterruptedException {
    boolean isBegun = false;
    while (!isBegun) {
      WatchKey key = folder.take();
      isBegun =
          key.pollEvents().stream()
              .anyMatch(event -> String.valueOf(event.context()).startsWith(name));
      key.reset();
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

  private static Learnt tableOnce(Path table) {
    Learnt learnt = Learnt.nothing();
    try (DataLoader loader =
        Flights.in(table)
            .columns("date", "delay", "distance")
            .createDataLoader(o -> o.batchSize(4096).rank(Rank.SINGLE))) {
      for (Batch batch : loader) {
        try (batch) {
          learnt = learnt.seen(batch);
        }
      }
    }
    return learnt;
  }

  @Test
  void aTrainingGoesOnWhenAnExecutorAndAWorkerAreKilled() throws Exception {
    try (SampleFlights flights = SampleFlights.extract();
        StandaloneCluster cluster =
            new StandaloneCluster(home(), folder.resolve("cluster"), 2, RANKS)) {
      List<String> undisturbed;
      try (Driver training = start(cluster, flights, folder.resolve("undisturbed"))) {
        undisturbed = training.ended();
      }
      List<Line> lines = undisturbed.stream().map(Line::of).toList();
      Learnt once = tableOnce(flights.trainingFolder());
      assertThat(lines).hasSize(RANKS);
      assertThat(lines.stream().mapToLong(Line::rows).sum()).isEqualTo(EPOCHS * once.rows());
      assertThat(lines.stream().mapToLong(Line::checksum).sum())
          .isEqualTo(EPOCHS * once.checksum());
      assertThat(lines).extracting(Line::model).containsOnly(lines.getFirst().model());
      assertThat(goingOn()).isEmpty();

      Path checkpoints = Files.createDirectory(folder.resolve("disturbed"));
      try (WatchService watch = checkpoints.getFileSystem().newWatchService()) {
        checkpoints.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
        try (Driver training = start(cluster, flights, checkpoints)) {
          await(watch, "epoch-1-step-200-");
          assertThat(cluster.executors(0)).hasSize(1);
          cluster.executors(0).forEach(ProcessHandle::destroyForcibly);
          await(watch, "epoch-3-step-200-");
          cluster.kill(1);
          assertThat(training.ended()).isEqualTo(undisturbed);
        }
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
}
