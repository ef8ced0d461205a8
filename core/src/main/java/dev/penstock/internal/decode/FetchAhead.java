package dev.penstock.internal.decode;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.decode.ReaderRuns.Together;
import dev.penstock.internal.fetch.FetchRanges;
import dev.penstock.internal.fetch.FetchedFile;
import dev.penstock.internal.fetch.Fetches;
import dev.penstock.internal.fetch.ReadCounter;
import dev.penstock.internal.filter.Pruner;
import dev.penstock.internal.matches.FilteredReader;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.table.ColumnSource;
import dev.penstock.internal.table.TableFile;
import dev.penstock.internal.workers.UserCode;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.RowRange;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Fetches the bytes that the runs of an epoch will read, ahead of time, from remote stores.
///
/// Files of other stores are just opened. The choice of bytes only affects speed: bytes that were
/// not foreseen are fetched on demand.
///
/// **Threads.** [#open], the files it returns, and [#cancel] from any thread; [#close] after all
/// readers, and all threads that it started, have stopped.
final class FetchAhead implements AutoCloseable {
  /* Runs are planned in the order in which workers take them; see Fetches for when ranges are
   * requested. Half of the reserved memory is for ranges ahead, a quarter for ranges that workers
   * wait for, and the rest for slabs that are larger than their range. */

  /// The memory reserved for fetched bytes, or 3/8 of the loader's memory if that is less.
  private static final long BYTES_MAX = 256L << 20;

  /// The smallest size to which ranges are cut to stay within the memory.
  private static final long RANGE_BYTES_MIN = 64 << 10;

  /// The ranges of the first run are smaller, so that it comes over all connections at once and
  /// nobody waits for the whole of a large range.
  private static final long FIRST_RANGE_BYTES_MIN = 1 << 20;

  private static final long FIRST_RANGE_BYTES_MAX = 4 << 20;

  /// What several windows read of a row group is held for all of them if it takes at most this
  /// fraction (1/n) of the reserved memory: two row groups at once then take half.
  private static final int TOGETHER_PARTS = 4;

  /// How many runs' footers are read at once, ahead of what is fetched.
  private static final int FOOTERS_AHEAD = 8;

  /// The most windows to fetch together: each read goes through the ranges of all their readers.
  private static final int TOGETHER_MAX = 64;

  private final ReaderRuns readerRuns;
  private final List<ColumnGroup> groups;
  private final RowSteps steps;
  private final ReadCounter counter;
  private final MemoryMeter meter;
  private final long reserve;
  private final long rangeMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Fetches fetches;
  private final FooterLoads loads;

  // Guarded by the lock.
  private final IdentityHashMap<RowRun, Planned> planned = new IdentityHashMap<>();
  private final IdentityHashMap<Storage, Optional<FetchAdvice>> advices = new IdentityHashMap<>();
  private final Set<RowRun> over = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Upcoming> upcoming = new ArrayDeque<>();
  private int next; // index in `readerRuns.all()`
  private int nextRead; // index in its reads
  private boolean first = true;
  private boolean reserved;

  /// @param readerRuns the rows to read, and which reader reads which of them
  public FetchAhead(
      ReaderRuns readerRuns,
      List<ColumnGroup> groups,
      RowSteps steps,
      ReadCounter counter,
      EpochResources means) {
    this.readerRuns = readerRuns;
    this.groups = groups;
    this.steps = steps;
    this.counter = counter;
    this.meter = means.meter();
    this.reserve = Math.min(BYTES_MAX, meter.limit() / 8 * 3);
    this.rangeMax = Math.max(RANGE_BYTES_MIN, reserve / 4 / Math.max(1, means.workers()));
    // They count as workers: whoever ends the epoch does not wait for ever for a store.
    Fetches.Starter starter = means.pool()::help;
    this.fetches =
        new Fetches(
            lock,
            new MemoryMeter(meter, Math.max(1, reserve)),
            reserve / 2,
            Fetches.Unforeseen.FETCHED,
            this::planNext,
            starter);
    this.loads = new FooterLoads(counter, starter, fetches::resume);
  }

