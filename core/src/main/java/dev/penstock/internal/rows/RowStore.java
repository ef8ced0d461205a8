package dev.penstock.internal.rows;

import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.fetch.Fetches;
import dev.penstock.internal.fetch.ReadCounter;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.rows.BlockRows.BlockPlace;
import dev.penstock.internal.rows.RowList.RowObjects;
import dev.penstock.internal.slices.ColumnCopy;
import dev.penstock.internal.slices.HeapScratch;
import dev.penstock.internal.slices.Selection;
import dev.penstock.internal.slices.Texts;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The rows of a table by number: finds them, decodes their blocks, keeps blocks.
///
/// **Threads.** Safe for any; blocks are decoded by several at once.
public final class RowStore implements AutoCloseable {
  /* A row fails only for its own fault. If a block fails, its wanted rows are read again one by
   * one, and the error is that of the first that cannot be read alone. So errors depend neither on
   * the size of blocks nor on the cache. */

  /// A block should take this fraction (1/n) of the cache.
  private static final int BLOCKS_PER_CACHE = 16;

  private static final long BLOCK_BYTES_MIN = 4 << 10;
  private static final long BLOCK_BYTES_MAX = 4 << 20;

  /// How much may be fetched and not read yet, plus at most a range for each reading thread.
  private static final long FETCHED_BYTES_MAX = 64 << 20;

  private static final int SCRATCH_IDLE_MAX = Runtime.getRuntime().availableProcessors();

  private final Schema schema;
  private final BlockRows places;
  private final MemoryMeter meter = new MemoryMeter();
  private final List<CacheFolder> folders;
  private final ReadCounter counter = new ReadCounter();
  private final LongAdder blocksRead = new LongAdder();
  private final LongAdder blocksReused = new LongAdder();
  private final BlockCache cache;
  private final Fetches fetches =
      new Fetches(
          new ReentrantLock(),
          meter,
          FETCHED_BYTES_MAX,
          Fetches.Unforeseen.FETCHED,
          () -> null,
          Fetches.VIRTUAL);
  private final Deque<WorkerScratch> idleScratch = new ArrayDeque<>();

  /// Makes the store; reads nothing yet. Decoded blocks that nobody reads take at most
  /// `cacheBytes`.
  public RowStore(Table table, Schema schema, long cacheBytes) {
    this.schema = schema;
    long blockBytes = Math.clamp(cacheBytes / BLOCKS_PER_CACHE, BLOCK_BYTES_MIN, BLOCK_BYTES_MAX);
    this.places = new BlockRows(table.files(), schema, blockBytes);
    this.cache = new BlockCache(cacheBytes, meter);
    this.folders =
        table.files().stream()
            .flatMap(file -> file.cached().stream())
            .map(TableFile.Cached::folder)
            .distinct()
            .toList();
    folders.forEach(CacheFolder::begin);
  }

  public long size() {
    return places.size();
  }

  /// Reads a row: an unmodifiable map of column names to Java objects, null for nulls.
  public Map<String, @Nullable Object> get(long row) throws IOException {
    requireRow(row);
    cache.enter();
    try {
      BlockPlace place = places.block(row);
      BlockCache.Entry entry = cache.claim(place.firstRow());
      try {
        List<ColumnSlice> kept = entry.columns();
        if (kept != null) {
          blocksReused.increment();
          return objects(kept, place, row);
        }
        return read(entry, place, row);
      } finally {
        cache.release(entry);
      }
    } finally {
      cache.exit();
    }
  }

  private Map<String, @Nullable Object> read(BlockCache.Entry entry, BlockPlace place, long row)
      throws IOException {
    WorkerScratch scratch = takeScratch();
    try (BlockReader reader = new BlockReader(schema, scratch, counter, fetches)) {
      List<ColumnSlice> columns = load(reader, entry, place, place.fileEnd());
      if (columns != null) {
        return objects(columns, place, row);
      }
      BlockPlace alone = place.only(row);
      return objects(reader.read(alone, alone.fileEnd()), alone, row);
    } finally {
      giveScratch(scratch);
    }
  }

