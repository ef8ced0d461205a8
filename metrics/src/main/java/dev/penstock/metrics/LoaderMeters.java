package dev.penstock.metrics;

import dev.penstock.Loader;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.SkippedRows;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StoreReads;
import dev.penstock.stats.WorkerStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The meters of one loader in one registry.
///
/// The registry calls their functions with the loader, which it holds weakly; nothing here holds
/// it. The stores of a loader are known when it has read from them: their meters come then.
///
/// **Threads.** Safe for any.
final class LoaderMeters {
  private static final String LOADER = "loader";
  private static final String EPOCH = "penstock.epoch";
  private static final double NANOS = 1e9; // of a second
  private static final double[] QUANTILES = {0.5, 0.9, 0.99, 1};

  private final MeterRegistry registry;
  private final String name;
  private final Tags tags;
  private final LoaderView view;
  private final Set<String> stores = ConcurrentHashMap.newKeySet();
  private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();
  private volatile boolean removed;

  LoaderMeters(MeterRegistry registry, String name, LongSupplier ticker) {
    this.registry = registry;
    this.name = name;
    this.tags = Tags.of(LOADER, name);
    this.view = new LoaderView(ticker);
  }

  /// Registers the meters of a loader.
  ///
  /// @throws IllegalStateException if the registry has meters with this name
  void register(Loader<?> loader) {
    requireNameIsFree();
    registerDeliveries(loader);
    registerTimes(loader);
    registerWaits(loader);
    registerSkips(loader);
    registerState(loader);
  }

  /// A loader that was collected leaves gauges without a number; then the name is free again.
  private void requireNameIsFree() {
    Gauge known = registry.find(EPOCH).tag(LOADER, name).gauge();
    if (known == null) {
      return;
    }
    if (!Double.isNaN(known.value())) {
      throw new IllegalStateException(
          "Cannot bind the metrics of loader '"
              + name
              + "': the registry has those of another loader with this name. Close the other"
              + " LoaderMetrics, or give this loader another name.");
    }
    registry.getMeters().stream()
        .filter(meter -> meter.getId().getName().startsWith("penstock."))
        .filter(meter -> name.equals(meter.getId().getTag(LOADER)))
        .forEach(registry::remove);
  }

  private void registerDeliveries(Loader<?> loader) {
    counter(loader, "penstock.epochs", "epochs", "Epochs that were started", LoaderTotals::epochs);
    counter(loader, "penstock.batches", "batches", "Batches received", LoaderTotals::batches);
    counter(loader, "penstock.rows", "rows", "Rows received", LoaderTotals::rows);
    counter(
        loader,
        "penstock.cache.read",
        "bytes",
        "Decoded columns read from a local cache instead of storage",
        totals -> totals.read().cached());
  }

  private void registerTimes(Loader<?> loader) {
    counter(
        loader,
        "penstock.epoch.time",
        "seconds",
        "How long the epochs ran",
        totals -> totals.nanos() / NANOS);
    for (Stage stage : Stage.values()) {
      String of = stage.name().toLowerCase(Locale.ROOT);
      counter(
          loader,
          "penstock.worker.time",
          "seconds",
          "Where the time of the workers went, all together",
          totals -> totals.ofWorkers().nanos(stage) / NANOS,
          "stage",
          of);
      counter(
          loader,
          "penstock.consumer.wait",
          "seconds",
          "What the consumer waited for",
          totals -> totals.waitedFor().nanos(stage) / NANOS,
          "stage",
          of);
    }
  }

  private void registerWaits(Loader<?> loader) {
    add(
        FunctionTimer.builder(
                "penstock.batch.wait",
                loader,
                each -> look(each).totals().waits().count(),
                each -> look(each).totals().waits().totalNanos(),
                TimeUnit.NANOSECONDS)
            .tags(tags)
            .description("How long the consumer waited for each batch")
            .register(registry));
    WaitBounds.nanos()
        .forEach(bound ->
            counter(
                loader,
                "penstock.batches.waited",
                null,
                "Batches that were waited for at most le seconds",
                totals -> totals.waits().countUpTo(bound),
                "le",
                WaitBounds.label(bound)));
    for (double share : QUANTILES) {
      gauge(
          loader,
          "penstock.batch.wait.quantile",
          "seconds",
          "How long the consumer waited for a batch at most, of a share of the epoch's batches",
          stats -> stats.times().waits().quantileNanos(share) / NANOS,
          "quantile",
          share == 1 ? "1" : Double.toString(share));
    }
  }

