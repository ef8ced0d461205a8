package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Step;
import dev.penstock.cli.output.Terminal;
import dev.penstock.score.ScorePlan;
import dev.penstock.score.ScoreProgress;
import dev.penstock.split.Rank;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Says what a run of `score` is about to do, how far it is, and what to do where it is
/// interrupted. Only the first rank shows it.
///
/// **Threads.** [#progress] is for any.
final class ScoreWatch implements AutoCloseable {
  /// More columns than this are not all named.
  private static final int SHOWN = 12;

  private final Terminal terminal;
  private final Progress shown;
  private final Rank rank;
  private final String folder;
  private final AtomicBoolean isAtWork = new AtomicBoolean();
  private long began;
  private long before = -1;

  ScoreWatch(Terminal terminal, Progress shown, Rank rank, String folder) {
    this.terminal = terminal;
    this.shown = shown;
    this.rank = rank;
    this.folder = folder;
    AutoCloseable _ = terminal.closeOnInterrupt(this::interrupted);
  }

  private void interrupted() {
    if (isAtWork.get()) {
      terminal.say("Stopped. The same command goes on: the parts in " + folder + " stay.");
    }
  }

  void planned(ScorePlan plan) {
    if (rank.index() == 0) {
      plan.feeding().lines().forEach(terminal::say);
      terminal.say(text(plan));
    }
    isAtWork.set(true);
    synchronized (this) {
      began = System.nanoTime();
    }
  }

  private String text(ScorePlan plan) {
    List<String> names =
        Stream.concat(
                plan.carried().names().stream(),
                plan.outputs().stream().map(each -> each.replace(" not null", "")))
            .toList();
    String columns = names.stream().limit(SHOWN).collect(Collectors.joining(", "));
    String more = names.size() > SHOWN ? ", ... (" + names.size() + " columns)" : "";
    String missing =
        plan.missing() == plan.parts()
            ? ""
            : ", " + Numbers.count(plan.missing()) + " of them to be made here";
    return "writes "
        + columns
        + more
        + " to "
        + folder
        + ": "
        + Numbers.count(plan.rows(), "row")
        + " in "
        + Numbers.count(plan.parts(), "part")
        + missing;
  }

  synchronized void progress(ScoreProgress now) {
    if (before < 0) {
      before = now.rows();
    }
    long nanos = System.nanoTime() - began;
    shown.update(() ->
        new Step(
            "scoring",
            "row",
            before,
            now.rows(),
            now.rowsTotal(),
            nanos,
            List.of(
                Numbers.rate((now.rows() - before) / (nanos / 1e9)) + " rows/s",
                now.parts() + " of " + Numbers.count(now.partsTotal(), "part"))));
  }

  void end() {
    isAtWork.set(false);
    shown.clear();
  }

  @Override
  public void close() {
    end();
  }
}
