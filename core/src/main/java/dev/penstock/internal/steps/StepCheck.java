package dev.penstock.internal.steps;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.steps.LoggedSteps.Line;
import dev.penstock.internal.steps.LoggedSteps.OfRank;
import dev.penstock.internal.steps.LoggedSteps.Unread;
import dev.penstock.internal.steps.RowDigests.OfRows;
import dev.penstock.steps.AuditResult;
import dev.penstock.steps.AuditResult.Finding;
import dev.penstock.steps.AuditResult.Kind;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Compares logs of steps with what should have come.
///
/// **Threads.** One at a time.
public final class StepCheck {
  private static final int FINDINGS_MAX = 100;
  private static final int STEPS_AT_ONCE = 256;
  private static final Comparator<Finding> ORDER =
      Comparator.<Finding, Boolean>comparing(each -> each.kind() == Kind.UNREADABLE)
          .thenComparingLong(Finding::epoch)
          .thenComparingLong(each -> each.steps().from())
          .thenComparingInt(Finding::rank)
          .thenComparing(Finding::file)
          .thenComparingLong(Finding::line);

  private final LoggedSteps logs = new LoggedSteps();
  private final RowDigests digests;
  private final LongFunction<Expected> epochs;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<Integer> ranks = new TreeSet<>();
  private long wrong;
  private long lines;
  private long steps;
  private long abandoned;

  /// What should have come in an epoch.
  public record Expected(EpochCourse course, RowSource rows) {}

  /// Gives the rows of a rank's steps, by step, then place.
  @FunctionalInterface
  public interface RowSource {
    Stream<StepRow> rows(Steps steps, int rank);
  }

  private StepCheck(RowDigests digests, LongFunction<Expected> epochs) {
    this.digests = digests;
    this.epochs = epochs;
  }

  /// Checks logs.
  ///
  /// @param epochs what should have come, by epoch
  public static AuditResult check(
      List<Path> logs, RowDigests digests, LongFunction<Expected> epochs) throws IOException {
    StepCheck check = new StepCheck(digests, epochs);
    for (Path log : new LinkedHashSet<>(logs)) {
      check.logs.read(log);
    }
    return check.checked();
  }

  private AuditResult checked() {
    logs.epochs().values().forEach(each -> ranks.addAll(each.keySet()));
    logs.epochs().keySet().forEach(this::check);
    for (Unread line : logs.unread()) {
      add(
          new Finding(
              Kind.UNREADABLE,
              0,
              new Steps(0, 0),
              0,
              line.file().toString(),
              line.line(),
              Optional.empty(),
              Optional.empty(),
              Sentence.of("%s [%s, line %s]", line.why(), line.file(), line.line())));
    }
    shorten();
    return new AuditResult(
        lines, steps, List.copyOf(ranks), logs.repeated(), abandoned, wrong, List.copyOf(findings));
  }

  private void check(long epoch) {
    Expected expected = epochs.apply(epoch);
    SortedMap<Integer, OfRank> ofRanks = Objects.requireNonNull(logs.epochs().get(epoch));
    Set<Long> compared = new HashSet<>();
    List<OfOne> all = new ArrayList<>();
    for (int rank : ranks) {
      OfRank logged = ofRanks.getOrDefault(rank, new OfRank());
      OfOne one = new OfOne(epoch, expected, rank, logged);
      one.check(compared);
      all.add(one);
    }
    steps += compared.size();
    long end = all.stream().mapToLong(one -> one.end).max().orElse(0);
    all.forEach(one -> one.findMissing(end));
  }

  private void add(Finding finding) {
    wrong++;
    findings.add(finding);
    if (findings.size() >= 100 * FINDINGS_MAX) {
      shorten();
    }
  }

  private void shorten() {
    findings.sort(ORDER);
    if (findings.size() > FINDINGS_MAX) {
      findings.subList(FINDINGS_MAX, findings.size()).clear();
    }
  }

  /// The check of a rank in an epoch.
  private final class OfOne {
    private final long epoch;
    private final EpochCourse course;
    private final RowSource rows;
    private final int rank;
    private final OfRank logged;
    private long end; // the step after the last one that it came to

    OfOne(long epoch, Expected expected, int rank, OfRank logged) {
      this.epoch = epoch;
      this.rank = rank;
      this.course = expected.course;
      this.rows = expected.rows;
      this.logged = logged;
    }

    /// @param compared receives the steps
    void check(Set<Long> compared) {
      List<Line> together = new ArrayList<>();
      for (Line line : logged.bySteps().values()) {
        if (!isComparable(line)) {
          continue;
        }
        boolean isNext =
            together.isEmpty() || together.getLast().step().step() + 1 == line.step().step();
        if (!isNext || together.size() == STEPS_AT_ONCE) {
          compare(together, compared);
          together.clear();
        }
        together.add(line);
      }
      compare(together, compared);
      for (Line line : logged.others()) {
        if (isComparable(line)) {
          compare(List.of(line), compared);
        }
      }
    }

