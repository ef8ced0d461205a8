package dev.penstock;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.filter.Filter;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.order.Counted;
import dev.penstock.internal.order.EpochPlanner;
import dev.penstock.internal.order.EpochSteps;
import dev.penstock.internal.order.Need;
import dev.penstock.internal.passes.Passes;
import dev.penstock.internal.plan.ChosenRows;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.state.Exclusion;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.steps.EpochCourse;
import dev.penstock.internal.steps.RowDigests;
import dev.penstock.internal.steps.RowDigests.OfRows;
import dev.penstock.internal.table.TableFile;
import dev.penstock.options.LoaderOptions;
import dev.penstock.options.Reading;
import dev.penstock.spi.format.RowSet;
import dev.penstock.split.Rank;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which rows the steps of an epoch had or will have, on any rank: the order of a [DataLoader],
/// asked forwards and backwards, without reading the rows.
///
/// Of a table that numbers its rows for good, as Iceberg does, rows have these numbers. A file that
/// stores them, as those do that were compacted, tells them only with a [#pass].
///
/// Where only reading tells, behind a filter, a composition or a transform that may change the
/// number of rows, it takes a [#pass].
///
/// **Threads.** One at a time.
///
/// **Errors.** [IllegalArgumentException] if the state is of other files or options, or if batches
/// had another size in a step that is asked for; [java.io.UncheckedIOException] if files cannot be
/// listed or their footers not be read.
public final class RowsOfSteps {
  private final Asked asked;
  private final boolean mayRead;
  private final NamedRows named;
  private @Nullable EpochPlanner planner; // when it is first asked for
  private @Nullable EpochSteps steps; // when they are first asked for

  /// The epoch of a run.
  ///
  /// @param state where it goes on; null at its start
  /// @param goesOn whether the world of the rank goes on from there; false for that of the state
  private record Asked(
      StructuredDataset dataset,
      LoaderOptions options,
      long epoch,
      @Nullable SavedState state,
      boolean goesOn,
      Counting counting) {}

  /// What plans an epoch, and reads what has to be counted before.
  interface Counting {
    EpochPlanner planner();

    /// Returns what is counted if nothing has to be read for it.
    Optional<Counted> known(List<Need> needs);

    Counted count(List<Need> needs);
  }

  private RowsOfSteps(Asked asked, boolean mayRead) {
    this.asked = asked;
    this.mayRead = mayRead;
    this.named = new NamedRows(asked.dataset(), asked.epoch());
  }

  /// Asks for the epoch of a state.
  ///
  /// @param dataset what the run reads
  /// @param options the options of the run; workers and memory may differ, the rank is not looked
  ///   at
  /// @param state a state of the run, at or behind the steps to ask for, or before them
  /// @return the rows
  public static RowsOfSteps of(
      StructuredDataset dataset, LoaderOptions options, LoaderState state) {
    SavedState saved = state.saved;
    Rank rank = new Rank(saved.rank().orElse(0), saved.dealing().world());
    Counting counting = new Apart(dataset, options, rank);
    return new RowsOfSteps(
        new Asked(dataset, options, saved.epoch(), saved, false, counting), false);
  }

  /// Asks for an epoch that is run from its start to its end by the world that the options have.
  ///
  /// @param dataset what the run reads
  /// @param options the options of the run
  /// @param epoch the epoch, counted from 0
  /// @return the rows
  public static RowsOfSteps of(StructuredDataset dataset, LoaderOptions options, long epoch) {
    if (epoch < 0) {
      throw new IllegalArgumentException("The epoch must be at least 0, got " + epoch + ".");
    }
    Counting counting = new Apart(dataset, options, EpochStarter.rank(options.rankShare()));
    return new RowsOfSteps(new Asked(dataset, options, epoch, null, false, counting), false);
  }

