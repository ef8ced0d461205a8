package dev.penstock.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Kills the ranks of a training at random, goes on with fewer and then with more of them, and
/// counts whether each row came once.
///
/// `examples/run elasticity FOLDER [FOLDER...] [cache=FOLDER] [where=FILTER] [seed=NUMBER]
/// [worlds=8,3,16] [batch=1024]`: each folder has data files, or is an Iceberg table; several are a
/// mixture. With a cache, all rows are shuffled, else they keep their order.
final class ElasticityDrill {
  private static final int SAVE_EVERY = 4;

  private final DrillData data;
  private final Path states;
  private final Random random;
  private final Consumer<String> log;

  private ElasticityDrill(DrillData data, Path states, Consumer<String> log) {
    this.data = data;
    this.states = states;
    this.random = new Random(data.seed());
    this.log = log;
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    DrillData data;
    try {
      data = DrillData.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(isPassed(data, System.out::println) ? 0 : 1);
  }

  /// Runs the drill.
  ///
  /// @param log receives a line for each world, and the verdict
  /// @return whether each row came once
  static boolean isPassed(DrillData data, Consumer<String> log)
      throws IOException, InterruptedException {
    Path states = Files.createTempDirectory("penstock-drill");
    try {
      return new ElasticityDrill(data, states, log).run();
    } finally {
      try (Stream<Path> left = Files.walk(states)) {
        for (Path each : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private boolean run() throws IOException, InterruptedException {
    Rows expected = data.read();
    log.accept(
        "The epoch has "
            + expected.count()
            + " rows. seed="
            + data.seed()
            + " kills the same ranks again.");
    Rows trained = Rows.NONE;
    Path from = states.resolve("none");
    for (int i = 0; i < data.worlds().size(); i++) {
      int world = data.worlds().get(i);
      boolean isLast = i == data.worlds().size() - 1;
      long steps = Math.ceilDiv(expected.count() - trained.count(), (long) world * data.batch());
      // Later than the first save where there are as many steps, earlier than the end.
      long kill = isLast ? Long.MAX_VALUE : 1 + random.nextLong(Math.max(1, steps - 1));
      try (DrillWorld ranks = DrillWorld.start(data, world, states, from, SAVE_EVERY)) {
        DrillWorld.Outcome outcome = ranks.train(kill, random);
        trained = trained.and(outcome.saved());
        log.accept(world + " ranks: " + outcome.text());
        from = outcome.checkpoint().orElse(from);
      }
    }
    boolean isPassed = trained.equals(expected);
    log.accept(
        isPassed
            ? "Passed: " + trained.count() + " rows came, each once."
            : "Failed: " + trained + " came, but the epoch is " + expected + ".");
    return isPassed;
  }
}
