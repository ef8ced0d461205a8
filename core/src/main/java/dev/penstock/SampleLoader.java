package dev.penstock;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collator;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.internal.choice.Shown;
import dev.penstock.internal.clock.ClockedEpoch;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.SlabPool;
import dev.penstock.internal.objects.EpochWorkers;
import dev.penstock.internal.objects.Fetcher;
import dev.penstock.internal.objects.IterableSamples;
import dev.penstock.internal.objects.MapSamples;
import dev.penstock.internal.objects.OptionFit;
import dev.penstock.internal.objects.RowTally;
import dev.penstock.internal.objects.SampleEpoch;
import dev.penstock.internal.objects.Samples;
import dev.penstock.internal.objects.SharedDataset;
import dev.penstock.internal.objects.WorkerBelongings;
import dev.penstock.internal.pipeline.BatchPinning;
import dev.penstock.internal.pipeline.EpochHistory;
import dev.penstock.internal.pipeline.LoaderResources;
import dev.penstock.internal.pipeline.NextEpoch;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.options.IterableOptions;
import dev.penstock.options.MapOptions;
import dev.penstock.options.MemoryUse;
import dev.penstock.options.SampleWorkers;
import dev.penstock.options.Sampling;
import dev.penstock.sample.Generator;
import dev.penstock.stats.CoverageReport;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.Timeline;
import java.lang.ref.Reference;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Delivers the rows of a [dev.penstock.data.MapDataset] or [dev.penstock.data.IterableDataset] in
/// batches, epoch after epoch: torch's `DataLoader`. Made by [DataLoader#of(MapDataset,
/// MapOptions)] and [DataLoader#of(IterableDataset, IterableOptions)].
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
/// **Errors.** What the user's code throws is thrown by the iterator at its batch, as the same
/// type, with that exception as its direct cause, whatever the number of workers; an
/// [java.io.IOException] as an [java.io.UncheckedIOException], and what cannot be made anew as a
/// [WorkerException]. After that the batches of a map-style dataset go on with the next one; the
/// worker of an iterable dataset has no more.
///
/// @param <T> what a row is
/// @param <B> what a batch is
public final class SampleLoader<T, B> implements Loader<B> {
  private static final Logger LOG = LoggerFactory.getLogger(SampleLoader.class);

  private final long loaderNumber = ClockedEpoch.nextLoader();
  private final EpochHistory history = new EpochHistory();
  private final Samples<T> samples;
  private final Collator<T, B> collator;
  private final SampleWorkers workers;
  private final Sampling sampling;
  private final Supplier<String> text;
  private final MemoryMeter meter = new MemoryMeter();
  private final Making making;
  private final LoaderResources resources;
  private final WorkerPool pool;
  private volatile @Nullable WorkerBelongings belongings;

  // Guarded by this; nothing is waited for with it.
  private @Nullable SampleEpoch<?> last;
  private long nextEpoch;

  private SampleLoader(
      Samples<T> samples,
      Collator<T, B> collator,
      SampleWorkers workers,
      Sampling sampling,
      MemoryUse memoryUse,
      String options) {
    this.samples = samples;
    this.collator = collator;
    this.workers = workers;
    this.sampling = sampling;
    this.text = () -> text(samples.dataset()) + " with " + options;
    int count = workers.reading().workers();
    int processors = Runtime.getRuntime().availableProcessors();
    if (count > processors) {
      LOG.warn("workers is {} but there are {} processors.", count, processors);
    }
    BatchPinning pinning = BatchPinning.of(memoryUse);
    BatchMemory memory = new BatchMemory(meter, 0, 0, pinning.memory()).poison(memoryUse.poison());
    this.making = new Making(new SharedDataset(samples.dataset(), count), pinning, memory);
    this.pool = new WorkerPool(count, meter);
    this.resources = new LoaderResources(this, pool);
    resources.memory(memory);
  }

  static <T, B> SampleLoader<T, B> of(MapDataset<T> dataset, MapOptions<T, B> options) {
    Objects.requireNonNull(dataset, "dataset must not be null.");
    Objects.requireNonNull(options, "options must not be null.");
    OptionFit.require(options.batching(), options.workers(), options.sampling());
    return new SampleLoader<>(
        MapSamples.of(dataset, options.batching(), options.sampling()),
        options.collator(),
        options.workers(),
        options.sampling(),
        options.memoryUse(),
        options.text());
  }

  static <T, B> SampleLoader<T, B> of(IterableDataset<T> dataset, IterableOptions<T, B> options) {
    Objects.requireNonNull(dataset, "dataset must not be null.");
    Objects.requireNonNull(options, "options must not be null.");
    OptionFit.require(options.batching(), options.workers(), options.sampling());
    return new SampleLoader<>(
        new IterableSamples<>(dataset, options.batching()),
        options.collator(),
        options.workers(),
        options.sampling(),
        options.memoryUse(),
        options.text());
  }

  /// What batches are made with. Workers hold it, so it does not know the loader.
  private record Making(SharedDataset dataset, BatchPinning pinning, BatchMemory memory) {
    <T, C> Fetcher<C> fetcher(Samples<T> samples, Collator<T, C> collator) {
      dataset.beginRows();
      return samples.fetcher(
          (rows, batch) -> {
            dataset.gaveRows();
            return pinning.pinned(collator.collate(rows, batch));
          },
          this::take);
    }

    BatchBuilder.Piece take(long bytes) {
      SlabPool.Slab slab = memory.take(bytes);
      return new BatchBuilder.Piece(slab.segment().asSlice(0, bytes), slab::release);
    }
  }

