package dev.penstock;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collator;
import dev.penstock.data.MapDataset;
import dev.penstock.data.WorkerInfo;
import dev.penstock.internal.clock.ClockedEpoch;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.SlabPool;
import dev.penstock.internal.objects.Fetcher;
import dev.penstock.internal.objects.IterableFetcher;
import dev.penstock.internal.objects.MapFetcher;
import dev.penstock.internal.objects.SampleEpoch;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.sample.BatchSampler;
import dev.penstock.sample.Generator;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.Timeline;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Delivers the rows of a [dev.penstock.data.MapDataset] or [dev.penstock.data.IterableDataset] in
/// batches, epoch after epoch: torch's `DataLoader`. Made by [DataLoader#over].
///
/// Every call of [#iterator()] starts the next epoch; the first is 0. Samplers are told its number.
///
/// **Order.** Of a map-style dataset the sampler's, whatever the number of workers. Of an iterable
/// dataset batches come from worker 0, 1, 2, … in turn, without those that have no more; so the
/// order is a function of the rows that each worker gives.
///
/// **Ownership.** The caller closes the loader and every [dev.penstock.batch.Batch] it receives.
/// Batches that nobody received are closed with the epoch.
///
/// **Memory.** At most `prefetchFactor` batches for each worker are made or being made and not yet
/// received; without workers none.
///
/// **Threads.** One thread iterates at a time; [#close()] may be called from any. The dataset and
/// the collator are used by all workers at once, and may call any method of this but [#iterator()].
/// An interrupt wakes the consumer. An end waits up to 6 seconds for code of the user that is at
/// work, interrupts it halfway, and then leaves its thread behind with a warning that says where it
/// is.
///
/// **Errors.** What the user's code throws in a worker is thrown by the iterator at its batch, as
/// the same type, with the worker's exception as the cause; an [java.io.IOException] as an
/// [java.io.UncheckedIOException], and what cannot be made anew as a [WorkerException]. After that
/// the batches of a map-style dataset go on with the next one; the worker of an iterable dataset
/// has no more.
///
/// @param <T> what a row is
/// @param <B> what a batch is
public final class SampleLoader<T, B> implements Loader<B> {
  private static final Logger LOG = LoggerFactory.getLogger(SampleLoader.class);

  private final long loaderNumber = ClockedEpoch.nextLoader();
  private final EpochHistory history = new EpochHistory();
  private final SampleLoaderBuilder<T, B> options;
  private final @Nullable Iterable<long[]> batches;
  private final MemoryMeter meter = new MemoryMeter();
  private final Making<T> making;
  private final LoaderResources resources;
  private final WorkerPool pool;

  // Guarded by this; nothing is waited for with it.
  private @Nullable SampleEpoch<?> last;
  private @Nullable Seeds seeds;
  private long nextEpoch;

  SampleLoader(SampleLoaderBuilder<T, B> options) {
    this.options = options;
    this.batches = options.batches();
    BatchPinning pinning = BatchPinning.of(options.memoryUse);
    BatchMemory memory =
        new BatchMemory(meter, 0, 0, pinning.memory()).poison(options.memoryUse.poison());
    this.making = new Making<>(options, pinning, memory);
    this.pool = new WorkerPool(options.reading.workers(), meter);
    this.resources = new LoaderResources(this, pool);
    resources.memory(memory);
  }

  /// What batches are made with. Workers hold it, so it does not know the loader.
  private record Making<T>(
      SampleLoaderBuilder<T, ?> options, BatchPinning pinning, BatchMemory memory) {
    <C> Fetcher<C> fetcher(Collator<T, C> collator) {
      Collator<T, C> pinned = (rows, batch) -> pinning.pinned(collator.collate(rows, batch));
      return options.map == null
          ? new IterableFetcher<>(
              Objects.requireNonNull(options.iterable).iterator(),
              options.batchSize(),
              options.dropLast,
              pinned,
              this::take)
          : new MapFetcher<>(options.map, pinned, this::take);
    }

    BatchBuilder.Piece take(long bytes) {
      SlabPool.Slab slab = memory.take(bytes);
      return new BatchBuilder.Piece(slab.segment().asSlice(0, bytes), slab::release);
    }
  }