  /// A run that is planned soon, and its footer once that is read.
  private record Upcoming(
      Together together, RowRun run, FetchAdvice advice, CompletableFuture<TableFile> table) {}

  /// A run that is fetched. Its footer is held, so that the run's readers need not read it again.
  private record Planned(FetchedFile file, TableFile table) {}

  /// A file that the caller closes, with its footer, and up to where its reader may read.
  record Opened(StorageFile file, TableFile table, long endRow) {}

  /// Opens the file of a run for the columns of a group.
  Opened open(RowRun part, int group, long row) throws IOException {
    if (!readerRuns.has(part)) { // chosen rows, which are in a cache
      return late(part, part.endRow());
    }
    Together together = readerRuns.of(part);
    RowRun run = together.readOf(part);
    if (isKept(run, row, steps.read(groups.get(group).schema()))) {
      return late(run, run.endRow());
    }
    StorageFile opened = counter.counting(run.file().open());
    Optional<FetchAdvice> advice = orClose(opened, opened::advice);
    if (advice.isEmpty()) {
      TableFile loaded = orClose(opened, () -> run.file().loaded(opened));
      return new Opened(opened, loaded, run.endRow());
    }
    Planned known = planned(run);
    TableFile table =
        known == null
            ? orClose(opened, () -> FooterLoads.await(loads.begin(run.file())))
            : known.table();
    boolean isUsed = false;
    lock.lock();
    try {
      if (!reserved) {
        reserved = true;
        meter.hold(reserve);
      }
      advices.put(run.file().storage(), advice);
      Planned found = planned.get(run);
      FetchedFile file;
      if (found == null) {
        file =
            over.contains(run) // A reader that failed opens its run again, alone.
                ? plan(List.of(run), new Wants(), table, opened, advice.get())
                : plan(together, run, table, opened, advice.get());
        isUsed = true;
        fetches.add(file);
      } else {
        file = found.file();
      }
      int reader = reader(together, run, group);
      if (!file.awaits(reader) || row != run.firstRow()) {
        List<ByteRange> wanted = new ArrayList<>();
        addWanted(run.in(table), row, groups.get(group), wanted);
        fetches.rejoin(file, reader, wanted);
      }
      return new Opened(fetches.view(file, reader), table, run.endRow());
    } finally {
      lock.unlock();
      if (!isUsed) {
        opened.close();
      }
    }
  }

  private @Nullable Planned planned(RowRun run) {
    lock.lock();
    try {
      return planned.get(run);
    } finally {
      lock.unlock();
    }
  }

  private Opened late(RowRun run, long endRow) {
    return new Opened(counter.counting(run.file().openLate()), run.file(), endRow);
  }

  private interface Step<T> {
    T take() throws IOException;
  }

  private static <T> T orClose(StorageFile opened, Step<T> step) throws IOException {
    try {
      return step.take();
    } catch (Throwable e) {
      opened.close();
      throw e;
    }
  }

  private int reader(Together together, RowRun run, int group) {
    return together.indexOf(run) * groups.size() + group;
  }

  /// Plans the next run whose footer is there.
  private @Nullable FetchedFile planNext() {
    while (!upcoming.isEmpty() || addUpcoming()) {
      Upcoming first = upcoming.getFirst();
      if (!first.table().isDone()) {
        boolean isMore = true;
        while (isMore && upcoming.size() < FOOTERS_AHEAD) {
          isMore = addUpcoming();
        }
        return null;
      }
      upcoming.remove();
      RowRun run = first.run();
      if (isNew(run) && !first.table().isCompletedExceptionally()) {
        try {
          TableFile table = first.table().join();
          // Opened by the first thread that reads it, which does not hold the lock.
          StorageFile late = counter.counting(table.openLate());
          return plan(first.together(), run, table, late, first.advice());
        } catch (IOException | RuntimeException e) {
          // The run's own reader meets the error again and reports it with its place.
        }
      }
    }
    return null;
  }

