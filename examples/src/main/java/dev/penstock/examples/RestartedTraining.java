package dev.penstock.examples;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.batch.Batch;
import dev.penstock.split.Rank;
import dev.penstock.split.Ranks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A training whose ranks may be killed at any time: whatever starts them again, in the same number
/// or another, they go on from the last save. What is learned is so little that a row too many or
/// too few shows: how late flights are.
///
/// `RestartedTraining FLIGHTS STATE [EPOCHS]` is started by the files of `examples/launchers`, once
/// for each rank. Ranks talk to rank 0 at `MASTER_ADDR` and `MASTER_PORT`. With `DRILL=RANK:STEP`
/// in the environment that rank ends there as if it were killed, unless it goes on from a save.
///
/// Exit status 1 says that another try may help, 2 that it would not.
final class RestartedTraining {
  private static final int ROWS_PER_BATCH = 1024;
  private static final int STEPS_PER_SAVE = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(10); // a lost node takes five
  private static final int MAY_HELP = 1;
  private static final int NO_USE = 2;
  private static final int KILLED = 137;

  private final Rank rank;
  private final RankLink link;
  private final Path file;
  private final Optional<Saved> saved;
  private final String drill;
  private final Delays delays;

  private RestartedTraining(Rank rank, RankLink link, Path file, String drill) throws IOException {
    this.rank = rank;
    this.link = link;
    this.file = file;
    this.drill = drill;
    this.saved = Saved.read(file);
    this.delays = saved.map(Saved::delays).orElseGet(Delays::none);
  }

  /// The model.
  ///
  /// @param sums of all rows seen: their number, the minutes, their squares, and 32 bits of a hash
  ///   of each row
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Delays(long[] sums) {
    static Delays none() {
      return new Delays(new long[4]);
    }

    /// Adds the rows of all ranks' batches. Sums of whole numbers below 2^53 are exact.
    void learn(Batch batch, RankLink link) throws IOException {
      double[] step = new double[sums.length];
      for (int row = 0; row < batch.rowCount(); row++) {
        long minutes = batch.tensor("delay").getLong(row);
        step[0]++;
        step[1] += minutes;
        step[2] += minutes * minutes;
        step[3] += hash(batch, row);
      }
      link.sum(step);
      for (int i = 0; i < sums.length; i++) {
        sums[i] += (long) step[i];
      }
    }

    private static long hash(Batch batch, int row) {
      long hash = batch.tensor("date").getLong(row);
      hash = hash * 0x9E37_79B9_7F4A_7C15L + batch.tensor("distance").getLong(row);
      hash = hash * 0x9E37_79B9_7F4A_7C15L + batch.tensor("delay").getLong(row);
      return (hash ^ hash >>> 32) & 0xFFFF_FFFFL;
    }

    String text() {
      return "%,d flights, %,d minutes late, squares %,d, hashes %,d"
          .formatted(sums[0], sums[1], sums[2], sums[3]);
    }
  }

  /// The model and where to go on, in one file, so that they are always of the same step.
  private record Saved(Delays delays, LoaderState state) {
    static Optional<Saved> read(Path file) throws IOException {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      List<String> lines = Files.readAllLines(file);
      String[] sums = lines.getFirst().split(" ", -1);
      Delays delays = Delays.none();
      for (int i = 0; i < sums.length; i++) {
        delays.sums[i] = Long.parseLong(sums[i]);
      }
      return Optional.of(new Saved(delays, LoaderState.parse(lines.getLast())));
    }

    void write(Path file) throws IOException {
      long[] sums = delays.sums;
      String line = sums[0] + " " + sums[1] + " " + sums[2] + " " + sums[3];
      Path draft = file.resolveSibling(file.getFileName() + ".draft");
      Files.write(draft, List.of(line, state.toJson()));
      Files.move(draft, file, ATOMIC_MOVE);
    }
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws InterruptedException {
    if (args.length < 2) {
      System.err.println("Usage: RestartedTraining FLIGHTS STATE [EPOCHS]");
      System.exit(NO_USE);
    }
    try {
      int epochs = args.length > 2 ? Integer.parseInt(args[2]) : 1;
      run(Path.of(args[0]), Path.of(args[1]), epochs, System.getenv());
    } catch (IllegalArgumentException e) { // such as a state of other files
      System.err.println(e.getMessage());
      System.exit(NO_USE);
    } catch (IOException e) { // such as a rank that has gone
      System.err.println(e);
      System.exit(MAY_HELP);
    }
  }

  @SuppressWarnings("SystemOut")
  private static void run(Path flights, Path folder, int epochs, Map<String, String> environment)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Rank rank = Ranks.fromEnvironment(environment);
    String drill = environment.getOrDefault("DRILL", "");
    try (RankLink link = RankLink.connect(rank, environment, PATIENCE);
        DataLoader loader = loader(flights, rank)) {
      // All ranks are there, so none of an earlier try saves any more.
      var training = new RestartedTraining(rank, link, folder.resolve("training.txt"), drill);
      training.saved.ifPresent(saved -> loader.resume(saved.state()));
      training.train(loader, epochs);
      System.out.println("Rank " + rank + ": " + training.delays.text());
    }
  }

  private static DataLoader loader(Path flights, Rank rank) {
    return DataLoader.of(
        Flights.in(flights).columns("date", "delay", "distance"),
        o -> o.batchSize(ROWS_PER_BATCH).workers(1).shuffle(true).seed(1).rank(rank));
  }

  private void train(DataLoader loader, int epochs) throws IOException {
    int steps = 0;
    while (loader.state().epoch() < epochs) {
      for (Batch batch : loader) {
        try (batch) {
          delays.learn(batch, link);
        }
        steps++;
        if (saved.isEmpty() && drill.equals(rank.index() + ":" + steps)) {
          Runtime.getRuntime().halt(KILLED);
        }
        if (steps % STEPS_PER_SAVE == 0) {
          save(loader.state());
        }
      }
      save(loader.state());
      link.sum(new double[1]); // nobody ends before that is saved
    }
  }

  /// Saves what all ranks have: without a transform, rank 0's state is enough.
  private void save(LoaderState state) throws IOException {
    if (rank.index() == 0) {
      new Saved(delays, state).write(file);
    }
  }
}