  /// The random numbers of the workers, and which of them have begun: a place for each worker.
  private static final class Seeds {
    private final long base;
    private final Generator[] generators;
    private final boolean[] begun;

    Seeds(long base, int workers) {
      this.base = base;
      this.generators = new Generator[workers];
      Arrays.setAll(generators, worker -> new Generator(base + worker));
      this.begun = new boolean[workers];
    }
  }

  /// Starts the next epoch, ending the one before if it still runs.
  ///
  /// @return its batches
  /// @throws IllegalStateException if the loader is closed
  @Override
  public EpochIterator<B> iterator() {
    Making<T> with = making;
    Collator<T, B> collator = options.collator;
    return start(() -> with.fetcher(collator));
  }

  private <C> EpochIterator<C> start(Supplier<Fetcher<C>> fetchers) {
    pool.requireReady();
    pool.end("a later epoch was started");
    long number;
    Seeds workerSeeds;
    synchronized (this) {
      number = nextEpoch;
      workerSeeds = seeds();
    }
    if (batches instanceof BatchSampler sampler) {
      sampler.setEpoch(number);
    }
    Iterator<long[]> indices =
        batches == null ? Stream.generate(() -> new long[0]).iterator() : batches.iterator();
    SampleEpoch.Terms terms =
        new SampleEpoch.Terms(
            options.reading.workers(),
            options.reading.prefetchFactor(),
            options.inOrder,
            options.iterable != null,
            options.reading.timeout());
    SampleEpoch<C> epoch =
        new SampleEpoch<>(
            new ClockedEpoch(loaderNumber, options::text, number, null),
            indices,
            terms,
            new Workers<>(options, number, workerSeeds, fetchers));
    pool.start(epoch);
    history.begin(() -> stats(epoch), () -> Timeline.NONE); // of Java objects nothing is recorded
    synchronized (this) {
      last = epoch;
      nextEpoch = number + 1;
    }
    return new Pass<>(epoch);
  }

  private Seeds seeds() {
    Seeds known = seeds;
    if (known == null || !options.persistentWorkers) {
      // Before the sampler draws, as in torch.
      Generator numbers = options.generator == null ? Generator.global() : options.generator;
      known = new Seeds(numbers.random(), options.reading.workers());
      seeds = known;
    }
    return known;
  }

  /// What the workers of an epoch work with.
  private record Workers<C>(
      SampleLoaderBuilder<?, ?> options, long epoch, Seeds seeds, Supplier<Fetcher<C>> fetchers)
      implements SampleEpoch.Workers<C> {
    @Override
    public void runAs(int worker, Runnable work) {
      new WorkerInfo(
              worker,
              options.reading.workers(),
              seeds.base + worker,
              epoch,
              Objects.requireNonNull(options.map == null ? options.iterable : options.map),
              seeds.generators[worker])
          .call(() -> {
            work.run();
            return worker;
          });
    }

    @Override
    public Fetcher<C> start() {
      if (options.reading.workers() > 0) { // else it tells of a worker of another loader, if any
        WorkerInfo.current().ifPresent(this::begin);
      }
      return fetchers.get();
    }

    /// Each worker has a place of its own in the array.
    private void begin(WorkerInfo info) {
      if (!seeds.begun[info.id()]) {
        options.workerInit.accept(info);
        seeds.begun[info.id()] = true;
      }
    }
  }

  /// Sets the number of the next epoch. Epochs advance by themselves; this is for starting
  /// elsewhere.
  ///
  /// @param epoch the number that the next call of [#iterator()] starts, in `[0, 2^53]`
  /// @throws IllegalArgumentException if `epoch` is not in there
  @Override
  public synchronized void setEpoch(long epoch) {
    DataLoader.requireEpoch(epoch);
    nextEpoch = epoch;
  }