  /// Asks for another epoch of the run, from its start to its end by the world that the options
  /// have. Rows that the run excluded before it, as the state says, are left out.
  ///
  /// @param epoch the epoch, counted from 0
  /// @return the rows
  /// @throws IllegalArgumentException if rows were excluded in the middle of it, which takes a
  ///   state that was saved in it after that; or if the state is of other files or options
  public RowsOfSteps epoch(long epoch) {
    if (epoch == asked.epoch()) {
      return this;
    }
    RowsOfSteps whole = of(asked.dataset(), asked.options(), epoch).pass(mayRead);
    SavedState state = asked.state();
    if (state == null) {
      return whole;
    }
    Counting counting = whole.asked.counting();
    state.identity().require(counting.planner().beginning(state.epoch()).identity());
    List<Exclusion> before = new ArrayList<>();
    for (Exclusion each : state.excluded()) {
      if (each.epoch() == epoch && each.batches() > 0) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot tell the steps of epoch %s: rows were excluded at its step %s. Give a state"
                    + " that was saved in this epoch after that step.",
                epoch, each.batches()));
      }
      if (each.epoch() <= epoch) {
        before.add(each);
      }
    }
    SavedState start = counting.planner().beginning(epoch, before);
    return new RowsOfSteps(
        new Asked(asked.dataset(), asked.options(), epoch, start, false, counting), mayRead);
  }

  /// Asks for the epoch in which a loader is, which may go on from a state in another world.
  static RowsOfSteps of(
      StructuredDataset dataset, LoaderOptions options, SavedState state, Counting counting) {
    return new RowsOfSteps(
        new Asked(dataset, options, state.epoch(), state, true, counting), false);
  }

  /// Allows to read what decides which rows a step has, where that is not known otherwise, and [row
  /// ids][StepRow#rowId] that files store. Default: the one is an error that says so, the others
  /// are left out.
  ///
  /// @param on whether to
  /// @return the changed rows
  public RowsOfSteps pass(boolean on) {
    return new RowsOfSteps(asked, on);
  }

  /// Returns the rows of steps, of all ranks.
  ///
  /// @param steps which; those behind the end of the epoch have none
  /// @return by step, then rank, then place
  /// @throws IllegalStateException if it takes a [#pass]
  public Stream<StepRow> rows(Steps steps) {
    if (!isOfRows()) {
      return traced(steps, OptionalInt.empty(), _ -> true).takeWithIds(true).stream();
    }
    EpochSteps known = steps();
    long end = Math.min(steps.to(), known.end());
    // Not step by step: some users of streams take all that one element is replaced by.
    return Stream.iterate(
            new Share(steps.from(), 0),
            share -> share.step() < end,
            share -> share.next(known.ranks(share.step())))
        .flatMap(share -> rows(known, share).takeWithIds(mayRead).stream());
  }

  /// Returns the rows of steps of one rank.
  ///
  /// @param steps which
  /// @param rank of the world that had them; smaller worlds have none for it
  /// @return by step, then place
  /// @throws IllegalArgumentException if no world of the epoch has the rank
  /// @throws IllegalStateException if it takes a [#pass]
  public Stream<StepRow> rows(Steps steps, int rank) {
    requireRank(rank);
    return rows(steps, rank, rows -> rows.takeWithIds(mayRead));
  }

  /// Returns the same without the numbers that rows have in the table.
  Stream<StepRow> rowsAsStored(Steps steps, int rank) {
    return rows(steps, rank, NamedRows::take);
  }

  private Stream<StepRow> rows(Steps steps, int rank, Function<NamedRows, List<StepRow>> taken) {
    if (!isOfRows()) {
      return taken.apply(traced(steps, OptionalInt.of(rank), _ -> true)).stream();
    }
    EpochSteps known = steps();
    long end = Math.min(steps.to(), known.end());
    return Stream.iterate(
            new Share(steps.from(), rank),
            share -> share.step() < end,
            share -> new Share(share.step() + 1, rank))
        .flatMap(share -> taken.apply(rows(known, share)).stream());
  }

  private void requireRank(int rank) {
    SavedState state = asked.state();
    int most = state == null || asked.goesOn() ? planner().rank().count() : 1;
    if (state != null) {
      most = Math.max(most, state.dealing().world());
      for (Leg leg : state.past()) {
        most = Math.max(most, leg.dealing().world());
      }
    }
    if (rank < 0 || rank >= most) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot tell the rows of rank %s: the ranks of epoch %s are in [0, %s).",
              rank, asked.epoch(), most));
    }
  }

  /// A rank's batch.
  private record Share(long step, int rank) {
    Share next(int ranks) {
      return rank + 1 < ranks ? new Share(step, rank + 1) : new Share(step + 1, 0);
    }
  }

  /// Returns what names the rows of a rank's batch; they are to be taken before the next.
  private NamedRows rows(EpochSteps known, Share share) {
    named.clear();
    known.rows(share.step(), share.rank(), this::name);
    return named;
  }

  private void name(long step, int rank, int place, int source, TableFile file, long row) {
    named.add(step, rank, place, source, file, row, row + 1, Optional.empty());
  }

  /// Returns where rows come or came in the epoch. Finding them reads the columns of the filter.
  ///
  /// @param rows which
  /// @return in the order of the epoch
  /// @throws IllegalStateException if it takes a [#pass]
  public Stream<StepRow> find(Filter rows) {
    if (!isOfRows()) {
      return traced(new Steps(0, Long.MAX_VALUE), OptionalInt.empty(), has(rows))
          .takeWithIds(true)
          .stream();
    }
    EpochSteps known = steps();
    named.clear();
    known.find(chosen(rows), this::name);
    return named.takeWithIds(mayRead).stream();
  }

  private Predicate<RowPart> has(Filter rows) {
    if (!mayRead) {
      return _ -> true; // it is refused
    }
    ChosenRows chosen = chosen(rows);
    return part -> {
      RowOrigin of = part.origin();
      return chosen.of(part.source(), of.file(), of.first(), of.end()).length > 0;
    };
  }

  /// Reads which rows match.
  private ChosenRows chosen(Filter filter) {
    ChosenRows.Builder chosen = new ChosenRows.Builder();
    List<StructuredDataset> sources = asked.dataset().sources();
    for (int source = 0; source < sources.size(); source++) {
      StructuredDataset filtered = sources.get(source).filter(filter);
      Matches matches = filtered.matches(source, asked.options());
      for (TableFile file : filtered.table().files()) {
        RowSet rows = matches.of(file);
        for (long i = 0; i < rows.count(); i++) {
          chosen.add(source, file.location(), rows.row(i));
        }
      }
    }
    return chosen.build();
  }

  /// Returns the digest of a rank's step, as a log of the run should have it.
  ///
  /// @param step the step
  /// @param rank the rank
  /// @return the digest
  public StepDigest digest(long step, int rank) {
    OfRows found =
        StepRecording.digests(asked.dataset(), asked.options())
            .bySteps(rowsAsStored(Steps.of(step), rank))
            .getOrDefault(step, RowDigests.none());
    return new StepDigest(asked.epoch(), step, rank, world(step), found.rows(), found.digest());
  }

  private int world(long step) {
    SavedState state = asked.state();
    if (isOfRows()) {
      return steps().ranks(step);
    }
    return state == null || (asked.goesOn() && step >= state.batches())
        ? planner().rank().count()
        : EpochCourse.of(state).world(step);
  }

  /// Returns what plans the epoch, without the rows that were excluded before it.
  private EpochPlanner planner() {
    EpochPlanner known = planner;
    if (known == null) {
      SavedState state = asked.state();
      known =
          asked
              .counting()
              .planner()
              .without(asked.epoch(), state == null ? List.of() : state.excluded());
      planner = known;
    }
    return known;
  }

  /// Returns whether the order tells the rows; else it takes a [TracedRun].
  private boolean isOfRows() {
    return planner().isOfRows();
  }

  /// Runs the epoch to see which rows steps have.
  private NamedRows traced(Steps wanted, OptionalInt rank, Predicate<RowPart> chosen) {
    if (!mayRead) {
      throw needsPass(
          "what a composition or a transform makes of rows is known only when it has made it");
    }
    try (TracedRun run =
        new TracedRun(
            asked.dataset(),
            asked.options(),
            planner().rank(),
            asked.epoch(),
            asked.state(),
            asked.goesOn())) {
      return run.rows(wanted, rank, chosen);
    }
  }

  private EpochSteps steps() {
    EpochSteps known = steps;
    if (known == null) {
      EpochPlanner planner = planner();
      List<Need> needs = planner.countsOfSteps(asked.state());
      Counted counted =
          asked
              .counting()
              .known(needs)
              .orElseGet(() -> {
                if (!mayRead) {
                  throw needsPass(
                      "which rows match the filter is known only when its columns are read");
                }
                return asked.counting().count(needs);
              });
      known = planner.steps(asked.epoch(), counted, asked.state(), asked.goesOn());
      steps = known;
    }
    return known;
  }

  private static IllegalStateException needsPass(String reason) {
    return Advice.stateError(
        "Cannot tell the rows of steps without a pass over the data: %s. Allow it with %s.",
        reason, Remedy.of("pass", "", "RowsOfSteps.pass(true)"));
  }

  /// Plans and counts without a loader.
  private static final class Apart implements Counting {
    private final StructuredDataset dataset;
    private final StructuredDataset planned;
    private final LoaderOptions options;
    private final Rank rank;
    private @Nullable EpochPlanner planner;
    private @Nullable Passes passes;

    Apart(StructuredDataset dataset, LoaderOptions options, Rank rank) {
      Objects.requireNonNull(options, "options must not be null.");
      this.dataset = dataset;
      this.planned = EpochStarter.planned(dataset, options);
      this.options = options;
      this.rank = rank;
    }

    @Override
    public EpochPlanner planner() {
      EpochPlanner known = planner;
      if (known == null) {
        known =
            EpochStarter.planner(
                planned,
                options,
                rank,
                rows -> passes().find(rows, () -> EpochStarter.sources(dataset)));
        planner = known;
      }
      return known;
    }

    @Override
    public Optional<Counted> known(List<Need> needs) {
      return passes().known(needs);
    }

    @Override
    public Counted count(List<Need> needs) {
      return passes()
          .count(
              needs,
              () -> {
                throw new IllegalStateException("Only matches are counted, got " + needs);
              });
    }

    private Passes passes() {
      Passes known = passes;
      if (known == null) {
        Reading reading = options.reading();
        long memory = options.memoryUse().limitFor(reading.workers()).bytes();
        int sources = planned.mixture().map(each -> each.sources().size()).orElse(1);
        known = new Passes(reading.workers(), new MemoryMeter(memory), sources);
        passes = known;
      }
      return known;
    }
  }
}
