package dev.penstock.internal.decode;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.decode.ReaderRuns.Together;
import dev.penstock.internal.fetch.FetchRanges;
import dev.penstock.internal.fetch.FetchedFile;
import dev.penstock.internal.fetch.Fetches;
import dev.penstock.internal.fetch.ReadCounter;
import dev.penstock.internal.filter.Pruner;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.slices.FilteredRows;
import dev.penstock.internal.table.ColumnSource;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.RowRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Fetches what the runs of an epoch will read, before they read it, from stores behind a network.
///
/// Files of other stores are just opened. Which bytes come is a matter of speed only: what was not
/// foreseen is fetched when it is asked for.
///
/// **Threads.** [#open] and what it gives by any thread; [#cancel] by any; [#close] when nobody
/// reads any more.
public final class FetchAhead implements AutoCloseable {
  /* Runs are planned in the order in which workers take them; see Fetches for what is asked for
   * when. Of the reserved memory half is for what is ahead, a quarter for what workers wait for,
   * and the rest for slabs that are larger than their range. */

  /// What is reserved for fetched bytes, unless 3/8 of the loader's memory are less.
  private static final long BYTES_MAX = 256L << 20;

  /// Ranges are not cut finer than this to keep to the memory.
  private static final long RANGE_BYTES_MIN = 64 << 10;

  /// The first run is cut finer, to come over all connections at once, and so that nobody waits for
  /// all of a large one.
  private static final long FIRST_RANGE_BYTES_MIN = 1 << 20;

  private static final long FIRST_RANGE_BYTES_MAX = 4 << 20;

  /// What several windows read of a row group is held for all of them up to this part of the
  /// reserved memory: there may be two row groups at once, in half of it.
  private static final int TOGETHER_PARTS = 4;

  /// So many windows at most: all that their readers want is gone through for each read.
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

  // Guarded by the lock.
  private final IdentityHashMap<RowRun, FetchedFile> planned = new IdentityHashMap<>();
  private final IdentityHashMap<Storage, Optional<FetchAdvice>> advices = new IdentityHashMap<>();
  private final Set<RowRun> over = Collections.newSetFromMap(new IdentityHashMap<>());
  private int next; // of all that are fetched together
  private int nextRead; // of these
  private boolean first = true;
  private boolean reserved;

  /// Makes it idle.
  ///
  /// @param readerRuns the rows that are read, and by what they are read together
  /// @param groups the groups of columns that share each run
  /// @param steps what is done with the rows
  /// @param counter counts what is read
  /// @param workers how many workers read at once
  /// @param meter has the limit of all memory
  public FetchAhead(
      ReaderRuns readerRuns,
      List<ColumnGroup> groups,
      RowSteps steps,
      ReadCounter counter,
      int workers,
      MemoryMeter meter) {
    this.readerRuns = readerRuns;
    this.groups = groups;
    this.steps = steps;
    this.counter = counter;
    this.meter = meter;
    this.reserve = Math.min(BYTES_MAX, meter.limit() / 8 * 3);
    this.rangeMax = Math.max(RANGE_BYTES_MIN, reserve / 4 / Math.max(1, workers));
    this.fetches =
        new Fetches(
            lock,
            new MemoryMeter(meter, Math.max(1, reserve)),
            reserve / 2,
            Fetches.Unforeseen.FETCHED,
            this::planNext,
            Fetches.VIRTUAL);
  }

  /// An open file.
  ///
  /// @param file to be closed by the caller
  /// @param endRow up to where its reader may read
  record Opened(StorageFile file, long endRow) {}

  /// Opens the file of a run for the columns of a group.
  ///
  /// @param part what of it is read first
  /// @param row the first row that will be read
  Opened open(RowRun part, int group, long row) throws IOException {
    Together together = readerRuns.of(part);
    RowRun run = together.readOf(part);
    StorageFile opened = run.file().open();
    Optional<FetchAdvice> advice = orClose(opened, opened::advice);
    if (advice.isEmpty()) {
      return new Opened(counter.counting(opened), run.endRow());
    }
    lock.lock();
    try {
      if (!reserved) {
        reserved = true;
        meter.hold(reserve);
      }
      advices.put(run.file().storage(), advice);
      FetchedFile file = planned.get(run);
      if (file == null) {
        file =
            orClose(
                opened,
                () ->
                    // A reader that failed comes again for itself.
                    over.contains(run)
                        ? plan(List.of(run), new Wants(), opened, advice.get())
                        : plan(together, run, opened, advice.get()));
        fetches.add(file);
      } else {
        opened.close();
      }
      int reader = reader(together, run, group);
      if (!file.awaits(reader) || row != run.firstRow()) {
        List<ByteRange> wanted = new ArrayList<>();
        addWanted(run, row, groups.get(group), wanted);
        fetches.rejoin(file, reader, wanted);
      }
      return new Opened(fetches.view(file, reader), run.endRow());
    } finally {
      lock.unlock();
    }
  }

  private interface Step<T> {
    T take() throws IOException;
  }