  /// Returns the number of batches in an epoch.
  ///
  /// @return how many
  /// @throws IllegalStateException if the dataset or the batch sampler does not say its size, or it
  ///   depends on how workers share the rows
  @Override
  public long batchesPerEpoch() {
    if (batches instanceof BatchSampler sampler) {
      return sampler.size();
    }
    if (batches instanceof Collection<?> all) {
      return all.size();
    }
    OptionalLong size = options.iterable == null ? OptionalLong.empty() : options.iterable.size();
    if (size.isEmpty() || (options.reading.workers() > 1 && !options.isUnbatched())) {
      throw new IllegalStateException(
          "Cannot tell the number of batches: "
              + (size.isEmpty()
                  ? "the " + (batches == null ? "dataset" : "batch sampler") + " has no size."
                  : "it depends on how the workers share the rows."));
    }
    long full = size.getAsLong() / options.batchSize();
    boolean isShort = size.getAsLong() % options.batchSize() > 0 && !options.dropLast;
    return isShort ? full + 1 : full;
  }

  /// Runs an epoch and says which rows it delivered more than once, and which never. The epoch
  /// counts as one.
  ///
  /// Of a map-style dataset the numbers of the rows are compared, and no row is read. Of an
  /// iterable dataset the rows themselves, with what it gives where it is asked outside of a
  /// worker; they need `equals` and `hashCode`, and all of them have to fit in memory.
  ///
  /// @return what came
  public CoverageReport verifyCoverage() {
    return verifyCoverage(row -> row);
  }

  /// Runs an epoch as [#verifyCoverage()], where rows have no `equals`, as arrays.
  ///
  /// @param key what tells rows from each other, of an iterable dataset
  /// @return what came
  public CoverageReport verifyCoverage(Function<? super T, ?> key) {
    RowTally coverage = new RowTally();
    if (options.map != null) {
      MapDataset<Long> numbers = new Numbers(options.map.size());
      for (long i = 0; i < numbers.size(); i++) {
        coverage.expect(i);
      }
      run(() -> new MapFetcher<>(numbers, (rows, _) -> rows, making::take), coverage::deliver);
    } else {
      IterableFetcher<T, List<T>> rows =
          new IterableFetcher<>(
              Objects.requireNonNull(options.iterable).iterator(),
              1,
              false,
              (row, _) -> row,
              making::take);
      expect(rows, row -> coverage.expect(key.apply(row)));
      run(() -> making.fetcher((batch, _) -> batch), row -> coverage.deliver(key.apply(row)));
    }
    return coverage.report();
  }

  private static <R> void expect(Fetcher<List<R>> rows, Consumer<R> consumer) {
    try {
      Fetcher.Fetched<List<R>> row = rows.fetch(new long[0]);
      while (row != null) {
        row.batch().forEach(consumer);
        row = rows.fetch(new long[0]);
      }
      rows.close();
    } catch (Exception e) {
      throw thrown(e, -1);
    }
  }

  private <R> void run(Supplier<Fetcher<List<R>>> fetchers, Consumer<R> consumer) {
    try (EpochIterator<List<R>> epoch = start(fetchers)) {
      while (epoch.hasNext()) {
        epoch.next().forEach(consumer);
      }
    }
  }

  /// The numbers of the rows in place of the rows.
  private record Numbers(long size) implements MapDataset<Long> {
    @Override
    public Long get(long index) {
      return index;
    }
  }

  /// Returns what the current epoch has done so far; when none is running, what the last one did.
  ///
  /// @return a snapshot, from any thread; nothing is skipped, and bytes read are the dataset's
  ///   affair
  @Override
  public synchronized LoaderStats stats() {
    return last == null ? LoaderStats.none(nextEpoch, 0, memoryStats()) : stats(last);
  }

  private LoaderStats stats(SampleEpoch<?> epoch) {
    return new LoaderStats(
        epoch.number(),
        epoch.rowsDelivered(),
        epoch.batchesDelivered(),
        List.of(),
        PaddingStats.NONE,
        0,
        ReadStats.NONE,
        memoryStats(),
        epoch.times(),
        epoch.queue());
  }

