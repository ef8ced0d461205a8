package dev.penstock.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.OnBadFile;
import dev.penstock.SampleLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.data.MapDataset;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import dev.penstock.stats.Stage;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LoaderMetricsTest {
  private final Rows rows = new Rows();
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong now = new AtomicLong();

  /// Binds with a clock that makes every look a new one.
  private LoaderMetrics bind(dev.penstock.Loader<?> loader, String name) {
    LoaderMetrics metrics = new LoaderMetrics(loader, name, () -> now.addAndGet(1_000_000_000));
    metrics.bindTo(registry);
    return metrics;
  }

  private double count(String loader, String meter, String... tags) {
    return registry.get(meter).tag("loader", loader).tags(tags).functionCounter().count();
  }

  private double gauge(String loader, String meter, String... tags) {
    return registry.get(meter).tag("loader", loader).tags(tags).gauge().value();
  }

  /// Makes the meters of stores come.
  private void poll() {
    registry.getMeters().forEach(meter -> meter.measure().forEach(each -> each.getValue()));
  }

  private void assertCountersAre(String loader, LoaderTotals totals) {
    assertThat((long) count(loader, "penstock.epochs")).isEqualTo(totals.epochs());
    assertThat((long) count(loader, "penstock.batches")).isEqualTo(totals.batches());
    assertThat((long) count(loader, "penstock.rows")).isEqualTo(totals.rows());
    assertThat(count(loader, "penstock.epoch.time")).isEqualTo(totals.nanos() / 1e9);
    assertThat((long) count(loader, "penstock.cache.read")).isEqualTo(totals.read().cached());
    for (Stage stage : Stage.values()) {
      String tag = stage.name().toLowerCase(Locale.ROOT);
      assertThat(count(loader, "penstock.worker.time", "stage", tag))
          .isEqualTo(totals.ofWorkers().nanos(stage) / 1e9);
      assertThat(count(loader, "penstock.consumer.wait", "stage", tag))
          .isEqualTo(totals.waitedFor().nanos(stage) / 1e9);
    }
    var timer = registry.get("penstock.batch.wait").tag("loader", loader).functionTimer();
    assertThat((long) timer.count()).isEqualTo(totals.waits().count());
    assertThat(timer.totalTime(TimeUnit.NANOSECONDS))
        .isCloseTo((double) totals.waits().totalNanos(), within(1.0));
    assertThat((long) count(loader, "penstock.batches.waited", "le", "+Inf"))
        .isEqualTo(totals.batches());
    assertThat((long) count(loader, "penstock.skipped.rows", "step", "values"))
        .isEqualTo(totals.read().skipped().values());
    assertThat((long) count(loader, "penstock.skipped.files"))
        .isEqualTo(totals.read().skipped().files());
    totals
        .read()
        .stores()
        .forEach((store, reads) -> {
          assertThat((long) count(loader, "penstock.read", "store", store))
              .isEqualTo(reads.bytes());
          assertThat((long) count(loader, "penstock.read.retries", "store", store))
              .isEqualTo(reads.retries());
        });
  }

  private void assertGaugesAre(String loader, LoaderStats stats) {
    assertThat((long) gauge(loader, "penstock.epoch")).isEqualTo(stats.epoch());
    assertThat((long) gauge(loader, "penstock.bad.files")).isEqualTo(stats.badFiles());
    assertThat((long) gauge(loader, "penstock.queue", "state", "ready"))
        .isEqualTo(stats.queue().ready());
    assertThat((long) gauge(loader, "penstock.queue", "state", "filling"))
        .isEqualTo(stats.queue().filling());
    assertThat((long) gauge(loader, "penstock.queue.capacity")).isEqualTo(stats.queue().capacity());
    assertThat(gauge(loader, "penstock.workers", "state", "decoding")).isEqualTo(2);
    assertThat(gauge(loader, "penstock.workers", "state", "parked")).isZero();
    assertThat((long) gauge(loader, "penstock.memory.used")).isEqualTo(stats.memory().bytes());
    assertThat((long) gauge(loader, "penstock.memory.peak")).isEqualTo(stats.memory().peakBytes());
    assertThat((long) gauge(loader, "penstock.memory.limit"))
        .isEqualTo(stats.memory().limitBytes());
    for (double share : new double[] {0.5, 0.9, 0.99}) {
      assertThat(gauge(loader, "penstock.batch.wait.quantile", "quantile", "" + share))
          .isEqualTo(stats.times().waits().quantileNanos(share) / 1e9);
    }
    assertThat(gauge(loader, "penstock.batch.wait.quantile", "quantile", "1"))
        .isEqualTo(stats.times().waits().maxNanos() / 1e9);
  }

  @Test
  void metersAreTheNumbersOfTheLoaderOverAllEpochs() {
    try (DataLoader loader = Rows.loader(rows.dataset().where("id != 17"))) {
      bind(loader, "train");
      assertCountersAre("train", LoaderTotals.NONE);
      for (int epoch = 1; epoch <= 3; epoch++) {
        Rows.drain(loader);
        poll();
        assertCountersAre("train", loader.totals());
        assertGaugesAre("train", loader.stats());
        assertThat(count("train", "penstock.rows")).isEqualTo(299 * epoch);
        assertThat(count("train", "penstock.skipped.rows", "step", "values")).isEqualTo(epoch);
      }
    }
  }

  @Test
  void countersNeverDecreaseWhileEpochsCome() {
    try (DataLoader loader = Rows.loader(rows.dataset())) {
      bind(loader, "train");
      Rows.drain(loader);
      poll();
      List<Meter> counters = new ArrayList<>();
      for (Meter meter : registry.getMeters()) {
        if (meter.getId().getType() != Meter.Type.GAUGE) {
          counters.add(meter);
        }
      }
      double[] before = new double[counters.size()];
      for (int epoch = 0; epoch < 3; epoch++) {
        try (EpochIterator<Batch> batches = loader.iterator()) {
          for (int batch = 0; batch < 10; batch++) {
            batches.next().close();
            for (int i = 0; i < before.length; i++) {
              double value = counters.get(i).measure().iterator().next().getValue();
              assertThat(value).as("%s", counters.get(i).getId()).isGreaterThanOrEqualTo(before[i]);
              before[i] = value;
            }
          }
        }
      }
    }
  }

  @Test
  void bucketsOfWaitsAreCumulative() {
    try (DataLoader loader = Rows.loader(rows.dataset())) {
      bind(loader, "train");
      Rows.drain(loader);
      long before = -1;
      for (long bound : WaitBounds.nanos().toArray()) {
        long batches =
            (long) count("train", "penstock.batches.waited", "le", WaitBounds.label(bound));
        assertThat(batches)
            .isGreaterThanOrEqualTo(before)
            .isEqualTo(loader.totals().waits().countUpTo(bound));
        before = batches;
      }
      assertThat(before).isEqualTo(43);
    }
  }

  @Test
  void severalLoadersShareARegistry() {
    try (DataLoader train = Rows.loader(rows.dataset());
        DataLoader valid = Rows.loader(rows.dataset().where("id < 50"))) {
      bind(train, "train");
      bind(valid, "valid");
      Rows.drain(train);
      Rows.drain(valid);
      assertThat(count("train", "penstock.rows")).isEqualTo(300);
      assertThat(count("valid", "penstock.rows")).isEqualTo(50);
    }
  }

  @Test
  void secondLoaderOfANameIsRefusedUntilTheFirstIsUnbound() {
    try (DataLoader first = Rows.loader(rows.dataset());
        DataLoader second = Rows.loader(rows.dataset())) {
      LoaderMetrics metrics = bind(first, "train");
      assertThatThrownBy(() -> bind(second, "train"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Cannot bind the metrics of loader 'train': the registry has those of another loader"
                  + " with this name. Close the other LoaderMetrics, or give this loader another"
                  + " name.");
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
      bind(second, "train");
      Rows.drain(second);
      assertThat(count("train", "penstock.rows")).isEqualTo(300);
    }
  }

  @Test
  void closingRemovesAlsoTheMetersThatCameLater() {
    try (DataLoader loader = Rows.loader(rows.dataset());
        DataLoader other = Rows.loader(rows.dataset())) {
      LoaderMetrics metrics = bind(loader, "train");
      bind(other, "other");
      Rows.drain(loader);
      poll();
      assertThat(registry.find("penstock.read").tag("loader", "train").meters()).hasSize(1);
      metrics.close();
      metrics.close();
      assertThat(registry.getMeters())
          .isNotEmpty()
          .allMatch(meter -> Objects.equals(meter.getId().getTag("loader"), "other"));
    }
  }

  @Test
  void closedLoaderKeepsItsNumbers() {
    DataLoader loader = Rows.loader(rows.dataset());
    bind(loader, "train");
    Rows.drain(loader);
    LoaderTotals totals = loader.totals();
    loader.close();
    poll();
    assertCountersAre("train", totals);
    assertThat(gauge("train", "penstock.memory.used")).isZero();
  }

  @Test
  @Timeout(60)
  void collectedLoaderLeavesItsCountersAndItsName() {
    WeakReference<DataLoader> lost = new WeakReference<>(loaded("train"));
    while (lost.get() != null) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(count("train", "penstock.rows")).isEqualTo(300);
    assertThat(gauge("train", "penstock.memory.used")).isNaN();
    try (DataLoader next = Rows.loader(rows.dataset())) {
      bind(next, "train");
      assertThat(count("train", "penstock.rows")).isZero();
      assertThat(gauge("train", "penstock.memory.peak")).isZero();
    }
  }

  private DataLoader loaded(String name) {
    DataLoader loader = Rows.loader(rows.dataset());
    bind(loader, name);
    Rows.drain(loader);
    poll();
    loader.close();
    return loader;
  }

  @Test
  void storesComeWhenTheyWereReadWithTheirRetries() {
    StructuredDataset dataset = rows.dataset();
    assertThat(dataset.files()).hasSize(3);
    AtomicInteger requests = new AtomicInteger();
    rows.site()
        .fault(_ -> {
          if (requests.getAndIncrement() == 0) {
            throw new SocketException("Connection reset");
          }
        });
    try (DataLoader loader = Rows.loader(dataset)) {
      bind(loader, "train");
      poll();
      assertThat(registry.find("penstock.read").meters()).isEmpty();
      Rows.drain(loader);
      poll();
      assertThat((long) count("train", "penstock.read", "store", "memory"))
          .isEqualTo(loader.stats().read().bytes())
          .isPositive();
      assertThat(count("train", "penstock.read.retries", "store", "memory")).isEqualTo(1);
    }
  }

  @Test
  void badFilesAreCounted() {
    rows.site().put("part-3.csv", new byte[] {'"', 'i'});
    try (DataLoader loader = Rows.loader(rows.dataset().onBadFile(OnBadFile.SKIP))) {
      bind(loader, "train");
      assertThat(gauge("train", "penstock.bad.files")).isZero();
      Rows.drain(loader);
      assertThat(gauge("train", "penstock.bad.files")).isEqualTo(1);
    }
  }

  /// The numbers below 5.
  private static final class Five implements MapDataset<Long> {
    @Override
    public long size() {
      return 5;
    }

    @Override
    public Long get(long index) {
      return index;
    }
  }

  @Test
  void loaderOfObjectsHasMetersButNoMemoryLimit() {
    try (SampleLoader<Long, Integer> loader =
        DataLoader.of(new Five(), o -> o.batchSize(2).collate((batch, _) -> batch.size()))) {
      bind(loader, "objects");
      loader.iterator().forEachRemaining(_ -> {});
      assertThat(count("objects", "penstock.rows")).isEqualTo(5);
      assertThat(gauge("objects", "penstock.memory.limit")).isNaN();
      assertThat(gauge("objects", "penstock.workers", "state", "decoding")).isZero();
    }
  }

  @Test
  void tagsAreBoundedAndSayNothingOfTheData() {
    try (DataLoader loader = Rows.loader(rows.dataset().where("id != 17"))) {
      bind(loader, "train");
      Rows.drain(loader);
      poll();
      int meters = registry.getMeters().size();
      Rows.drain(loader);
      poll();
      assertThat(registry.getMeters()).hasSize(meters).hasSizeLessThan(100);
      assertThat(registry.getMeters())
          .flatExtracting(meter -> meter.getId().getTags())
          .extracting(Tag::getKey)
          .containsOnly("loader", "stage", "store", "step", "state", "le", "quantile");
      assertThat(registry.getMeters())
          .flatExtracting(meter -> meter.getId().getTags())
          .extracting(Tag::getValue)
          .noneMatch(value -> value.contains("/") || value.contains("id"));
    }
  }

  @Test
  void numbersThatAreReadTogetherFitTogether() {
    AtomicLong millis = new AtomicLong();
    try (DataLoader loader = Rows.loader(rows.dataset())) {
      new LoaderMetrics(loader, "train", () -> millis.get() * 1_000_000).bindTo(registry);
      assertThat(count("train", "penstock.rows")).isZero();
      Rows.drain(loader);
      millis.addAndGet(49);
      assertThat(count("train", "penstock.batches")).isZero(); // as old as the rows
      millis.addAndGet(50);
      assertThat(count("train", "penstock.batches")).isEqualTo(43);
    }
  }

  @Test
  void numbersThatAreReadAllTheTimeAreNewTwiceASecond() {
    AtomicLong millis = new AtomicLong();
    try (DataLoader loader = Rows.loader(rows.dataset())) {
      new LoaderMetrics(loader, "train", () -> millis.get() * 1_000_000).bindTo(registry);
      assertThat(count("train", "penstock.rows")).isZero();
      Rows.drain(loader);
      while (millis.get() < 499) {
        assertThat(count("train", "penstock.rows")).isZero();
        millis.addAndGet(1);
      }
      millis.addAndGet(1);
      assertThat(count("train", "penstock.rows")).isEqualTo(300);
    }
  }

  @Test
  void prometheusTextHasTheNumbers() {
    PrometheusMeterRegistry prometheus = MetricsSnippets.registry();
    try (DataLoader loader = Rows.loader(rows.dataset())) {
      LoaderMetrics metrics = new LoaderMetrics(loader, "train", () -> now.addAndGet(1L << 40));
      metrics.bindTo(prometheus);
      Rows.drain(loader);
      prometheus.scrape();
      assertThat(prometheus.scrape())
          .contains("penstock_rows_total{loader=\"train\"} 300.0\n")
          .contains("penstock_batch_wait_seconds_count{loader=\"train\"} 43\n")
          .contains("penstock_batches_waited_total{le=\"+Inf\",loader=\"train\"} 43.0\n")
          .contains(
              "penstock_read_bytes_total{loader=\"train\",store=\"memory\"} "
                  + (double) loader.stats().read().bytes()
                  + "\n");
      metrics.close();
      assertThat(prometheus.scrape()).doesNotContain("penstock");
    }
  }

  @Test
  void blankNameIsRefused() {
    try (DataLoader loader = Rows.loader(rows.dataset())) {
      assertThatThrownBy(() -> new LoaderMetrics(loader, " "))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("name must not be blank.");
    }
  }
}