  private Map<String, @Nullable Object> objects(
      List<ColumnSlice> columns, BlockPlace place, long row) throws IOException {
    return new RowObjects(schema, columns, places).row((int) (row - place.firstRow()), row);
  }

  /// Decodes a block and keeps it if there is room; null if it cannot be decoded as a whole.
  private @Nullable List<ColumnSlice> load(
      BlockReader reader, BlockCache.Entry entry, BlockPlace place, long end) throws IOException {
    List<ColumnSlice> columns;
    try {
      columns = reader.read(place, end);
    } catch (IOException | IllegalStateException e) {
      if (place.rows() == 1) {
        throw e;
      }
      return null;
    }
    blocksRead.increment();
    cache.keep(entry, columns);
    return columns;
  }

  /// Reads rows in the order of the numbers; the list is also a [dev.penstock.batch.RowColumns].
  public List<Map<String, @Nullable Object>> getAll(long[] rows) throws IOException {
    for (long row : rows) {
      requireRow(row);
    }
    cache.enter();
    try (Gathering gathering = new Gathering(rows.clone())) {
      return gathering.gather();
    } finally {
      cache.exit();
    }
  }

  private void requireRow(long row) {
    if (row < 0 || row >= size()) {
      throw new IndexOutOfBoundsException("Row must be in [0, " + size() + "), got " + row + ".");
    }
  }

  private WorkerScratch takeScratch() {
    synchronized (idleScratch) {
      WorkerScratch idle = idleScratch.pollLast();
      return idle == null ? new WorkerScratch(meter) : idle;
    }
  }

  private void giveScratch(WorkerScratch scratch) {
    synchronized (idleScratch) {
      if (idleScratch.size() < SCRATCH_IDLE_MAX) {
        idleScratch.addLast(scratch);
        return;
      }
    }
    scratch.close();
  }

  public long blocksRead() {
    return blocksRead.sum();
  }

  public long blocksReused() {
    return blocksReused.sum();
  }

  /// Returns how many bytes were read from storage since this was made.
  public long bytesRead() {
    return counter.bytes();
  }

  public long cachedBytes() {
    return cache.bytes();
  }

  public MemoryMeter meter() {
    return meter;
  }

  /// Rejects further calls, waits for those in progress, and frees everything.
  @Override
  public void close() {
    cache.close();
    fetches.close();
    folders.forEach(CacheFolder::end);
    synchronized (idleScratch) {
      idleScratch.forEach(WorkerScratch::close);
      idleScratch.clear();
    }
  }

  /// The rows of a call that lie in one block: `[from, to)` of the sorted ones.
  private record Part(BlockPlace place, int from, int to) {}

  private final class Gathering implements AutoCloseable {
    private final long[] numbers;
    private final long[] sorted; // numbers, each with its place in the request in the low bits
    private final int placeBits;
    private final List<ColumnCopy> gathered;
    private final int[] order; // by place, the index among the gathered rows
    private final int[] chosen;
    private int count;
    private @Nullable WorkerScratch scratch;
    private @Nullable BlockReader reader;

    Gathering(long[] numbers) {
      this.numbers = numbers;
      this.placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(numbers.length);
      if (size() > Long.MAX_VALUE >> placeBits) {
        throw new IllegalArgumentException(
            "Cannot read " + numbers.length + " rows at once. Ask for fewer.");
      }
      this.sorted = new long[numbers.length];
      for (int i = 0; i < sorted.length; i++) {
        sorted[i] = numbers[i] << placeBits | i;
      }
      Arrays.sort(sorted);
      this.order = new int[numbers.length];
      this.chosen = new int[numbers.length];
      this.gathered = copies();
    }

    private List<ColumnCopy> copies() {
      return schema.fields().stream()
          .map(field -> ColumnCopy.of(field.type(), Texts.WRITTEN_OUT, new HeapScratch()))
          .toList();
    }

