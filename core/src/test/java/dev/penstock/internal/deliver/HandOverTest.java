package dev.penstock.internal.deliver;

import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.internal.fetch.FetchedFile;
import dev.penstock.internal.fetch.Fetches;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.SlabPool;
import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.rows.BlockCache;
import dev.penstock.internal.table.ValuesPerRow;
import dev.penstock.internal.workers.ConsumerWait;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What threads hand to each other, in orders that a model checker chooses: it runs all again and
/// again, each time switching threads elsewhere, and finds waits without end. A failure shows the
/// order, and comes again in every run. `-Dinterleavings=1000` tries more.
///
/// What one worker alone uses is not here: its runs, its open file, its staged rows.
@Tag("outer")
class HandOverTest {
  private static final ConsumerWait FOR_EVER = new ConsumerWait(Duration.ZERO);
  private static final int INTERLEAVINGS = Integer.getInteger("interleavings", 10);
  private static final int BATCH_SIZE = 2;

  /// What is smaller is not given up before its readers are done.
  private static final int PIECE_BYTES = 20 << 10;

  /// One slab is a block: long loops are no waits, but look like some.
  private static final int SLAB_BYTES = 1 << 20;

  private static final BatchLayout LAYOUT =
      BatchLayout.of(
          Schema.of(List.of(new Field("row", DataType.int64(), false))),
          BATCH_SIZE,
          OutputFormat.TENSOR,
          false,
          ColumnForms.defaults(),
          Map.of(),
          Set.of(),
          _ -> ValuesPerRow.UNKNOWN);

  private static void check(Class<?> threads, int interleavings) {
    ModelCheckingOptions options = new ModelCheckingOptions();
    // Internal to the library, but 30 seconds are too short where the machine is busy: a wait
    // without end is found without a clock.
    options.invocationTimeout$lincheck(Duration.ofHours(1).toMillis());
    options
        .iterations(1)
        .threads(3)
        .actorsPerThread(1)
        .actorsBefore(0)
        .actorsAfter(0)
        .invocationsPerIteration(interleavings)
        .minimizeFailedScenario(false)
        .sequentialSpecification(Threads.class)
        .check(threads);
  }

  /// What three threads do at once, each its own part; also what has to come of it, in any order:
  /// nothing. What a part throws is a failure.
  public static class Threads {
    /// Makes the parts. For the checker, which makes them anew for each run.
    public Threads() {}

    /// The part of a worker.
    ///
    /// @throws Exception if something else comes than should
    @Operation(runOnce = true)
    public void one() throws Exception {}

    /// The part of another worker.
    ///
    /// @throws Exception if something else comes than should
    @Operation(runOnce = true)
    public void other() throws Exception {}

    /// The part of the consumer.
    ///
    /// @throws Exception if something else comes than should
    @Operation(runOnce = true)
    public void consumer() throws Exception {}
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void windowHandsOverWholeBatchesAndNobodyWaitsForEver() {
    check(WindowThreads.class, INTERLEAVINGS);
  }

  /// Several windows, one after another. To begin a check takes longer than its runs, so they have
  /// one together.
  public static final class WindowThreads extends Threads {
    private final Shared counted = new Shared(1, true, 3);
    private final Shared cancelled = new Shared(1, true, 5);
    private final Shared failed = new Shared(2, true, 5);
    private final Shared countedLate = new Shared(1, true, -1, -1);
    private final Shared arriving = new Shared(2, false, 5);

    /// Makes the windows.
    public WindowThreads() {}

    @Override
    @Operation(runOnce = true)
    public void one() {
      require(counted.write(0), "row 0");

      cancelled.write(0);
      require(!cancelled.write(4), "row 4 is too far ahead");

      failed.window.fail(0, 0, 2, new IOException("row 2"));

      require(countedLate.write(countedLate.window.awaitStart(0)), "row 0");
      countedLate.window.counted(0, 1, null, () -> {});

      require(arriving.write(0) && arriving.write(1), "rows 0 and 1");
    }