  /// Takes a step with a file that is closed if the step fails.
  private static <T> T orClose(StorageFile opened, Step<T> step) throws IOException {
    boolean isTaken = false;
    try {
      T result = step.take();
      isTaken = true;
      return result;
    } finally {
      if (!isTaken) {
        opened.close();
      }
    }
  }

  private int reader(Together together, RowRun run, int group) {
    return together.indexOf(run) * groups.size() + group;
  }

  /// Plans the next run whose store is known to be behind a network.
  private @Nullable FetchedFile planNext() {
    while (next < readerRuns.all().size()) {
      Together together = readerRuns.all().get(next);
      RowRun run = together.reads().get(nextRead++);
      if (nextRead == together.reads().size()) {
        next++;
        nextRead = 0;
      }
      Optional<FetchAdvice> advice = advices.getOrDefault(run.file().storage(), Optional.empty());
      if (advice.isPresent() && isNew(run)) {
        try {
          StorageFile opened = run.file().open();
          return orClose(opened, () -> plan(together, run, opened, advice.get()));
        } catch (IOException | RuntimeException e) {
          // Its own reader meets it again, and tells it where it belongs.
        }
      }
    }
    return null;
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

  /// Plans a run, and with it what is fetched together if that is little enough to be held until
  /// all have read it.
  private FetchedFile plan(Together together, RowRun run, StorageFile opened, FetchAdvice advice)
      throws IOException {
    List<RowRun> reads =
        together.reads().stream()
            .skip(together.indexOf(run))
            .filter(this::isNew)
            .limit(TOGETHER_MAX)
            .toList();
    Wants alone = wants(together, List.of(run));
    long most = reserve / TOGETHER_PARTS;
    if (reads.size() > 1 && bytes(alone, opened, advice) <= most) {
      Wants all = wants(together, reads);
      if (bytes(all, opened, advice) <= most) {
        return plan(reads, all, opened, advice);
      }
    }
    return plan(List.of(run), alone, opened, advice);
  }

  private static long bytes(Wants wants, StorageFile opened, FetchAdvice advice) {
    List<ByteRange> ranges = FetchRanges.of(wants.all(), opened.size(), advice);
    return ranges.stream().mapToLong(ByteRange::length).sum();
  }

  private Wants wants(Together together, List<RowRun> reads) throws IOException {
    Wants wants = new Wants();
    for (RowRun run : reads) {
      for (ColumnGroup group : groups) {
        List<ByteRange> wanted = new ArrayList<>();
        addWanted(run, run.firstRow(), group, wanted);
        wants.byReader.put(reader(together, run, group.index()), wanted);
      }
    }
    return wants;
  }

  private FetchedFile plan(
      List<RowRun> reads, Wants wants, StorageFile opened, FetchAdvice advice) {
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
    FetchedFile file = new FetchedFile(counter.counting(opened), finer, () -> forget(reads));
    wants.byReader.forEach(file::want);
    file.fetch(all);
    reads.forEach(run -> planned.put(run, file));
    return file;
  }

  /// Adds what the reader of a group will read: as [RunSource] opens it.
  private void addWanted(RowRun run, long row, ColumnGroup group, List<ByteRange> wanted)
      throws IOException {
    BlockTransform transform = steps.transform();
    Schema columns =
        steps.matches() != null
            ? Schema.of(List.of())
            : transform != null ? transform.input() : group.schema();
    if (run.rest().isAlways()) {
      addRanges(run, row, columns, wanted);
      return;
    }
    addIndexes(run, wanted);
    OpenRows open = OpenRows.known(run, steps.findings());
    RowRange read = open.span(row).orElse(null);
    if (read == null) {
      return;
    }
    RowRun left = run.to(read.end());
    Schema tested = open.known() == null ? steps.tested(run) : Schema.of(List.of());
    for (Schema each : List.of(tested, FilteredRows.others(columns, tested))) {
      if (each.size() > 0) {
        addRanges(left, read.offset(), each, wanted);
      }
    }
  }

  /// Adds what [OpenRows] will read.
  private void addIndexes(RowRun run, List<ByteRange> wanted) throws IOException {
    Set<String> filters = new HashSet<>();
    Set<String> pages = new HashSet<>();
    // As if the file had none, which leaves all questions open.
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
      if (isRead && steps.findings().groups().known(run.file(), group) == null) {
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
        .table()
        .find(column)
        .map(field -> run.file().columns().source(field))
        .map(source -> source instanceof ColumnSource.Stored(String path, var _) ? path : null);
  }

  private static void addRanges(RowRun run, long row, Schema columns, List<ByteRange> wanted) {
    wanted.addAll(run.file().ranges(columns, row, run.endRow() - row));
  }

  private void forget(List<RowRun> reads) {
    for (RowRun run : reads) {
      if (planned.remove(run) != null) {
        over.add(run);
      }
    }
  }

  /// Ends all requests; who waits for one gets an error.
  public void cancel() {
    fetches.cancel();
  }

  /// Gives all memory back. To be called when nobody reads any more.
  @Override
  public void close() {
    cancel();
    lock.lock();
    try {
      List.copyOf(planned.values()).forEach(FetchedFile::drop);
      planned.clear();
    } finally {
      lock.unlock();
    }
    fetches.close();
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