    List<Map<String, @Nullable Object>> gather() throws IOException {
      /* Cached blocks come first: later they might have been evicted for others. Then blocks that
       * no other thread is decoding, and last those that others decode, which may be ready by then.
       */
      List<Part> missing = new ArrayList<>();
      for (Part part : parts()) {
        BlockCache.Entry entry = cache.claimKept(part.place().firstRow());
        if (entry == null) {
          missing.add(part);
        } else {
          take(part, entry, part.place().fileEnd());
        }
      }
      List<Part> busy = new ArrayList<>();
      for (int i = 0; i < missing.size(); i++) {
        Part part = missing.get(i);
        BlockCache.Entry entry = cache.claimIdle(part.place().firstRow());
        if (entry == null) {
          busy.add(part);
        } else {
          take(part, entry, passEnd(missing, i));
        }
      }
      for (Part part : busy) {
        take(part, cache.claim(part.place().firstRow()), part.place().fileEnd());
      }
      return new RowList(schema, places, numbers, inOrder());
    }

    private List<Part> parts() {
      List<Part> parts = new ArrayList<>();
      for (int from = 0; from < sorted.length; ) {
        BlockPlace place = places.block(number(from));
        int to = from + 1;
        while (to < sorted.length && number(to) < place.end()) {
          to++;
        }
        parts.add(new Part(place, from, to));
        from = to;
      }
      return parts;
    }

    /// Returns the end of the pass that begins with a part, as a row of the file.
    private static long passEnd(List<Part> parts, int from) {
      int last = from;
      while (last + 1 < parts.size()
          && parts.get(last).place().isNear(parts.get(last + 1).place())) {
        last++;
      }
      return parts.get(last).place().fileEnd();
    }

    private long number(int index) {
      return sorted[index] >>> placeBits;
    }

    /// Gathers the rows of a block; `end` as for [BlockReader#read].
    private void take(Part part, BlockCache.Entry entry, long end) throws IOException {
      try {
        BlockPlace place = part.place();
        List<ColumnSlice> kept = entry.columns();
        if (kept != null) {
          blocksReused.increment();
          append(kept, place, part.from(), part.to());
          return;
        }
        List<ColumnSlice> columns = load(reader(), entry, place, end);
        if (columns != null) {
          append(columns, place, part.from(), part.to());
          return;
        }
        for (int i = part.from(); i < part.to(); i++) {
          BlockPlace alone = place.only(number(i));
          append(reader().read(alone, place.fileEnd()), alone, i, i + 1);
        }
      } finally {
        cache.release(entry);
      }
    }

    private BlockReader reader() {
      BlockReader made = reader;
      if (made == null) {
        scratch = takeScratch();
        made = new BlockReader(schema, scratch, counter, fetches);
        reader = made;
      }
      return made;
    }

    private void append(List<ColumnSlice> columns, BlockPlace place, int from, int to) {
      for (int i = from; i < to; i++) {
        chosen[i] = (int) (number(i) - place.firstRow());
        order[(int) (sorted[i] & ((1L << placeBits) - 1))] = count++;
      }
      Selection chosenHere = Selection.of(chosen, from, to, 0);
      try {
        for (int i = 0; i < columns.size(); i++) {
          gathered.get(i).append(columns.get(i), chosenHere);
        }
      } catch (ArithmeticException e) { // offsets have 32 bits
        throw new IllegalArgumentException(
            "Cannot read "
                + numbers.length
                + " rows at once: in one of their columns they take more than 2 GiB. Ask for"
                + " fewer.",
            e);
      }
    }

    private List<ColumnSlice> inOrder() {
      List<ColumnCopy> ordered = copies();
      Selection all = Selection.of(order, 0, count, 0);
      for (int i = 0; i < ordered.size(); i++) {
        ordered.get(i).append(gathered.get(i).slice(), all);
      }
      return ordered.stream().map(ColumnCopy::slice).toList();
    }

    @Override
    public void close() throws IOException {
      WorkerScratch taken = scratch;
      try {
        if (reader != null) {
          reader.close();
        }
      } finally {
        if (taken != null) {
          giveScratch(taken);
        }
      }
    }
  }
}
