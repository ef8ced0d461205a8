package dev.penstock;

import dev.penstock.internal.steps.EpochCourse;
import dev.penstock.internal.steps.StepCheck;
import dev.penstock.internal.steps.StepCheck.Expected;
import dev.penstock.options.LoaderOptions;
import dev.penstock.steps.AuditResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Compares logs of steps, see [LoaderOptions#stepLog(Path)], with the rows that should have come.
/// Reads no rows, unless [#pass] allows it where only reading tells.
///
/// An epoch should have come as its state says, see [#state]. Without one it should have come from
/// its start to its end in the world that the options have, without the rows that the state of the
/// next later epoch excluded before it, or else the state of the last earlier one.
///
/// Lines that come again and say the same are fine, as after a crash. Where the state changes its
/// course, by another world, a skip or an exclusion, lines that the run then went back behind are
/// not compared: those of an earlier world behind its end, and of a step at which the log of the
/// same rank comes by again.
///
/// **Threads.** One at a time.
public final class StepAudit {
  private final StructuredDataset dataset;
  private final LoaderOptions options;
  private final NavigableMap<Long, LoaderState> states;
  private final boolean passes;

  private StepAudit(
      StructuredDataset dataset,
      LoaderOptions options,
      Map<Long, LoaderState> states,
      boolean passes) {
    this.dataset = dataset;
    this.options = options;
    this.states = new TreeMap<>(states);
    this.passes = passes;
  }

  /// Makes an audit.
  ///
  /// @param dataset what the run read
  /// @param options the options of the run; workers and memory may differ, and of the rank only the
  ///   number of ranks counts
  /// @return the audit
  public static StepAudit of(StructuredDataset dataset, LoaderOptions options) {
    return new StepAudit(dataset, options, Map.of(), false);
  }

  /// Adds a state of the run, which says what its epoch had up to there: the worlds, and the steps
  /// and rows that were left out. Steps behind it should come in its world.
  ///
  /// @param state the last one of its epoch; one before for the same epoch is replaced
  /// @return the changed audit
  public StepAudit state(LoaderState state) {
    Map<Long, LoaderState> more = new TreeMap<>(states);
    more.put(state.epoch(), state);
    return new StepAudit(dataset, options, more, passes);
  }

  /// Allows to read what decides which rows a step has, see [RowsOfSteps#pass].
  ///
  /// @param on whether to
  /// @return the changed audit
  public StepAudit pass(boolean on) {
    return new StepAudit(dataset, options, states, on);
  }

  /// Compares logs.
  ///
  /// @param logs the files: of one rank each, or of several
  /// @return what was found
  /// @throws IOException if a log cannot be read
  /// @throws java.io.UncheckedIOException if the dataset cannot be read
  /// @throws IllegalArgumentException if a state is not one of the dataset and these options
  /// @throws IllegalStateException if it takes a [#pass]
  public AuditResult check(List<Path> logs) throws IOException {
    return StepCheck.check(logs, StepRecording.digests(dataset, options), this::expected);
  }

  /// Returns the rows that should have come in an epoch.
  ///
  /// @param epoch the epoch, counted from 0
  /// @return the rows
  /// @throws IllegalArgumentException if rows were excluded in the middle of it, but there is no
  ///   state of it
  public RowsOfSteps rows(long epoch) {
    Map.Entry<Long, LoaderState> later = states.ceilingEntry(epoch);
    Map.Entry<Long, LoaderState> nearest = later == null ? states.floorEntry(epoch) : later;
    RowsOfSteps rows =
        nearest == null
            ? RowsOfSteps.of(dataset, options, epoch)
            : RowsOfSteps.of(dataset, options, nearest.getValue()).epoch(epoch);
    return rows.pass(passes);
  }

  private Expected expected(long epoch) {
    LoaderState state = states.get(epoch);
    EpochCourse course =
        state == null
            ? EpochCourse.whole(EpochStarter.rank(options.rankShare()).count())
            : EpochCourse.of(state.saved);
    return new Expected(course, rows(epoch)::rowsAsStored);
  }
}