  private void registerSkips(Loader<?> loader) {
    Map<String, ToLongFunction<SkippedRows>> steps =
        Map.of(
            "statistics", SkippedRows::statistics,
            "bloom_filters", SkippedRows::bloomFilters,
            "page_index", SkippedRows::pageIndex,
            "values", SkippedRows::values);
    steps.forEach((step, rows) ->
        counter(
            loader,
            "penstock.skipped.rows",
            "rows",
            "Rows that the filter left out, by the step that did",
            totals -> rows.applyAsLong(totals.read().skipped()),
            "step",
            step));
    counter(
        loader,
        "penstock.skipped.files",
        "files",
        "Files that were not opened, because of their folders",
        totals -> totals.read().skipped().files());
  }

  private void registerState(Loader<?> loader) {
    gauge(loader, EPOCH, null, "Number of the epoch", LoaderStats::epoch);
    gauge(
        loader,
        "penstock.bad.files",
        "files",
        "Files that were left out because they cannot be read",
        LoaderStats::badFiles);
    String queue = "penstock.queue";
    String ahead = "Batches between workers and consumer";
    String state = "state";
    gauge(loader, queue, "batches", ahead, stats -> stats.queue().ready(), state, "ready");
    gauge(loader, queue, "batches", ahead, stats -> stats.queue().filling(), state, "filling");
    gauge(
        loader,
        "penstock.queue.capacity",
        "batches",
        "The most batches between workers and consumer",
        stats -> stats.queue().capacity());
    String workers = "penstock.workers";
    String what = "Workers of the epoch";
    gauge(loader, workers, "workers", what, stats -> at(stats, false), state, "decoding");
    gauge(loader, workers, "workers", what, stats -> at(stats, true), state, "parked");
    registerMemory(loader);
  }

  /// Returns how many workers are parked, or are not.
  private static long at(LoaderStats stats, boolean isParked) {
    return stats.times().workers().stream()
        .filter(worker -> worker.worker() >= 0) // else it is the consumer's thread
        .map(WorkerStats::isParked)
        .filter(parked -> parked == isParked)
        .count();
  }

  private void registerMemory(Loader<?> loader) {
    gauge(
        loader,
        "penstock.memory.used",
        "bytes",
        "Off-heap memory that the loader holds, with open batches",
        stats -> stats.memory().bytes());
    gauge(
        loader,
        "penstock.memory.peak",
        "bytes",
        "The most off-heap memory that the loader held at once",
        stats -> stats.memory().peakBytes());
    gauge(
        loader,
        "penstock.memory.limit",
        "bytes",
        "The most off-heap memory that the loader may take, without open batches",
        stats -> limit(stats.memory()));
  }

  private static double limit(MemoryStats memory) {
    return memory.limitBytes() == Long.MAX_VALUE ? Double.NaN : memory.limitBytes();
  }

  private void registerStore(Loader<?> loader, String store) {
    counter(
        loader,
        "penstock.read",
        "bytes",
        "Bytes read from storage",
        totals -> reads(totals, store).bytes(),
        "store",
        store);
    counter(
        loader,
        "penstock.read.retries",
        null,
        "Requests that were repeated because an earlier one failed",
        totals -> reads(totals, store).retries(),
        "store",
        store);
  }

  private static StoreReads reads(LoaderTotals totals, String store) {
    return totals.read().stores().getOrDefault(store, StoreReads.NONE);
  }

  private LoaderView.Seen look(Loader<?> loader) {
    LoaderView.Seen seen = view.look(loader);
    for (String store : seen.totals().read().stores().keySet()) {
      if (stores.add(store)) {
        registerStore(loader, store);
      }
    }
    return seen;
  }

  private void counter(
      Loader<?> loader,
      String meter,
      @Nullable String unit,
      String description,
      ToDoubleFunction<LoaderTotals> value,
      String... more) {
    add(
        FunctionCounter.builder(meter, loader, each -> value.applyAsDouble(look(each).totals()))
            .tags(tags.and(more))
            .baseUnit(unit)
            .description(description)
            .register(registry));
  }

  private void gauge(
      Loader<?> loader,
      String meter,
      @Nullable String unit,
      String description,
      ToDoubleFunction<LoaderStats> value,
      String... more) {
    add(
        Gauge.builder(meter, loader, each -> value.applyAsDouble(look(each).stats()))
            .tags(tags.and(more))
            .baseUnit(unit)
            .description(description)
            .register(registry));
  }

  private void add(Meter meter) {
    meters.add(meter);
    if (removed) {
      remove();
    }
  }

  /// Removes the meters from the registry.
  void remove() {
    removed = true;
    for (Meter meter = meters.poll(); meter != null; meter = meters.poll()) {
      registry.remove(meter);
    }
  }
}