  /// Starts the next epoch, ending the one before if it still runs.
  ///
  /// @return its batches
  /// @throws IllegalStateException if the loader is closed
  @Override
  public EpochIterator<B> iterator() {
    return start(fetchers(samples, collator));
  }

  private <R, C> Function<Object, Fetcher<C>> fetchers(Samples<R> of, Collator<R, C> with) {
    Making means = making;
    return dataset -> means.fetcher(of.of(dataset), with);
  }

  private <C> EpochIterator<C> start(Function<Object, Fetcher<C>> fetchers) {
    pool.requireReady();
    pool.end("a later epoch was started");
    long number;
    synchronized (this) {
      number = nextEpoch;
    }
    SampleEpoch<C> epoch;
    try {
      epoch =
          new SampleEpoch<>(
              new ClockedEpoch(loaderNumber, text, number, null),
              samples,
              sampling.inOrder(),
              new EpochWorkers<>(workers, making.dataset(), number, belongings(), fetchers));
    } catch (Throwable e) { // the user's sampler or dataset
      throw thrown(e, -1);
    }
    pool.start(epoch);
    history.begin(
        () -> stats(epoch),
        () -> Timeline.NONE,
        Optional::empty); // of Java objects nothing is recorded
    synchronized (this) {
      last = epoch;
      nextEpoch = number + 1;
    }
    return new Pass<>(epoch);
  }

  private WorkerBelongings belongings() {
    WorkerBelongings known = belongings;
    if (known == null || !workers.persistent()) {
      // Before the sampler draws, as in torch.
      known =
          new WorkerBelongings(
              sampling.generator().orElseGet(Generator::global),
              workers.reading().workers(),
              samples::copyForWorker);
      belongings = known;
    }
    return known;
  }

  /// Sets the number of the next epoch. Epochs advance by themselves; this is for starting
  /// elsewhere.
  ///
  /// @param epoch the number that the next call of [#iterator()] starts, in `[0, 2^53]`
  /// @throws IllegalArgumentException if `epoch` is not in there
  @Override
  public synchronized void setEpoch(long epoch) {
    NextEpoch.require(epoch);
    nextEpoch = epoch;
  }

  /// Returns the number of batches in an epoch.
  ///
  /// @return how many
  /// @throws IllegalStateException if the dataset or the batch sampler does not say its size, or it
  ///   depends on how workers share the rows
  @Override
  public long batchesPerEpoch() {
    return samples.batchesPerEpoch(workers.reading().workers());
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
    switch (samples) {
      case MapSamples<T> rows -> {
        Samples<Long> numbers = rows.numbers();
        LongStream.range(0, rows.dataset().size()).forEach(coverage::expect);
        run(fetchers(numbers, (batch, _) -> batch), coverage::deliver);
      }
      case IterableSamples<T> rows -> {
        expect(
            making.fetcher(rows.single(), (row, _) -> row), row -> coverage.expect(key.apply(row)));
        run(fetchers(rows, (batch, _) -> batch), row -> coverage.deliver(key.apply(row)));
      }
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
    } catch (Throwable e) {
      throw thrown(e, -1);
    }
  }

  private <R> void run(Function<Object, Fetcher<List<R>>> fetchers, Consumer<R> consumer) {
    try (EpochIterator<List<R>> epoch = start(fetchers)) {
      while (epoch.hasNext()) {
        epoch.next().forEach(consumer);
      }
    }
  }

  /// Returns what the current epoch has done so far; when none is running, what the last one did.
  ///
  /// @return a snapshot, from any thread; nothing is skipped, and bytes read are the dataset's
  ///   affair
  @Override
  public synchronized LoaderStats stats() {
    return last == null ? LoaderStats.none(nextEpoch, 0, List.of(), memoryStats()) : stats(last);
  }

  private LoaderStats stats(SampleEpoch<?> epoch) {
    return new LoaderStats(
        epoch.number(),
        epoch.rowsDelivered(),
        epoch.batchesDelivered(),
        List.of(),
        PaddingStats.NONE,
        0,
        List.of(),
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

  /// Ends all threads and frees all memory; batches still open keep theirs until they are closed.
  /// Calling it again does nothing. The dataset is the caller's to close.
  @Override
  public void close() {
    resources.close();
  }

  /// Shows a dataset; of one of the user's the class, because no code of the user is called.
  private static String text(Object dataset) {
    boolean own =
        dataset instanceof RowDataset
            || dataset.getClass().getPackage() == MapDataset.class.getPackage();
    return Shown.text(own ? dataset.toString() : dataset.getClass().getSimpleName());
  }

  /// Shows what is read and how. Of a dataset of yours it shows the class.
  @Override
  public String toString() {
    return "SampleLoader of " + text.get() + (pool.isClosed() ? ", closed" : "");
  }

  @Override
  public Optional<String> groupedBy() {
    return Optional.empty();
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
    long rows = epoch.rowsDelivered();
    OptionalLong size;
    try {
      size = samples.contradicts(rows);
    } catch (Throwable e) { // the user's dataset
      throw thrown(e, -1);
    }
    if (size.isPresent()) {
      LOG.warn(
          "Epoch {} delivered {} rows but the IterableDataset says it has {}. With {} workers each"
              + " has to give its own share, see WorkerInfo.",
          epoch.number(),
          rows,
          size.getAsLong(),
          workers.reading().workers());
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
        case RuntimeException e -> e; // told already, or none of the user's
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
