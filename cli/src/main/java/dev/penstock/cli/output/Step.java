package dev.penstock.cli.output;

import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.PassStats;
import dev.penstock.stats.SkippedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The progress of a command, as a bar or a line.
///
/// @param what what is running, such as `epoch 3 of 20`
/// @param unit what is counted, in the singular
/// @param before how much an earlier run has done, which `nanos` does not include
/// @param done how much is done, `before` included
/// @param total how much there is; negative if unknown
/// @param nanos how long it took so far
/// @param details further information, the most important first
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

  /// After this time the speed is known well enough to estimate the rest.
  private static final long EARLY_NANOS = 500_000_000L;

  private static final long SECOND = 1_000_000_000L;

  /// Returns the progress of a loader's epoch.
  ///
  /// @param before the rows received before this run
  /// @param total the number of rows, including those that the filter drops unless they are of a
  ///   mixture; negative if unknown
  public static Step of(String what, LoaderStats stats, long before, long total, long nanos) {
    boolean isMixed = !stats.rowsOfSources().isEmpty();
    SkippedRows skipped = isMixed ? SkippedRows.NONE : stats.read().skipped();
    // What statistics rule out takes no time, and is known at the start.
    long ruledOut = skipped.statistics();
    long tested = stats.rows() + skipped.total() - ruledOut;
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

  /// Returns the progress of a pass before an epoch.
  ///
  /// @param start what comes before its purpose
  public static Step of(String start, PassStats pass) {
    String speed = Numbers.rate(pass.rowsRead() / (pass.nanos() / 1e9)) + " rows/s";
    return new Step(
        start + pass.purpose(),
        "row",
        0,
        pass.rowsRead(),
        pass.rows(),
        pass.nanos(),
        List.of(speed));
  }

  /// Returns the same with a graph of the speed behind the first detail.
  Step with(SpeedGraph graph) {
    if (details.isEmpty() || graph.toString().isEmpty()) {
      return this;
    }
    List<String> more = new ArrayList<>(details);
    more.set(0, details.getFirst() + " " + graph);
    return new Step(what, unit, before, done, total, nanos, more);
  }

  /// Returns a bar with the share done, the time taken and the time left.
  ///
  /// @param columns the maximum width; the least important parts are dropped
  /// @param run how many nanoseconds the whole run took so far
  String bar(int columns, long run) {
    String start = what + (total < 0 ? "" : "  " + percent());
    List<String> times = times(run);
    List<String> parts = new ArrayList<>(times);
    parts.addAll(details);
    parts.add(counts());
    int bar = total < 0 ? 0 : BAR_MIN + 3;
    while (parts.size() > times.size() && start.length() + bar + 2 + length(parts) > columns) {
      parts.removeLast();
    }
    while (parts.size() > 1 && start.length() + 2 + length(parts) > columns) {
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
  String line(long run) {
    return what
        + ": "
        + Stream.of(
                Stream.of(total < 0 ? "" : percent().strip(), counts()),
                details.stream(),
                times(run).stream())
            .flatMap(each -> each)
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(", "));
  }

  private double share() {
    return total == 0 ? 1 : (double) done / total;
  }

  private String percent() {
    return String.format(Locale.ROOT, "%3d %%", (int) (100 * share()));
  }

  private String counts() {
    return total < 0
        ? Numbers.count(done, unit)
        : Numbers.count(done) + " of " + Numbers.count(total, unit);
  }

  private List<String> times(long run) {
    List<String> times = new ArrayList<>(List.of(clock(nanos)));
    if (total >= 0 && done > before && nanos >= EARLY_NANOS) {
      times.add(clock((long) (nanos * ((double) (total - done) / (done - before)))) + " left");
    }
    if (run - nanos >= SECOND) {
      times.add("run " + clock(run));
    }
    return times;
  }

  /// Returns a time such as `0:07`, `12:30` or `2:03:04`.
  private static String clock(long nanos) {
    long seconds = nanos / SECOND;
    return seconds < 3600
        ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
