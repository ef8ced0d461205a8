package dev.penstock.steps;

import java.util.List;
import java.util.Optional;

/// What an audit of logs of steps found, see [dev.penstock.StepAudit].
///
/// Immutable.
///
/// @param lines how many lines were compared, without `repeated` and `abandoned`
/// @param steps of how many steps these are, each counted once for all ranks
/// @param ranks which ranks they are of, ascending; unmodifiable
/// @param repeated how many lines came again and say the same, as after a crash
/// @param abandoned how many lines the run went back behind before it changed its course, by
///   another world, a skip or an exclusion: these are not compared
/// @param wrong how many findings there are
/// @param findings the first ones, at most 100, by epoch, step and rank; then the lines that cannot
///   be read; unmodifiable
public record AuditResult(
    long lines,
    long steps,
    List<Integer> ranks,
    long repeated,
    long abandoned,
    long wrong,
    List<Finding> findings) {
  /// What may be wrong.
  public enum Kind {
    /// The step had other rows, in another order, or is of another world.
    DIFFERENT,
    /// The step was to be skipped.
    SKIPPED,
    /// The run had no such step, or no such rank.
    UNEXPECTED,
    /// A rank that has other lines has none for these steps.
    MISSING,
    /// The line cannot be read.
    UNREADABLE
  }

  /// Something that is wrong.
  ///
  /// @param kind what
  /// @param epoch the epoch; 0 of a line that cannot be read
  /// @param steps the step, or all that are missing one after another; none of a line that cannot
  ///   be read
  /// @param rank the rank; 0 of a line that cannot be read
  /// @param file the log; empty where a line is missing
  /// @param line the line, counted from 1; 0 where it is missing
  /// @param expected what should have come; empty where nothing should, or it is not known
  /// @param logged what the log says; empty where it says nothing
  /// @param text the same as a sentence
  public record Finding(
      Kind kind,
      long epoch,
      Steps steps,
      int rank,
      String file,
      long line,
      Optional<StepDigest> expected,
      Optional<StepDigest> logged,
      String text) {}

  /// Returns whether the logs say what should have come.
  ///
  /// @return true if nothing is wrong
  public boolean isAsExpected() {
    return wrong == 0;
  }

  /// Returns the first finding.
  ///
  /// @return that of the earliest step; empty if nothing is wrong
  public Optional<Finding> first() {
    return findings.stream().findFirst();
  }
}
