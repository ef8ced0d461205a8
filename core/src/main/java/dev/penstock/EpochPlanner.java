package dev.penstock;

import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Groups;
import dev.penstock.compose.Packs;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.compose.ComposedWindows;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.deliver.EpochEnd;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.KeyedPermutation;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Mix;
import dev.penstock.internal.plan.Mixing;
import dev.penstock.internal.plan.Planner;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.Pruning;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.TorchPermutation;
import dev.penstock.internal.plan.WindowCounts;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.PrunedFile;
import dev.penstock.split.PrunedRows;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.split.Split;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Decides what an epoch delivers before a row of it is read: where it begins or resumes, how its
/// rows are dealt to ranks, how many batches come.
///
/// A value; share it freely among threads.
///
/// @param dataset what is read
/// @param options how it is delivered
/// @param rank whose share it is
/// @param sources what rows are from: the dataset itself, or the sources of a mixture
/// @param decodedBytes about how much the decoded columns take where all rows are shuffled, else 0
record EpochPlanner(
    StructuredDataset dataset,
    LoaderOptions options,
    Rank rank,
    List<Source> sources,
    long decodedBytes) {
  /// A dataset whose rows an epoch has.
  ///
  /// @param number its number, from 0
  /// @param dataset the dataset
  /// @param table its files
  /// @param pruning what its filter leaves of them
  record Source(int number, StructuredDataset dataset, Table table, Pruning pruning) {
    static Source of(int number, StructuredDataset dataset) {
      return new Source(number, dataset, dataset.table(), dataset.pruning());
    }

    Plan plan(LoaderOptions options, long epoch) {
      Shuffle shuffle = options.order().shuffle();
      int readers = Math.max(1, options.reading().workers());
      return Planner.plan(pruning, dataset.strategy(), shuffle, seed(options), epoch, readers);
    }

    /// Returns the seed of its order: sources that are cut alike would else be shuffled alike.
    long seed(LoaderOptions options) {
      return options.order().seed() + SOURCE_SEED * number;
    }

    Sequence sequence(Plan plan) {
      return Sequence.of(number, plan.sequence(), table, pruning);
    }

    Sequence pass(LoaderOptions options, long pass) {
      return sequence(plan(options, pass));
    }

    /// Returns all rows in the order of the files.
    Sequence inFileOrder() {
      List<FileSplit> files = pruning.files().stream().map(FileSplit::whole).toList();
      return Sequence.of(number, files, table, pruning);
    }

    /// Returns how many rows the filter leaves, as far as row groups tell.
    long rowsLeft() {
      long pruned = pruning.pruned().stream().mapToLong(rows -> rows.rows().length()).sum();
      return table.infos().stream().mapToLong(DataFileInfo::rows).sum() - pruned;
    }
  }

  /// The rows that a worker puts in order take this part (1/n) of the memory for each worker.
  private static final int GLOBAL_PARTS = 4;

  /// The least number of parts of an epoch that each worker puts in order. With one part each, some
  /// would wait for the last.
  private static final int GLOBAL_RUNS = 2;

  /// Going over the cache more often takes longer than piles, also in memory: see
  /// docs/design/speed.md.
  private static final int SWEEPS_MAX = 10;

  private static final long SOURCE_SEED = 0x9E37_79B9_7F4A_7C15L;

  /// Makes a planner. Lists the files and reads their footers the first time.
  static EpochPlanner of(StructuredDataset dataset, LoaderOptions options, Rank rank) {
    List<Source> sources = new ArrayList<>();
    for (StructuredDataset each : dataset.sources()) {
      sources.add(Source.of(sources.size(), each));
    }
    EpochPlanner planner = new EpochPlanner(dataset, options, rank, List.copyOf(sources), 0);
    planner.requireFits();
    if (!planner.isGlobal()) {
      return planner;
    }
    long bytes = DecodedBytes.of(planner.sources());
    return new EpochPlanner(dataset, options, rank, planner.sources(), bytes);
  }

  private void requireFits() {
    if (isGlobal()) {
      requireGlobal();
    }
    if (isComposed()) {
      requireComposable();
    }
    if (isMixed() && options.order().splitPerWorker()) {
      throw new IllegalArgumentException(
          "Cannot let each worker make batches of its own Split: a mixture has rows of all sources"
              + " in each. Leave out splitPerWorker(true).");
    }
    if (isMixed() && isTransformed()) {
      throw new IllegalArgumentException(
          "Cannot transform the rows of a mixture: a transform may change their number, and with it"
              + " the shares. Change columns in the collate function, or mix without a transform.");
    }
  }

  private void requireGlobal() {
    String reason =
        isTransformed()
            ? "a transform is given whole blocks of neighbouring rows"
            : isComposed()
                ? "a composition is made of neighbouring rows"
                : options.order().splitPerWorker()
                    ? "each worker makes batches of its own Split"
                    : isMixed() && !isMixable(options.order().shuffle())
                        ? "torch's order and piles are of one dataset, unlike 'global:1'"
                        : "";
    if (!reason.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot shuffle "
              + dataset
              + " by '"
              + options.order().shuffle()
              + "': "
              + reason
              + ". Use Shuffle.window(rows).");
    }
    Optional<TableFile> without =
        sources.stream()
            .flatMap(source -> source.table().files().stream())
            .filter(file -> file.cached().isEmpty() && !file.rowGroups().isEmpty())
            .findFirst();
    if (without.isPresent()) {
      throw new IllegalArgumentException(
          "Cannot shuffle by '"
              + options.order().shuffle()
              + "': rows are read by number from a cache, and "
              + (without.get().version().isEmpty()
                  ? "none can have '"
                      + without.get().location()
                      + "', as its store does not tell when it changes. Use Shuffle.window(rows)."
                  : "there is none for '"
                      + without.get().location()
                      + "'. "
                      + CacheFolder.advice(DecodedBytes.of(sources), atLeastOneWorker() + 1)));
    }
  }

  /// Returns whether a mixture can be put in an order in which each row may come at any place.
  private static boolean isMixable(Shuffle shuffle) {
    return switch (shuffle) {
      case Shuffle.Global(Shuffle.Passes passes) -> passes != Shuffle.Passes.TWO;
      case Shuffle.Torch _ -> false;
      case Shuffle.None _, Shuffle.Splits _, Shuffle.Window _ -> true;
    };
  }

  private void requireComposable() {
    if (isCut() && options.batching().dropLast()) {
      throw new IllegalArgumentException(
          "Cannot leave out the last batch: with "
              + composition()
              + ", batches have different numbers of rows, and rows of every window would be lost."
              + " Leave out dropLast(true).");
    }
    if (isMixed() && isAlwaysCounted()) {
      throw new IllegalArgumentException(
          "Cannot compose a mixture to "
              + composition()
              + ": its rows are others in each epoch. Buckets and packs can be made of a mixture.");
    }
    if (Composing.isOfGroups(composition()) && isTransformed()) {
      throw new IllegalArgumentException(
          "Cannot make "
              + composition()
              + " of what a transform makes: it may change rows and keys. Leave out the transform.");
    }
  }

  private boolean isMixed() {
    return dataset.mixture().isPresent();
  }

  /// Returns whether each row may come at any place.
  boolean isGlobal() {
    return switch (options.order().shuffle()) {
      case Shuffle.Global _, Shuffle.Torch _ -> true;
      case Shuffle.None _, Shuffle.Splits _, Shuffle.Window _ -> false;
    };
  }

  /// Returns whether rows are put in order by two passes, see [Shuffle.Passes].
  boolean isPiled() {
    return switch (options.order().shuffle()) {
      case Shuffle.Global(Shuffle.Passes passes) -> isPiled(passes);
      case Shuffle.Torch(Shuffle.Passes passes) -> isPiled(passes);
      case Shuffle.None _, Shuffle.Splits _, Shuffle.Window _ -> false;
    };
  }

  private boolean isPiled(Shuffle.Passes passes) {
    return switch (passes) {
      case ONE -> false;
      case TWO -> true;
      case BY_SIZE ->
          !isMixed()
              && (decodedBytes > MachineMemory.bytes() / 2
                  || decodedBytes / rank.count() > SWEEPS_MAX * bytesAtOnce());
    };
  }

  /// Returns how much of a global shuffle each worker puts in order together.
  private long bytesAtOnce() {
    return options.memoryUse().limitFor(options.reading().workers()).bytes()
        / GLOBAL_PARTS
        / atLeastOneWorker();
  }

  /// Returns where piles are.
  CacheFolder pileFolder() {
    return only().table().files().stream()
        .flatMap(file -> file.cached().stream())
        .findFirst()
        .orElseThrow()
        .folder();
  }

  /// Returns whether each place of the sequence has a row that matches the filter.
  private boolean isNumbered() {
    return isMixed() || isGlobal();
  }

  private Source only() {
    return sources.getFirst();
  }

  private boolean isFilterExact() {
    return sources.stream().allMatch(source -> source.pruning().isExact());
  }

  /// Returns how many rows the filter ruled out before anything is read.
  long prunedRows() {
    return sources.stream()
        .flatMap(source -> source.pruning().pruned().stream())
        .mapToLong(pruned -> pruned.rows().length())
        .sum();
  }

  /// Returns how many files were ruled out before they were opened.
  int prunedFiles() {
    return sources.stream().mapToInt(source -> source.pruning().prunedFiles().size()).sum();
  }

  /// Returns which rows of each source match its filter, where it has to be known which do.
  ///
  /// @param count finds the matches of a source
  List<Matches> matches(Function<Source, Matches> count) {
    return sources.stream()
        .map(source -> isMixed() && source.pruning().isExact() ? Matches.NONE : count.apply(source))
        .toList();
  }

  /// Returns whether ranks are dealt the rows that match: there are several, a filter tests rows,
  /// and nothing else decides how many batches there are.
  boolean isCounted() {
    return !isNumbered()
        && options.rankShare().countMatches()
        && rank.count() > 1
        && !isFilterExact()
        && options.batching().stepsPerEpoch().isEmpty()
        && !isReshaped()
        && !options.order().splitPerWorker();
  }

  /// Returns whether it has to be known which rows match, to begin or to go on.
  boolean needsMatches(@Nullable LoaderState state) {
    return isCounted()
        || (isNumbered() && !isFilterExact())
        || (!isNumbered() && !isComposed() && state != null && state.countsMatches());
  }

  private boolean isTransformed() {
    return options.transformation().function().isPresent();
  }

  private boolean isComposed() {
    return options.batching().composition().isPresent();
  }

  /// Returns whether something may change the number of rows.
  private boolean isReshaped() {
    return isTransformed() || isComposed();
  }

  /// Returns whether each row of the sequence becomes one row of a batch.
  private boolean isExact() {
    return !isReshaped() && (isNumbered() || isFilterExact());
  }

  /// Returns whether a composition's windows are those of the files, the same in each epoch. Those
  /// of a mixture are not.
  private boolean hasFixedWindows() {
    return isComposed() && !isMixed();
  }

  /// Returns whether it is counted how much is made of each window, so that all ranks have the same
  /// number of batches.
  private boolean isMadeCounted() {
    return hasFixedWindows() && (isAlwaysCounted() || isCountedForRanks());
  }

  /// Returns whether windows cannot be known without reading what decides the composition.
  private boolean isAlwaysCounted() {
    return switch (composition()) {
      case Groups _, SlidingWindows _, WeightedDraws _ -> true;
      case Buckets _, Packs _ -> false;
    };
  }

  private Composition composition() {
    return options.batching().composition().orElseThrow();
  }

  private boolean isCountedForRanks() {
    return options.rankShare().countMatches()
        && rank.count() > 1
        && options.batching().stepsPerEpoch().isEmpty();
  }

  /// Returns whether it has to be known how much is made of each window, to begin or to go on.
  boolean needsCounts(@Nullable LoaderState state) {
    return isMadeCounted() || (hasFixedWindows() && state != null && state.countsMatches());
  }

  private Dealing dealing() {
    return new Dealing(rank.count(), options.rankShare().end(), isCounted() || isMadeCounted());
  }

  /// Returns the windows that are composed, in the order of the files.
  Sequence windows() {
    long seed = options.order().seed();
    return options.order().shuffle() instanceof Shuffle.Window(int rows, int interleave)
        ? inFileOrder()
            .inFixedWindows(
                rows, interleave > 1 && !Composing.isOfGroups(composition()), true, seed)
        : inFileOrder().inFixedWindows(Composition.ROWS, false, false, seed);
  }

  /// Returns all rows of a dataset that is no mixture, in the order of the files.
  Sequence inFileOrder() {
    return only().inFileOrder();
  }

  private Sequence windows(long epoch, @Nullable ComposedWindows counted) {
    Sequence windows = counted == null ? windows() : counted.windows();
    boolean isInOrder = options.order().shuffle() instanceof Shuffle.None;
    return isInOrder ? windows : windows.permuted(options.order().seed(), epoch);
  }

  private WindowCounts counts(ComposedWindows counted, long epoch) {
    return counted.made().counts(options.order().seed(), epoch);
  }

  private boolean isCut() {
    return options.batching().composition().filter(Composing::isCut).isPresent();
  }

  /// Returns how many rows of the sequence make a batch, where they are known.
  private int batchRows() {
    return isCut() ? 1 : options.batching().size();
  }

  private int atLeastOneWorker() {
    return Math.max(1, options.reading().workers());
  }

  /// Returns the plan of a dataset that is no mixture, for all ranks together.
  private Plan whole(long epoch) {
    return only().plan(options, epoch);
  }

  /// Returns the rows of a pass over each source.
  private List<Sequence> passes(long number) {
    return sources.stream().map(source -> source.pass(options, number)).toList();
  }

  private Mixing mixing(long epoch, List<Matches> matches) {
    return mixing(epoch, matches, (source, _) -> pass -> source.pass(options, pass));
  }

  /// Returns a mixture in which each row may come at any place of its source.
  private Sequence mixedGlobal(long epoch, List<Matches> matches) {
    int atOnce = rowsAtOnce();
    Mixing mixing =
        mixing(
            epoch,
            matches,
            (source, counted) -> {
              Sequence inOrder = source.inFileOrder();
              long seed = source.seed(options);
              return pass ->
                  inOrder.global(counted, rows -> new KeyedPermutation(rows, seed, pass), atOnce);
            });
    return Sequence.global(mixing, atOnce);
  }

  /// Makes the sequences of passes over a source.
  private interface Passes {
    /// Makes them.
    ///
    /// @param counted which of the rows match; null where all do
    /// @return by the number of a pass, its rows
    LongFunction<Sequence> of(Source source, @Nullable Matches counted);
  }

  private Mixing mixing(long epoch, List<Matches> matches, Passes passes) {
    List<Mixing.Source> mixed = new ArrayList<>();
    for (Source source : sources) {
      Matches counted = source.pruning().isExact() ? null : matches.get(source.number());
      long rows = counted == null ? source.rowsLeft() : counted.rows();
      if (rows == 0) {
        throw new IllegalArgumentException(
            "Cannot mix source "
                + source.number()
                + ", "
                + source.dataset()
                + ": it has no rows. Leave it out.");
      }
      LongFunction<Sequence> all = passes.of(source, counted);
      mixed.add(
          new Mixing.Source(
              rows, groupRows(source), counted, pass -> all.apply(pass).byMatches(counted)));
    }
    Mix mix = dataset.mixture().orElseThrow().mix();
    return Mixing.of(mix, mixed, options.order().seed(), epoch);
  }

  private static long groupRows(Source source) {
    long groups = 0;
    long rows = 0;
    for (DataFileInfo file : source.table().infos()) {
      groups += file.rowGroups().size();
      rows += file.rows();
    }
    return Math.max(1, rows / Math.max(1, groups));
  }

  private StateIdentity identity(List<Sequence> passes) {
    List<StateIdentity> each = new ArrayList<>();
    for (Source source : sources) {
      Sequence pass = passes.get(source.number());
      each.add(StateIdentity.of(source.dataset(), options, source.table(), pass));
    }
    return isMixed()
        ? StateIdentity.mixed(each, dataset.mixture().orElseThrow().mix().toString())
        : each.getFirst();
  }

  /// Returns what the rank reads. Counts the rows that match where that decides it.
  ///
  /// @param matches finds which rows match, where that is needed
  /// @param counts finds how much is made of each window, where that is needed
  Plan share(long epoch, Supplier<List<Matches>> matches, Supplier<ComposedWindows> counts) {
    if (isMadeCounted() && rank.count() > 1) {
      ComposedWindows counted = counts.get();
      Sequence made = windows(epoch, counted).counted(counts(counted, epoch));
      List<FileSplit> read = new ArrayList<>();
      for (Run run : dealing().share(made, rank.index()).runs()) {
        for (RowRun part : run.parts()) {
          read.add(FileSplit.of(part.file().info(), part.firstRow(), part.rowCount()));
        }
      }
      return share(epoch, read, List.of());
    }
    if (isGlobal() && !isMixed()) {
      return whole(epoch); // Each rank has rows of all files.
    }
    List<Matches> known = needsMatches(null) ? matches.get() : List.of();
    if (isMixed()) {
      Sequence all = Sequence.of(mixing(epoch, known));
      Sequence dealt = dealing().share(all, rank.index());
      Sequence read = isGlobal() ? all : dealt;
      return share(epoch, read.splits(), Mixing.sources(dealt.runs(), dealt.rows()));
    }
    Plan whole = whole(epoch);
    if (rank.count() == 1) {
      return whole;
    }
    Sequence all = only().sequence(whole).byMatches(isCounted() ? known.getFirst() : null);
    return share(epoch, dealing().share(all, rank.index()).splits(), List.of());
  }

  private Plan share(long epoch, List<FileSplit> splits, List<Long> rowsOfSources) {
    List<DataFileInfo> files = new ArrayList<>();
    List<PrunedRows> pruned = new ArrayList<>();
    List<PrunedFile> prunedFiles = new ArrayList<>();
    for (Source source : sources) {
      files.addAll(source.pruning().files());
      pruned.addAll(source.pruning().pruned());
      prunedFiles.addAll(source.pruning().prunedFiles());
    }
    List<Split> dealt = TargetSizeSplitStrategy.dealEvenly(splits, atLeastOneWorker());
    return new Plan(epoch, files, dealt, splits, pruned, prunedFiles, rowsOfSources);
  }

  /// Returns the state at the start of an epoch, for which nothing needs to be counted.
  LoaderState beginning(long epoch) {
    return new LoaderState(
        identity(passes(epoch)),
        epoch,
        List.of(),
        dealing(),
        OptionalInt.of(rank.index()),
        List.of(Position.START),
        0);
  }

  /// Returns how many batches an epoch has, where no number was promised.
  ///
  /// @param matches finds which rows match, where that is needed
  /// @param counts finds how much is made of each window, where that is needed
  /// @param epoch the epoch, where workers make batches of their own
  /// @throws IllegalStateException if that shows only when the rows are read
  long batches(
      Supplier<List<Matches>> matches, Supplier<ComposedWindows> counts, Supplier<Long> epoch) {
    if (isMadeCounted()) {
      ComposedWindows counted = counts.get();
      long made = counted.windows().counted(counts(counted, epoch.get())).rows();
      return options.batching().dropLast()
          ? dealing().least(made) / batchRows()
          : Math.ceilDiv(dealing().most(made), batchRows());
    }
    if (isReshaped() || (!isNumbered() && !isCounted() && !isFilterExact())) {
      String maker = isComposed() ? "composition makes" : "transform makes";
      throw new IllegalStateException(
          "Cannot tell the number of batches: how many rows the "
              + (isReshaped() ? maker : "filter keeps")
              + " shows only when they are read. stepsPerEpoch(n) promises a number.");
    }
    if (options.order().splitPerWorker()) {
      return turns(plan(epoch.get(), List.of(), null, null), options.batching().size()).batches();
    }
    long rows =
        isMixed()
            ? mixing(0, isFilterExact() ? List.of() : matches.get()).rows()
            : isCounted() || !isFilterExact() ? matches.get().getFirst().rows() : only().rowsLeft();
    return options.batching().dropLast()
        ? dealing().least(rows) / options.batching().size()
        : Math.ceilDiv(dealing().most(rows), options.batching().size());
  }

  /// Returns how workers take turns that make batches of their own rows.
  BatchTurns turns(EpochPlan plan, int batchSize) {
    return new BatchTurns(
        plan.workers(), batchSize, options.batching().dropLast() ? options.batching().size() : 1);
  }

  /// Plans an epoch.
  ///
  /// @param epoch the epoch, counted from 0
  /// @param matches which rows of each source match; empty where [#needsMatches] is false
  /// @param counted the windows, and how much is made of each; null where [#needsCounts] is false
  /// @param state where to go on; null to begin
  /// @throws IllegalArgumentException if the state is not one of this epoch
  EpochPlan plan(
      long epoch,
      List<Matches> matches,
      @Nullable ComposedWindows counted,
      @Nullable LoaderState state) {
    WindowCounts counts = counted == null ? null : counts(counted, epoch);
    List<Sequence> passes = passes(epoch);
    StateIdentity identity = identity(passes);
    Sequence all =
        isGlobal()
            ? isMixed() ? mixedGlobal(epoch, matches) : global(epoch, matches)
            : isMixed()
                ? Sequence.of(mixing(epoch, matches))
                : isComposed() ? windows(epoch, counted) : passes.getFirst();
    EpochStart from = state == null ? EpochStart.of(dealing()) : resumed(state, identity);
    Sequence left =
        left(all, from, isNumbered() || matches.isEmpty() ? null : matches.getFirst(), counts);
    if (state != null && isSameWorld(state.dealing(), from.dealing())) {
      requireWithin(new Leg(from.dealing(), state.positions()), rank.index(), left);
    }
    if (options.order().splitPerWorker()) {
      requireApart(state);
      EpochStart start = new EpochStart(from.past(), from.dealing(), Position.START, 0);
      return new EpochPlan(
          epoch, identity, rank, start, apart(epoch), end(start, -1, Long.MAX_VALUE));
    }
    Sequence share =
        order()
            .apply(from.dealing().share(left, rank.index()))
            .from(from.position(), options.transformation().rows());
    boolean isKnown = isExact() || from.dealing().byMatches();
    if (isKnown && options.batching().stepsPerEpoch().isPresent()) {
      share = promised(share, from.batches());
    }
    EpochEnd end = end(from, isKnown ? left.rows() : -1, isKnown ? share.rows() : Long.MAX_VALUE);
    return new EpochPlan(epoch, identity, rank, from, List.of(share.runs()), end);
  }

  private Sequence global(long epoch, List<Matches> matches) {
    long seed = options.order().seed();
    boolean isTorch = options.order().shuffle() instanceof Shuffle.Torch;
    return inFileOrder()
        .global(
            matches.isEmpty() ? null : matches.getFirst(),
            rows ->
                isTorch
                    ? new TorchPermutation(rows, seed, epoch)
                    : new KeyedPermutation(rows, seed, epoch),
            rowsAtOnce());
  }

  /// Returns how many rows of a global shuffle each worker puts in order together. With one pass,
  /// it goes over all row groups each time.
  int rowsAtOnce() {
    long rows = 1;
    long bytes = 1;
    for (Source source : sources) {
      for (TableFile file : source.table().files()) {
        rows += file.info().rows();
        bytes += file.cached().map(cached -> cached.file().bytes()).orElse(0L);
      }
    }
    if (isPiled()) { // then the cache need not have the columns
      bytes = Math.max(1, decodedBytes);
    }
    long fair = Math.ceilDiv(rows, GLOBAL_RUNS * atLeastOneWorker());
    return Math.clamp(Math.min(bytesAtOnce() / Math.ceilDiv(bytes, rows), fair), 1, 1 << 20);
  }

  private EpochStart resumed(LoaderState state, StateIdentity identity) {
    if (isReshaped() && !hasFixedWindows() && state.countsMatches()) {
      throw new IllegalArgumentException(
          "Cannot resume: the state counts rows that match the filter, but here a "
              + (isComposed() ? "composition" : "transform")
              + " may change their number. Resume with the options of the stopped run.");
    }
    state.identity().require(identity);
    boolean isExact = isExact() || state.dealing().byMatches();
    if (isSameWorld(state.dealing(), dealing())) { // what was dealt stays so
      Position at = position(state, isExact);
      return new EpochStart(state.past(), state.dealing(), at, state.batches());
    }
    List<Leg> past = new ArrayList<>(state.past());
    past.add(stopped(state, isExact));
    return new EpochStart(past, dealing(), Position.START, state.batches());
  }

  /// Returns what the ranks of earlier worlds have left.
  private Sequence left(
      Sequence all, EpochStart from, @Nullable Matches matches, @Nullable WindowCounts counts) {
    Sequence left = all;
    for (Leg stage : from.past()) {
      left = counted(left, stage.dealing(), matches, counts);
      requireWithin(stage, 0, left);
      left = stage.rest(left, order(), options.transformation().rows());
    }
    return counted(left, from.dealing(), matches, counts);
  }

  /// Returns a sequence whose rows are counted as they were dealt.
  private Sequence counted(
      Sequence sequence,
      Dealing dealing,
      @Nullable Matches matches,
      @Nullable WindowCounts counts) {
    if (hasFixedWindows()) {
      return dealing.byMatches() ? sequence.counted(Objects.requireNonNull(counts)) : sequence;
    }
    return sequence.byMatches(dealing.byMatches() ? Objects.requireNonNull(matches) : null);
  }

  /// Returns the rows of the steps that are promised, so that no others are fetched; all if there
  /// are fewer.
  private Sequence promised(Sequence share, long batchesBefore) {
    long steps = Math.max(0, options.batching().stepsPerEpoch().getAsLong() - batchesBefore);
    boolean hasMore = steps <= share.rows() / batchRows();
    return hasMore ? share.slice(0, steps * batchRows()) : share;
  }

  private static boolean isSameWorld(Dealing one, Dealing other) {
    return one.world() == other.world() && one.end() == other.end();
  }

  /// Checks that ranks can have stopped where a state says.
  ///
  /// @param alone the rank whose position it is where there is one
  private void requireWithin(Leg stage, int alone, Sequence dealt) {
    List<Position> positions = stage.positions();
    Dealing dealing = stage.dealing();
    for (int i = 0; i < positions.size(); i++) {
      Position position = positions.get(i);
      boolean isAlone = positions.size() == 1;
      // Which may not be cut in the middle of a block.
      long share = dealing.share(dealt, isAlone ? alone : i).rows();
      // Of those who stopped after the same step some have a row less than the one that says so.
      long rows = isAlone ? Math.max(dealing.most(dealt.rows()), share) : share;
      if (position.rows() > rows) {
        throw new IllegalArgumentException(
            "Cannot resume: the state is behind row "
                + position.rows()
                + " of a rank that has "
                + rows
                + ". Give what LoaderState.toJson() wrote.");
      }
      if (position.behind() > 0 && (!isReshaped() || dealing.byMatches())) {
        throw new IllegalArgumentException(
            "Cannot resume: the state is behind "
                + position.behind()
                + " of the rows that a transform made of row "
                + position.rows()
                + " and its neighbours, but here is no transform. Resume with the options of the"
                + " stopped run.");
      }
    }
  }

  private void requireApart(@Nullable LoaderState state) {
    String reason = null;
    if (!isExact()) {
      reason =
          "how many rows each has shows only when the "
              + (isComposed()
                  ? "composition has made"
                  : isTransformed() ? "transform has made" : "filter has tested")
              + " them";
    } else if (rank.count() > 1) {
      reason = "ranks would have different numbers of batches, and this is rank " + rank;
    } else if (state != null && (state.batches() > 0 || !state.past().isEmpty())) {
      reason =
          "the state to resume is that of a sequence, after batch "
              + state.batches()
              + " of epoch "
              + state.epoch();
    }
    if (reason != null) {
      throw new IllegalArgumentException(
          "Cannot let each worker make batches of its own Split: "
              + reason
              + ". Leave out splitPerWorker(true).");
    }
  }

  /// Returns the runs of each worker: those of its own Split, and of another one for each time that
  /// there are more Splits than workers.
  private List<List<Run>> apart(long epoch) {
    Plan plan = whole(epoch);
    int workers = atLeastOneWorker();
    List<List<Run>> runs = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      List<FileSplit> own = new ArrayList<>();
      for (int split = worker; split < plan.splits().size(); split += workers) {
        own.addAll(plan.splits().get(split).fileSplits());
      }
      own.removeIf(split -> split.rows() == 0);
      runs.add(order().apply(Sequence.of(own, only().table(), only().pruning())).runs());
    }
    return runs;
  }

  /// Returns what puts a rank's share in its order.
  private UnaryOperator<Sequence> order() {
    boolean isShuffled = options.order().shuffle() instanceof Shuffle.Window;
    int rows =
        options.order().shuffle() instanceof Shuffle.Window(int chosen, int _)
            ? chosen
            : Composition.ROWS;
    if (hasFixedWindows()) {
      return UnaryOperator.identity(); // it is in windows before it is dealt
    }
    if (isComposed()) {
      return share -> share.composed(rows, isShuffled);
    }
    return isShuffled ? share -> share.windowed(rows) : UnaryOperator.identity();
  }

  private Position position(LoaderState state, boolean exact) {
    List<Position> positions = state.positions();
    if (positions.size() > 1) {
      return positions.get(rank.index());
    }
    if (!exact && state.rank().orElse(rank.index()) != rank.index()) {
      throw new IllegalArgumentException(
          "Cannot resume rank "
              + rank
              + " with the state of rank "
              + state.rank().getAsInt()
              + ": behind a filter or a transform every rank has a place of its own. Give each rank"
              + " its own state, or all of them the merged one (LoaderState.merge).");
    }
    return positions.getFirst();
  }

  private static Leg stopped(LoaderState state, boolean exact) {
    int world = state.dealing().world();
    if (!exact && world > 1 && state.positions().size() < world) {
      throw new IllegalArgumentException(
          "Cannot deal the rest of the epoch anew with the state of one rank of "
              + world
              + ": behind a filter or a transform every rank has a place of its own. Merge the"
              + " states of all ranks first (LoaderState.merge).");
    }
    return new Leg(state.dealing(), state.positions());
  }

  /// All ranks deliver the same number of batches, also those that have a row less.
  ///
  /// @param from where the epoch starts
  /// @param rows the rows of all ranks, -1 where that is not known
  /// @param left how many of the rank's are left, if that is known
  private EpochEnd end(EpochStart from, long rows, long left) {
    int batchSize = batchRows();
    int places = options.batching().size() / batchSize; // of a row of the sequence
    // Workers that make batches of their own drop their short ones themselves.
    int multiple =
        options.batching().dropLast() && !options.order().splitPerWorker() ? batchSize : 1;
    if (options.batching().stepsPerEpoch().isPresent()) {
      long steps = Math.max(0, options.batching().stepsPerEpoch().getAsLong() - from.batches());
      return EpochEnd.promised(steps, multiple);
    }
    if (options.order().splitPerWorker() || rows < 0) {
      return EpochEnd.of(multiple);
    }
    if (options.batching().dropLast()) {
      long batches = Math.max(0, from.dealing().least(rows) - from.position().rows()) / batchSize;
      return new EpochEnd(1, batches * batchSize, batches, false);
    }
    long batches =
        Math.ceilDiv(Math.max(0, from.dealing().most(rows) - from.position().rows()), batchSize);
    return new EpochEnd(1, left * places, batches, false);
  }
}