    /// Returns whether a line is of a step that this rank should have had.
    private boolean isComparable(Line line) {
      StepDigest step = line.step();
      int world = course.world(step.step());
      if (step.world() != world) {
        if (!course.isLeftBy(step.world(), step.step()) && !isAbandoned(line)) {
          wrong(
              Kind.UNEXPECTED,
              line,
              null,
              "the step should be one of " + world + (world == 1 ? " rank" : " ranks"));
        } else {
          abandoned++;
        }
        return false;
      }
      if (course.isSkipped(step.step())) {
        if (isAbandoned(line)) {
          abandoned++;
        } else {
          wrong(Kind.SKIPPED, line, null, "it is skipped");
        }
        return false;
      }
      return true;
    }

    private boolean isAbandoned(Line line) {
      return course.isChangedUpTo(line.step().step()) && logged.wentBackBehind(line);
    }

    private void compare(List<Line> together, Set<Long> compared) {
      if (together.isEmpty()) {
        return;
      }
      Steps range =
          new Steps(together.getFirst().step().step(), together.getLast().step().step() + 1);
      Map<Long, OfRows> known = digests.bySteps(rows.rows(range, rank));
      for (Line line : together) {
        compare(line, known.get(line.step().step()), compared);
      }
    }

    private void compare(Line line, @Nullable OfRows known, Set<Long> compared) {
      StepDigest step = line.step();
      OfRows should = known == null ? RowDigests.none() : known;
      boolean isSame = step.rows() == should.rows() && step.digest() == should.digest();
      boolean exists = known != null || hasRows(step.step(), 0);
      if (!(isSame && exists) && isAbandoned(line)) {
        abandoned++;
        return;
      }
      lines++;
      compared.add(step.step());
      if (!exists) {
        wrong(Kind.UNEXPECTED, line, null, "the epoch ends before it");
        return;
      }
      end = Math.max(end, step.step() + 1);
      if (!isSame) {
        StepDigest expected =
            new StepDigest(
                epoch, step.step(), step.rank(), step.world(), should.rows(), should.digest());
        wrong(
            Kind.DIFFERENT,
            line,
            expected,
            Sentence.of("%s rows with digest %s should have come", should.rows(), expected.hex()));
      }
    }

    private boolean hasRows(long step, int rank) {
      try (Stream<StepRow> some = rows.rows(Steps.of(step), rank)) {
        return some.findAny().isPresent();
      }
    }

    private void wrong(Kind kind, Line line, @Nullable StepDigest expected, String why) {
      StepDigest step = line.step();
      add(
          new Finding(
              kind,
              epoch,
              Steps.of(step.step()),
              step.rank(),
              line.file().toString(),
              line.line(),
              Optional.ofNullable(expected),
              Optional.of(step),
              Sentence.of(
                  "Step %s of epoch %s on rank %s of %s: the log has %s rows with digest %s, but %s."
                      + " %s",
                  step.step(),
                  epoch,
                  step.rank(),
                  step.world(),
                  step.rows(),
                  step.hex(),
                  why,
                  line.place())));
    }

    /// Finds steps without a line: up to the last one of the rank; and where it surely came
    /// further, up to the last of any rank.
    void findMissing(long endOfAll) {
      long had = Math.max(course.had(), logs.isThrough(epoch, rank) ? endOfAll : 0);
      long to = Math.max(end, had);
      long from = -1;
      for (long step = 0; step < to; ) {
        long leftOut = course.leftOutUpTo(step, rank); // a state may say any number
        boolean isMissing = leftOut == step && !logged.bySteps().containsKey(step);
        if (isMissing && step >= end && !hasRows(step, rank)) {
          leftOut = course.legEnd(step);
          isMissing = false;
        }
        if (isMissing && from < 0) {
          from = step;
        } else if (!isMissing && from >= 0) {
          missing(new Steps(from, step));
          from = -1;
        }
        step = Math.max(step + 1, leftOut);
      }
      if (from >= 0) {
        missing(new Steps(from, to));
      }
    }

    private void missing(Steps gap) {
      add(
          new Finding(
              Kind.MISSING,
              epoch,
              gap,
              rank,
              "",
              0,
              Optional.empty(),
              Optional.empty(),
              Sentence.of(
                  "Steps %s of epoch %s on rank %s of %s: the log has no line.",
                  gap, epoch, rank, course.world(gap.from()))));
    }
  }
}