  /// Goes on to the next run whose store is known to be remote.
  private boolean addUpcoming() {
    while (next < readerRuns.all().size()) {
      Together together = readerRuns.all().get(next);
      RowRun run = together.reads().get(nextRead++);
      if (nextRead == together.reads().size()) {
        next++;
        nextRead = 0;
      }
      Optional<FetchAdvice> advice = advices.getOrDefault(run.file().storage(), Optional.empty());
      if (advice.isPresent() && isNew(run) && !isKept(run)) {
        upcoming.add(new Upcoming(together, run, advice.get(), loads.begin(run.file())));
        return true;
      }
    }
    return false;
  }

  private boolean isKept(RowRun run) {
    return groups.stream()
        .allMatch(group -> isKept(run, run.firstRow(), steps.read(group.schema())));
  }

  private boolean isKept(RowRun run, long row, Schema columns) {
    boolean isTested = !run.rest().isAlways();
    return run.file().isKept(columns, row, run.endRow() - row)
        && (!isTested || run.file().isKept(steps.tested(run), row, run.endRow() - row));
  }

  private boolean isNew(RowRun run) {
    return !planned.containsKey(run) && !over.contains(run);
  }

  /// What each reader of a file will read.
  private static final class Wants {
    private final Map<Integer, List<ByteRange>> byReader = new LinkedHashMap<>();

    List<ByteRange> all() {
      return byReader.values().stream().flatMap(List::stream).toList();
    }
  }

  /// Plans a run, together with the runs that read the same row group if all their bytes are few
  /// enough to be held until every reader has read them.
  private FetchedFile plan(
      Together together, RowRun run, TableFile table, StorageFile opened, FetchAdvice advice)
      throws IOException {
    List<RowRun> reads =
        together.reads().stream()
            .skip(together.indexOf(run))
            .filter(this::isNew)
            .limit(TOGETHER_MAX)
            .toList();
    Wants alone = wants(together, List.of(run), table);
    long most = reserve / TOGETHER_PARTS;
    if (reads.size() > 1 && bytes(alone, opened, advice) <= most) {
      Wants all = wants(together, reads, table);
      if (bytes(all, opened, advice) <= most) {
        return plan(reads, all, table, opened, advice);
      }
    }
    return plan(List.of(run), alone, table, opened, advice);
  }

  private static long bytes(Wants wants, StorageFile opened, FetchAdvice advice) {
    List<ByteRange> ranges = FetchRanges.of(wants.all(), opened.size(), advice);
    return ranges.stream().mapToLong(ByteRange::length).sum();
  }

  private Wants wants(Together together, List<RowRun> reads, TableFile table) throws IOException {
    Wants wants = new Wants();
    for (RowRun run : reads) {
      for (ColumnGroup group : groups) {
        List<ByteRange> wanted = new ArrayList<>();
        addWanted(run.in(table), run.firstRow(), group, wanted);
        wants.byReader.put(reader(together, run, group.index()), wanted);
      }
    }
    return wants;
  }

  private FetchedFile plan(
      List<RowRun> reads, Wants wants, TableFile table, StorageFile opened, FetchAdvice advice) {
    List<ByteRange> all = wants.all();
    long range = Math.min(rangeMax, advice.rangeBytes());
    if (first) {
      first = false;
      long bytes = all.stream().mapToLong(ByteRange::length).sum();
      long part = Math.ceilDiv(bytes, advice.concurrency());
      range = Math.min(range, Math.clamp(part, FIRST_RANGE_BYTES_MIN, FIRST_RANGE_BYTES_MAX));
    }
    FetchAdvice finer =
        new FetchAdvice(advice.concurrency(), advice.gapBytes(), range, advice.hedgeAfter());
    FetchedFile file = new FetchedFile(opened, finer, () -> forget(reads));
    wants.byReader.forEach(file::want);
    file.fetch(all);
    reads.forEach(run -> planned.put(run, new Planned(file, table)));
    return file;
  }