    @Override
    @Operation(runOnce = true)
    public void other() {
      require(counted.write(1) && counted.write(2), "rows 1 and 2");

      cancelled.window.cancel();

      failed.write(0);
      failed.write(1);
      failed.write(3);

      countedLate.window.counted(1, 2, null, () -> {});
      long start = countedLate.window.awaitStart(1);
      require(countedLate.write(start) && countedLate.write(start + 1), "rows 1 and 2");

      require(arriving.write(2) && arriving.write(3) && arriving.write(4), "rows 2, 3 and 4");
    }

    @Override
    @Operation(runOnce = true)
    public void consumer() throws Exception {
      require(List.of(0L, 1L).equals(counted.take()), "batch 0");
      require(List.of(2L).equals(counted.take()), "batch 1");
      require(counted.take() == null, "the end");
      counted.requireNothingLeft();

      require(cancelled.take() == null, "nobody writes row 1");

      require(List.of(0L, 1L).equals(failed.take()), "batch 0 before the failure");
      require("row 2".equals(failure(failed)), "the failure of row 2");

      require(List.of(0L, 1L).equals(countedLate.take()), "batch 0, counted late");
      require(List.of(2L).equals(countedLate.take()), "batch 1, counted late");
      require(countedLate.window.isAtEnd(FOR_EVER), "the end, counted late");
      countedLate.requireNothingLeft();

      Set<List<Long>> batches = new HashSet<>();
      while (!arriving.window.isAtEnd(FOR_EVER)) {
        batches.add(Objects.requireNonNull(arriving.take()));
      }
      require(
          batches.equals(Set.of(List.of(0L, 1L), List.of(2L, 3L), List.of(4L))),
          "all batches, as they come");
      arriving.requireNothingLeft();
    }