  private MemoryStats memoryStats() {
    return new MemoryStats(meter.used(), meter.peak(), meter.limit());
  }

  @Override
  public LoaderTotals totals() {
    return history.totals();
  }

  @Override
  public List<EpochRecord> history() {
    return history.epochs();
  }

  @Override
  public void report(Path file) throws IOException {
    Reports.write(this, file);
  }

  /// Ends all threads and frees all memory; batches still open keep theirs until they are closed.
  /// Calling it again does nothing. The dataset is the caller's to close.
  @Override
  public void close() {
    resources.close();
  }

  /// Shows what is read and how. Of a dataset of yours it shows the class.
  @Override
  public String toString() {
    return "SampleLoader of " + options.text() + (pool.isClosed() ? ", closed" : "");
  }

  @Override
  public boolean hasState() {
    return false;
  }

  @Override
  public LoaderState state() {
    throw new IllegalStateException(
        "Cannot give a state: a loader of Java objects has none, because only its dataset and its"
            + " sampler know where they are. Keep the seed and the epoch, and begin with setEpoch().");
  }

  @Override
  public void resume(LoaderState state) {
    throw new IllegalStateException(
        "Cannot resume: a loader of Java objects has no state. Begin with setEpoch().");
  }

  /// Says so when workers gave other rows than the dataset says it has.
  private void compare(SampleEpoch<?> epoch) {
    OptionalLong size = options.iterable == null ? OptionalLong.empty() : options.iterable.size();
    long rows = epoch.rowsDelivered();
    if (size.isPresent()
        && (rows > size.getAsLong() || (rows < size.getAsLong() && !options.dropLast))) {
      LOG.warn(
          "Epoch {} delivered {} rows but the IterableDataset says it has {}. With {} workers each"
              + " has to give its own share, see WorkerInfo.",
          epoch.number(),
          rows,
          size.getAsLong(),
          options.reading.workers());
    }
  }

  private static RuntimeException thrown(Throwable met, int worker) {
    Throwable error = WorkerErrors.forConsumer(met, worker);
    if (error instanceof Error serious) {
      throw serious;
    }
    return (RuntimeException) error;
  }

  /// The consumer's side of an epoch.
  private final class Pass<C> implements EpochIterator<C> {
    private final SampleEpoch<C> epoch;
    private volatile boolean left;
    private boolean compared;

    private Pass(SampleEpoch<C> epoch) {
      this.epoch = epoch;
    }

    @Override
    public long epoch() {
      return epoch.number();
    }

    @Override
    public boolean hasNext() {
      try {
        boolean more = !left && pool.here(epoch, epoch::hasNext);
        if (!more && epoch.stopped() == null && !compared) {
          compared = true;
          compare(epoch);
        }
        return more;
      } catch (Exception e) {
        throw told(e);
      } finally {
        Reference.reachabilityFence(this);
      }
    }

    @Override
    public C next() {
      C batch;
      try {
        batch = pool.here(epoch, this::made);
      } catch (Exception e) {
        throw told(e);
      } finally {
        Reference.reachabilityFence(this);
      }
      if (batch == null) {
        String stopped = epoch.stopped();
        if (stopped != null) {
          throw new IllegalStateException(stopped);
        }
        throw new NoSuchElementException("Epoch " + epoch.number() + " has no more batches.");
      }
      return batch;
    }

    private @Nullable C made() throws Exception {
      return epoch.next();
    }

    private RuntimeException told(Exception met) {
      return switch (met) {
        case TimedOut e -> WorkerErrors.timedOut(epoch.number(), e);
        case SampleEpoch.Failed e -> thrown(Objects.requireNonNull(e.getCause()), e.worker());
        default -> thrown(met, -1);
      };
    }

    @Override
    public void close() {
      left = true;
      pool.end(epoch, "its iterator is closed");
    }

    @Override
    public String toString() {
      return "EpochIterator of epoch " + epoch.number();
    }
  }
}
