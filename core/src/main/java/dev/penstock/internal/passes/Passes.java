package dev.penstock.internal.passes;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.compose.ComposedWindows;
import dev.penstock.internal.compose.StepCosts;
import dev.penstock.internal.decode.FilterMemo;
import dev.penstock.internal.decode.Piling;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.order.Counted;
import dev.penstock.internal.order.Need;
import dev.penstock.internal.plan.ChosenRows;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Source;
import dev.penstock.schema.Schema;
import dev.penstock.stats.PassStats;
import dev.penstock.steps.ExcludedRows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a loader reads before its epochs. What is counted is kept, and holds for each epoch.
///
/// **Threads.** Any; the first that asks makes a pass, others wait for it. [#close()] ends it.
///
/// **Errors.** [java.io.UncheckedIOException] if the files cannot be read, do not fit, or the cache
/// has no room; [dev.penstock.format.MemoryLimitException]; [IllegalStateException] if the loader
/// is closed before a pass is done, if a transform fails, or if one inside a pass asks.
public final class Passes {
  private final PassReader reader;
  private final List<FilterMemo> findings;

  @GuardedBy("this")
  private final Map<Integer, Matches> matches = new HashMap<>();

  @GuardedBy("this")
  private @Nullable ComposedWindows windows;

  @GuardedBy("this")
  private ChosenRows cutOfWindows = ChosenRows.NONE;

  @GuardedBy("this")
  private final ExclusionPass exclusions;

  @GuardedBy("this")
  private @Nullable ColumnForms forms;

  public Passes(int workers, MemoryMeter meter, int sources) {
    this.reader = new PassReader(workers, meter);
    this.exclusions = new ExclusionPass(reader);
    this.findings = Stream.generate(FilterMemo::none).limit(sources).toList();
  }

  public List<FilterMemo> findings() {
    return findings;
  }

  public Counted count(List<Need> needs, Supplier<RowSteps> steps) {
    Map<Integer, Matches> counted = new HashMap<>();
    ComposedWindows made = null;
    for (Need need : needs) {
      switch (need) {
        case Need.Matches(List<Source> sources) ->
            sources.forEach(source -> counted.put(source.number(), matches(source)));
        case Need.Windows wanted -> made = windows(wanted, steps.get());
        case Need.Cache _, Need.Piles _ -> throw new IllegalArgumentException(need + " is stored");
      }
    }
    return new Counted(counted, made);
  }

  /// Returns what [#count] does if nothing has to be read for it.
  public Optional<Counted> known(List<Need> needs) {
    Map<Integer, Matches> counted = new HashMap<>();
    for (Need need : needs) {
      if (!(need instanceof Need.Matches(List<Source> sources))) {
        return Optional.empty();
      }
      for (Source source : sources) {
        Optional<Matches> known = known(source);
        if (known.isEmpty()) {
          return Optional.empty();
        }
        counted.put(source.number(), known.get());
      }
    }
    return Optional.of(new Counted(counted, null));
  }

  private synchronized Optional<Matches> known(Source source) {
    Matches known = matches.get(source.number());
    if (known == null) {
      Optional<Matches> planned = MatchPass.planned(source, findings.get(source.number()));
      planned.ifPresent(found -> matches.put(source.number(), found));
      return planned;
    }
    return Optional.of(known);
  }

  private Matches matches(Source source) {
    reader.requireOutside();
    synchronized (this) {
      return matches.computeIfAbsent(
          source.number(), number -> MatchPass.find(reader, source, findings.get(number)));
    }
  }

  private ComposedWindows windows(Need.Windows wanted, RowSteps steps) {
    reader.requireOutside();
    synchronized (this) {
      ComposedWindows known = windows;
      ChosenRows cut = wanted.source().cut();
      if (known == null || !cut.equals(cutOfWindows)) {
        known = WindowPass.find(reader, wanted, steps);
        windows = known;
        cutOfWindows = cut;
      }
      return known;
    }
  }

  /// Returns where excluded rows are in each source. Keys that no row has are nowhere.
  ///
  /// @param sources with the footers of all files
  /// @throws IllegalArgumentException if no source has a column or a file
  public ChosenRows find(ExcludedRows rows, Supplier<List<Source>> sources) {
    reader.requireOutside();
    List<Source> all = sources.get();
    synchronized (this) {
      return exclusions.find(rows, all);
    }
  }

  /// Finds excluded rows, and checks that each key is that of some row.
  ///
  /// @throws IllegalArgumentException as [#find], and if a key is that of none
  public void requireFound(ExcludedRows rows, Supplier<List<Source>> sources) {
    ChosenRows _ = find(rows, sources);
    synchronized (this) {
      exclusions.requireFound(rows);
    }
  }

  /// Returns the forms of columns with the vocabularies that were not given, which are found.
  ///
  /// @param asked the forms as they were asked for, the same each time
  public ColumnForms complete(
      Supplier<ColumnForms> asked, Supplier<List<Source>> sources, Supplier<RowSteps> steps) {
    reader.requireOutside();
    synchronized (this) {
      ColumnForms known = forms;
      if (known == null) {
        known = VocabularyPass.complete(reader, asked.get(), sources, steps);
        forms = known;
      }
      return known;
    }
  }

  /// Decodes what a cache does not have yet, in the form in which batches deliver the columns.
  public void fill(Need.Cache need, Schema schema, List<ColumnPlan> columns, RowSteps steps) {
    reader.requireOutside();
    synchronized (this) {
      CachePass.fill(reader, need.sources(), schema, columns, steps);
    }
  }

  /// Adds up what the steps of all ranks cost.
  ///
  /// @param runs balanced windows of all ranks
  public void measure(List<Run> runs, RowSteps steps, StepCosts into) {
    reader.requireOutside();
    synchronized (this) {
      reader.read("measure what batches cost", runs, steps.measuring(into), List.of());
    }
  }

  /// Puts the rows of an epoch, at least one run, on piles, which the epoch closes.
  public Piling pile(List<Run> runs, List<ColumnPlan> columns, RowSteps steps) {
    reader.requireOutside();
    synchronized (this) {
      return PilePass.pile(reader, runs, columns, steps);
    }
  }

  /// Returns what was read since [#take()], from any thread and without waiting.
  public List<PassStats> stats() {
    return reader.stats();
  }

  /// Returns what was read for an epoch that was begun, and forgets it.
  public List<PassStats> take() {
    return reader.take();
  }

  /// Ends a pass that is on its way; there will be no other.
  public void close() {
    reader.close();
  }
}