    private static String failure(Shared shared) throws Exception {
      try {
        return String.valueOf(shared.take());
      } catch (DeliveryQueue.Failure e) {
        return String.valueOf(Objects.requireNonNull(e.getCause()).getMessage());
      }
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void batchThatAllCloseGivesItsMemoryBackOnce() {
    check(LeaseThreads.class, 5 * INTERLEAVINGS);
  }

  /// A batch that all close.
  public static final class LeaseThreads extends Threads {
    private final Shared shared = new Shared(1, true, 1);
    private final Batch batch;

    /// Makes the batch.
    ///
    /// @throws Exception never
    public LeaseThreads() throws Exception {
      shared.write(0);
      batch = Objects.requireNonNull(shared.window.take(FOR_EVER, true)).batch();
    }

    @Override
    @Operation(runOnce = true)
    public void one() {
      batch.close();
    }

    @Override
    @Operation(runOnce = true)
    public void other() {
      batch.close();
    }

    @Override
    @Operation(runOnce = true)
    public void consumer() {
      batch.close();
    }

    /// Checks what is left when all threads are at their end.
    @Validate
    public void memoryIsThereOnce() {
      SlabPool.Slab one = shared.memory.take();
      SlabPool.Slab other = shared.memory.take();
      require(one.segment().address() != other.segment().address(), "one slab taken twice");
      one.release();
      other.release();
      shared.requireNothingLeft();
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void blockIsNotFreedWhileItIsRead() {
    check(BlockThreads.class, 5 * INTERLEAVINGS);
  }

  /// Blocks that all read, with room for one.
  public static final class BlockThreads extends Threads {
    private final MemoryMeter meter = new MemoryMeter();
    private final BlockCache cache = new BlockCache(64, meter);

    /// Keeps a block.
    ///
    /// @throws IOException never
    public BlockThreads() throws IOException {
      read(cache, 1);
    }

    @Override
    @Operation(runOnce = true)
    public void one() throws IOException {
      read(cache, 1);
    }

    @Override
    @Operation(runOnce = true)
    public void other() throws IOException {
      read(cache, 2);
    }

    @Override
    @Operation(runOnce = true)
    public void consumer() throws IOException {
      read(cache, 1);
      cache.close();
    }

    /// Checks what is left when all threads are at their end.
    @Validate
    public void nothingIsLeft() {
      require(meter.used() == 0, "memory is left");
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void fetchedBytesReachAllReadersAndNobodyWaitsForEver() {
    check(FetchThreads.class, Math.max(1, INTERLEAVINGS / 4));
  }

  /// Bytes that are fetched for two readers by a third thread: more than there is room for, some
  /// that cannot be had, and some for which nobody waits any more.
  public static final class FetchThreads extends Threads {
    private final Fetched whole = new Fetched(-1);
    private final Fetched broken = new Fetched(1);
    private final Fetched cancelled = new Fetched(-1);

    /// Makes the files.
    public FetchThreads() {}

    @Override
    @Operation(runOnce = true)
    public void one() throws Exception {
      require("01".equals(whole.read(0, 0, 1)), "all bytes");
      require("0-".equals(broken.read(0, 0, 1)), "what can be had");
      cancelled.fetches.cancel();
    }

    @Override
    @Operation(runOnce = true)
    public void other() throws Exception {
      require("1".equals(whole.read(1, 1)), "the last bytes");
      require("-".equals(broken.read(1, 1)), "what cannot be had");
      String read = cancelled.read(1, 0, 1).replace("-", "");
      require("01".startsWith(read), "what was there: " + read);
      cancelled.view(0).close();
    }

    @Override
    @Operation(runOnce = true)
    public void consumer() throws Exception {
      whole.serve(2);
      broken.serve(2);
      cancelled.serve(1);
    }

    /// Checks what is left when all threads are at their end.
    @Validate
    public void nothingIsLeft() {
      whole.requireNothingLeft();
      broken.requireNothingLeft();
      cancelled.requireNothingLeft();
    }
  }

  /// Two pieces of a file, with one request at a time and room for one of them.
  private static final class Fetched {
    final MemoryMeter meter = new MemoryMeter();
    final ReentrantLock lock = new ReentrantLock();
    final Condition asked = lock.newCondition();
    final Deque<Runnable> requests = new ArrayDeque<>();
    final Fetches fetches =
        new Fetches(
            lock,
            meter,
            PIECE_BYTES,
            Fetches.Unforeseen.FETCHED,
            () -> null,
            (_, body) -> start(body));
    final FetchedFile file;

    /// @param failing which piece cannot be had, or -1
    Fetched(int failing) {
      FetchAdvice advice = new FetchAdvice(1, 0, PIECE_BYTES, Optional.empty());
      this.file = new FetchedFile(new Pieces(failing), advice, () -> {});
      List<ByteRange> all = List.of(new ByteRange(0, 2 * PIECE_BYTES));
      file.want(0, all);
      file.want(1, all);
      file.fetch(all);
      fetches.add(file);
    }

    /// Puts a request where whoever serves finds it.
    private Runnable start(Runnable request) {
      requests.add(request);
      asked.signalAll();
      return () -> {};
    }

    StorageFile view(int reader) {
      return fetches.view(file, reader);
    }

    /// Makes requests as they are wanted.
    void serve(int count) throws InterruptedException {
      for (int i = 0; i < count; i++) {
        Runnable request;
        lock.lock();
        try {
          while (requests.isEmpty()) {
            asked.await();
          }
          request = requests.remove();
        } finally {
          lock.unlock();
        }
        request.run();
      }
    }

    /// Reads some of the pieces, with a dash for one that cannot be had and no more behind it.
    String read(int reader, long... pieces) throws IOException {
      StringBuilder read = new StringBuilder();
      try (StorageFile view = view(reader);
          Arena arena = Arena.ofConfined()) {
        MemorySegment target = arena.allocate(1);
        for (long piece : pieces) {
          try {
            view.read((piece + 1) * PIECE_BYTES - 1, target);
          } catch (IOException e) {
            return read.append('-').toString();
          }
          read.append((char) target.get(ValueLayout.JAVA_BYTE, 0));
        }
      }
      return read.toString();
    }

    void requireNothingLeft() {
      while (!requests.isEmpty()) {
        requests.remove().run();
      }
      fetches.close();
      require(meter.used() == 0, "memory is left");
    }
  }

  /// Pieces of a file, each filled with its number.
  private record Pieces(int failing) implements StorageFile {
    @Override
    public Location location() {
      return new Location("digits");
    }

    @Override
    public long size() {
      return 2 * PIECE_BYTES;
    }

    @Override
    public String version() {
      return "";
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      if (offset / PIECE_BYTES == failing) {
        throw new IOException("piece " + failing);
      }
      target.fill((byte) ('0' + offset / PIECE_BYTES));
      return target.byteSize();
    }

    @Override
    public void close() {}
  }

  /// A window and the memory of its batches.
  private static final class Shared {
    final MemoryMeter meter = new MemoryMeter();
    final BatchMemory memory = new BatchMemory(meter, SLAB_BYTES);
    final DeliveryQueue window;

    Shared(int capacity, boolean inOrder, long... rowsOfRuns) {
      BatchConsumer consumer = new BatchConsumer(Duration.ZERO, BatchCollation.NONE, () -> {});
      window =
          new DeliveryQueue(
              new Delivery(LAYOUT, memory, EpochEnd.of(1), 1, inOrder, consumer, null),
              new RunStarts(null, rowsOfRuns),
              1,
              new ReadAhead(capacity, Long.MAX_VALUE, capacity));
    }

    /// Writes a row as a worker would.
    ///
    /// @return false when it is not wanted
    boolean write(long row) {
      if (window.admit(0, row) < 0) {
        return false;
      }
      PartialBatch batch = window.batch(row / BATCH_SIZE);
      int place = (int) (row % BATCH_SIZE);
      batch.memory().setAtIndex(ValueLayout.JAVA_LONG, place, row);
      window.filled(batch, 0, place, 1);
      window.announce();
      return true;
    }

    /// Takes the next batch and returns its rows; null at the end.
    @Nullable List<Long> take() throws Exception {
      Delivered delivered = window.take(FOR_EVER, true);
      if (delivered == null) {
        return null;
      }
      List<Long> rows = new ArrayList<>();
      for (int row = 0; row < delivered.rowCount(); row++) {
        rows.add(delivered.batch().tensor("row").getLong(row));
      }
      delivered.batch().close();
      return rows;
    }

    void requireNothingLeft() {
      window.discard();
      memory.close();
      require(meter.used() == 0, "memory is left");
    }
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  /// Reads a block of 8 numbers, all of them the key.
  private static void read(BlockCache cache, long key) throws IOException {
    try {
      cache.enter();
    } catch (IllegalStateException e) {
      return; // It is closed.
    }
    try {
      BlockCache.Entry entry = claimed(cache, key);
      if (entry != null) {
        read(cache, key, entry);
      }
    } finally {
      cache.exit();
    }
  }

  private static BlockCache.@Nullable Entry claimed(BlockCache cache, long key) throws IOException {
    try {
      return cache.claim(key);
    } catch (IllegalStateException e) {
      return null; // It was closed meanwhile.
    }
  }

  private static void read(BlockCache cache, long key, BlockCache.Entry entry) {
    try {
      List<ColumnSlice> columns = entry.columns();
      if (columns == null) {
        long[] values = new long[8];
        Arrays.fill(values, key);
        MemorySegment memory = MemorySegment.ofArray(values);
        cache.keep(entry, List.of(ColumnSlice.fixed(DataType.int64(), 8, 0, null, memory)));
      } else {
        long value = columns.getFirst().values().getAtIndex(ValueLayout.JAVA_LONG, 7);
        require(value == key, "block " + value + " for " + key);
      }
    } finally {
      cache.release(entry);
    }
  }
}
