package dev.penstock.examples;

import dev.penstock.LoaderState;
import dev.penstock.split.Rank;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// The processes of all ranks.
final class DrillWorld implements AutoCloseable {
  private final Path states;
  private final int every;
  private final List<Child> ranks = new ArrayList<>();

  /// A rank's process.
  ///
  /// @param steps the rows of each of its steps
  private record Child(Rank rank, Process process, BufferedReader printed, List<Rows> steps) {
    /// Lets it take a step.
    void step() {
      try {
        OutputStream told = process.getOutputStream();
        told.write('\n');
        told.flush();
      } catch (IOException e) {
        // It was killed.
      }
    }

    /// Waits for its step.
    ///
    /// @return false if the epoch has no more
    boolean hasStepped() throws IOException {
      String line = line();
      if (line.equals("end")) {
        return false;
      }
      String[] parts = line.split(" ", -1);
      steps.add(new Rows(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
      return true;
    }

    String line() throws IOException {
      String line = printed.readLine();
      if (line == null) {
        throw new IOException("Rank " + rank + " ended too early, see above.");
      }
      return line;
    }

    /// Kills it as `kill -9` does. What it printed before can still be read.
    void kill() {
      process.toHandle().destroyForcibly();
      process.onExit().join();
    }
  }

  /// What ranks had done when they were killed.
  ///
  /// @param steps how many steps they had begun
  /// @param killed the ranks that were killed in the last of them
  /// @param saved the rows before the last checkpoint; all where the epoch ended
  /// @param checkpoint where to go on; empty where there is none
  record Outcome(
      long steps, List<Integer> killed, long savedSteps, Rows saved, Optional<Path> checkpoint) {
    String text() {
      return killed.isEmpty()
          ? "ended the epoch after " + steps + " steps with " + saved.count() + " rows."
          : "ranks "
              + killed
              + " were killed in step "
              + steps
              + ". All had saved after step "
              + savedSteps
              + ", with "
              + saved.count()
              + " rows.";
    }
  }

  private DrillWorld(Path states, int every) {
    this.states = states;
    this.every = every;
  }

  /// Starts a process for each rank.
  ///
  /// @param from the state that they go on from, if there is such a file
  /// @param every after how many steps each saves
  static DrillWorld start(DrillData data, int world, Path states, Path from, int every)
      throws IOException {
    DrillWorld ranks = new DrillWorld(states, every);
    try {
      for (int i = 0; i < world; i++) {
        Rank rank = new Rank(i, world);
        List<String> command =
            new ArrayList<>(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    DrillRank.class.getName(),
                    rank.toString(),
                    states.toString(),
                    from.toString(),
                    Integer.toString(every)));
        command.addAll(data.arguments());
        ProcessBuilder process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        process.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process started = process.start();
        BufferedReader printed =
            new BufferedReader(
                new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        ranks.ranks.add(new Child(rank, started, printed, new ArrayList<>()));
      }
      for (Child each : ranks.ranks) {
        each.line(); // ready
      }
    } catch (IOException e) {
      ranks.close();
      throw e;
    }
    return ranks;
  }

  /// Lets all take steps together. In one of them some are killed, then the others are, as a
  /// launcher does it.
  ///
  /// @param kill the step, from 1
  Outcome train(long kill, Random random) throws IOException {
    for (long step = 1; step < kill; step++) {
      ranks.forEach(Child::step);
      int ended = 0;
      for (Child each : ranks) {
        ended += each.hasStepped() ? 0 : 1;
      }
      if (ended > 0) {
        if (ended < ranks.size()) {
          throw new IOException(ended + " of " + ranks.size() + " ranks ended after step " + step);
        }
        return new Outcome(step - 1, List.of(), step - 1, sum(step - 1), Optional.empty());
      }
    }
    List<Integer> killed = new ArrayList<>();
    int first = random.nextInt(ranks.size());
    for (int i = 0; i < ranks.size(); i++) {
      ranks.get(i).step();
      if (i == first || random.nextInt(3) == 0) {
        ranks.get(i).kill();
        killed.add(i);
      }
    }
    ranks.forEach(Child::kill);
    long saved = kill / every * every;
    while (saved > 0 && !isWhole(saved)) {
      saved -= every;
    }
    return new Outcome(kill, killed, saved, sum(saved), checkpoint(saved));
  }

  private boolean isWhole(long step) {
    return ranks.stream().allMatch(each -> Files.exists(DrillRank.file(states, each.rank(), step)));
  }

  private Rows sum(long steps) throws IOException {
    Rows sum = Rows.NONE;
    for (Child each : ranks) {
      while (each.steps().size() < steps && each.hasStepped()) {} // it may have been killed since
      for (Rows rows : each.steps().subList(0, (int) steps)) {
        sum = sum.and(rows);
      }
    }
    return sum;
  }

  private Optional<Path> checkpoint(long step) throws IOException {
    if (step == 0) {
      return Optional.empty();
    }
    List<LoaderState> all = new ArrayList<>();
    for (Child each : ranks) {
      all.add(LoaderState.parse(Files.readString(DrillRank.file(states, each.rank(), step))));
    }
    Path merged = states.resolve("merged-" + ranks.size() + "-" + step + ".json");
    Files.writeString(merged, LoaderState.merge(all).toJson());
    return Optional.of(merged);
  }

  @Override
  public void close() {
    ranks.forEach(Child::kill);
  }
}