  /// Adds the ranges that a group's reader will read, as [RunSource] opens it.
  private void addWanted(RowRun run, long row, ColumnGroup group, List<ByteRange> wanted)
      throws IOException {
    Schema columns = steps.read(group.schema());
    if (run.rest().isAlways()) {
      addRanges(run, row, columns, wanted);
      return;
    }
    addIndexes(run, wanted);
    OpenRows open = OpenRows.known(run, steps.findings(run));
    RowRange read = open.span(row).orElse(null);
    if (read == null) {
      return;
    }
    RowRun left = run.to(read.end());
    Schema tested = open.known() == null ? steps.tested(run) : Schema.of(List.of());
    for (Schema each : List.of(tested, FilteredReader.others(columns, tested))) {
      if (each.size() > 0) {
        addRanges(left, read.offset(), each, wanted);
      }
    }
  }

  /// Adds the ranges that [OpenRows] will read.
  private void addIndexes(RowRun run, List<ByteRange> wanted) throws IOException {
    Set<String> filters = new HashSet<>();
    Set<String> pages = new HashSet<>();
    // Returns no filter, which rules out nothing: this only collects the columns.
    Pruner.mayMatch(
        run.rest(),
        column -> {
          filters.add(column);
          return Optional.empty();
        });
    Pruner.rows(
        run.rest(),
        new RowRange(0, 1),
        column -> {
          pages.add(column);
          return List.of();
        });
    FileFormat format = run.file().format();
    FileMetadata metadata = run.file().metadata();
    long start = 0;
    List<RowGroup> groupsOfFile = run.file().rowGroups();
    for (int i = 0; i < groupsOfFile.size(); i++) {
      int group = i;
      long end = start + groupsOfFile.get(group).rowCount();
      boolean isRead = start < run.endRow() && end > run.firstRow();
      if (isRead && steps.findings(run).groups().known(run.file(), group) == null) {
        for (String column : filters) {
          stored(run, column)
              .map(path -> format.bloomFilterRanges(metadata, group, path))
              .ifPresent(wanted::addAll);
        }
        for (String column : pages) {
          stored(run, column)
              .map(path -> format.pageStatisticsRanges(metadata, group, path))
              .ifPresent(wanted::addAll);
        }
      }
      start = end;
    }
  }

  private Optional<String> stored(RowRun run, String column) {
    return steps
        .table(run)
        .find(column)
        .map(field -> run.file().columns().source(field))
        .map(source -> source instanceof ColumnSource.Stored(String path, var _) ? path : null);
  }

  private static void addRanges(RowRun run, long row, Schema columns, List<ByteRange> wanted)
      throws IOException {
    wanted.addAll(run.file().ranges(columns, row, run.endRow() - row));
  }

  private void forget(List<RowRun> reads) {
    for (RowRun run : reads) {
      if (planned.remove(run) != null) {
        over.add(run);
      }
    }
  }

  /// Ends all requests; threads that wait for one get an error.
  public void cancel() {
    fetches.cancel();
  }

  private static void close(FetchedFile unread) {
    try {
      unread.close();
    } catch (Throwable e) { // users' code; nobody is left to tell
      UserCode.warn(FetchAhead.class, "Cannot close a data file", e);
    }
  }

  /// Gives all memory back, and closes files that no reader came to. Call it after all readers have
  /// stopped.
  @Override
  public void close() {
    cancel();
    Set<FetchedFile> left = Collections.newSetFromMap(new IdentityHashMap<>());
    lock.lock();
    try {
      planned.values().forEach(each -> left.add(each.file()));
      planned.clear();
      left.forEach(FetchedFile::drop);
    } finally {
      lock.unlock();
    }
    fetches.close();
    left.forEach(FetchAhead::close);
    lock.lock();
    try {
      if (reserved) {
        reserved = false;
        meter.hold(-reserve);
      }
    } finally {
      lock.unlock();
    }
  }
}
