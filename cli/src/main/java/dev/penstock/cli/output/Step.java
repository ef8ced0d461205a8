package dev.penstock.cli.output;

import dev.penstock.LoaderStats;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How far a command has come, as a bar or a line.
///
/// @param what what is under way, such as `epoch 3 of 20`
/// @param unit what is counted, in the singular
/// @param before how much an earlier run has done, not in `nanos`
/// @param done how much is done, `before` included
/// @param total how much there is; negative where nobody knows
/// @param nanos how long it took so far
/// @param details what else to say, the most important first
public record Step(
    String what,
    String unit,
    long before,
    long done,
    long total,
    long nanos,
    List<String> details) {
  private static final int BAR_MIN = 10;
  private static final int BAR_MAX = 30;

  /// When the speed is known well enough to say how long the rest takes.
  private static final long EARLY_NANOS = 500_000_000L;

  /// Returns how far a loader's epoch is.
  ///
  /// @param what what is under way
  /// @param stats what this run has had of it
  /// @param before the rows that were had before this run
  /// @param total the rows that there are, those that the filter leaves out included; negative
  ///   where nobody knows
  /// @param nanos how long this run took so far
  /// @return the step
  public static Step of(String what, LoaderStats stats, long before, long total, long nanos) {
    // What statistics rule out takes no time, and is known at the start.
    long ruledOut = stats.read().skipped().statistics();
    long tested = stats.rows() + stats.read().skipped().total() - ruledOut;
    return new Step(
        what,
        "row",
        before,
        before + tested,
        total < 0 ? total : Math.max(total - ruledOut, before + tested),
        nanos,
        List.of(
            Numbers.rate(stats.rows() / (nanos / 1e9)) + " rows/s",
            "waiting " + Numbers.percent((double) stats.times().waitNanos() / nanos)));
  }

  /// Returns a bar with the share that is done, the time it took and the time that is left.
  ///
  /// @param columns how long it may be at most; the least important is left out
  String bar(int columns) {
    String start = what + (total < 0 ? "" : "  " + percent());
    List<String> parts = new ArrayList<>(times());
    parts.addAll(details);
    parts.add(counts());
    int bar = total < 0 ? 0 : BAR_MIN + 3;
    while (parts.size() > 1 && start.length() + bar + 2 + length(parts) > columns) {
      parts.removeLast();
    }
    int room = columns - start.length() - 2 - length(parts) - 3;
    String text =
        start
            + (total < 0 || room < BAR_MIN ? "" : " " + drawn(Math.min(room, BAR_MAX)))
            + "  "
            + String.join(", ", parts);
    return text.substring(0, Math.min(text.length(), columns));
  }

  private static int length(List<String> parts) {
    return String.join(", ", parts).length();
  }

  private String drawn(int length) {
    int filled = (int) (share() * length);
    return "["
        + "=".repeat(filled)
        + (filled < length ? ">" : "")
        + " ".repeat(Math.max(0, length - filled - 1))
        + "]";
  }

  /// Returns the same as a line of a log.
  String line() {
    return what
        + ": "
        + Stream.of(
                Stream.of(total < 0 ? "" : percent().strip(), counts()),
                details.stream(),
                times().stream())
            .flatMap(each -> each)
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(", "));
  }

  private double share() {
    return total == 0 ? 1 : (double) done / total;
  }

  private String percent() {
    return String.format("%3d %%", (int) (100 * share()));
  }

  private String counts() {
    return total < 0
        ? Numbers.count(done, unit)
        : Numbers.count(done) + " of " + Numbers.count(total, unit);
  }

  private List<String> times() {
    boolean early = total < 0 || done <= before || nanos < EARLY_NANOS;
    return early
        ? List.of(clock(nanos))
        : List.of(
            clock(nanos),
            clock((long) (nanos * ((double) (total - done) / (done - before)))) + " left");
  }

  /// Returns a time such as `0:07`, `12:30` or `2:03:04`.
  private static String clock(long nanos) {
    long seconds = nanos / 1_000_000_000L;
    return seconds < 3600
        ? String.format("%d:%02d", seconds / 60, seconds % 60)
        : String.format("%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
