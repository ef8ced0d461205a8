package dev.penstock.score;

import dev.penstock.StructuredDataset;
import dev.penstock.batch.Tensor;
import dev.penstock.model.Model;
import dev.penstock.split.Rank;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A run of [Scorer] as a process of its own, to be killed.
///
/// It prints a line and stays there when it is to score its n-th batch; else it prints one at its
/// end.
final class ScoringProcess implements AutoCloseable {
  private static final String THERE = "there";
  private static final String ENDED = "ended ";

  /// How it runs.
  ///
  /// @param batches the batches that it scores; then one of its threads waits for its end
  record Run(Path table, Path out, int workers, Rank rank, int batches) {}

  private final Process process;
  private final BufferedReader printed;

  private ScoringProcess(Process process) {
    this.process = process;
    this.printed =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /// Starts it.
  ///
  /// @param shell commands of bash that change the limits of the process; empty without bash
  static ScoringProcess start(String shell, Run run) throws IOException {
    List<String> command = new ArrayList<>();
    if (!shell.isEmpty()) {
      command.addAll(List.of("bash", "-c", shell + "; exec \"$@\"", "bash"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(List.of("-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ScoringProcess.class.getName()));
    command.addAll(List.of(run.table.toString(), run.out.toString()));
    for (int each : List.of(run.workers, run.rank.index(), run.rank.count(), run.batches)) {
      command.add(Integer.toString(each));
    }
    return new ScoringProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  /// Waits until it is where it is to be killed, or ends.
  ///
  /// @return whether it is there
  boolean isThere() throws IOException {
    String line = line();
    return line != null && line.equals(THERE);
  }

  /// Waits for its end.
  ///
  /// @return what it says then: the result, or an error
  String end() throws IOException {
    String line = line();
    if (line == null || !line.startsWith(ENDED)) {
      throw new IllegalStateException("It said " + line);
    }
    return line.substring(ENDED.length());
  }

  private @Nullable String line() throws IOException {
    String line = printed.readLine();
    while (line != null && !line.equals(THERE) && !line.startsWith(ENDED)) {
      line = printed.readLine();
    }
    return line;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Kills it, as `kill -9` does.
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  static Scorer scorer(Path table, Model model) {
    return Scorer.of(new StructuredDataset(table.toString()), model)
        .keys("id")
        .columns("name")
        .partRows(200)
        .options(o -> o.batchSize(64));
  }

  /// Ten times the key and one.
  static Model tenfold() {
    return batch -> {
      long[] ids = (long[]) batch.tensor("id").toArray();
      float[] scores = new float[ids.length];
      for (int i = 0; i < ids.length; i++) {
        scores[i] = ids[i] * 10 + 1;
      }
      return Map.of("score", Tensor.of(scores));
    };
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] words) {
    AtomicInteger left = new AtomicInteger(Integer.parseInt(words[5]));
    Model tenfold = tenfold();
    Model model =
        batch -> {
          if (left.getAndDecrement() == 0) {
            System.out.println(THERE);
            Thread.currentThread().join(); // until it is killed
          }
          return tenfold.run(batch);
        };
    Rank rank = new Rank(Integer.parseInt(words[3]), Integer.parseInt(words[4]));
    try {
      ScoreResult result =
          scorer(Path.of(words[0]), model)
              .workers(Integer.parseInt(words[2]))
              .rank(rank)
              .writeTo(words[1]);
      System.out.println(ENDED + (result.isComplete() ? "complete" : "incomplete"));
    } catch (Exception e) {
      System.out.println(ENDED + e.getMessage());
    }
  }
}
