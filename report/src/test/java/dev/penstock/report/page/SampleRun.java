package dev.penstock.report.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/// A run of workers that decode slices of a plan's files, wait now and then, and of a consumer. The
/// totals are the sums of what the timeline has.
final class SampleRun {
  static final List<String> STAGES =
      List.of(
          "OPEN",
          "FETCH",
          "DECOMPRESS",
          "DECODE",
          "FILTER",
          "SHUFFLE",
          "TRANSFORM",
          "BATCH",
          "COLLATE",
          "WAIT");
  private static final String[] SLICE_STAGES = {
    "open", "fetch", "decompress", "decode", "filter", "transform"
  };
  // Of a slice, in thousandths.
  private static final int[] SHARES = {20, 280, 180, 340, 60, 90};
  private static final int WAIT = STAGES.indexOf("WAIT");

  private final String name;
  private final SamplePlan plan;
  private final Random random;
  private final long[][] nanos;
  private final Columns<Object> slices =
      new Columns<>(
          "worker",
          "start",
          "end",
          "file",
          "firstRow",
          "endRow",
          "rows",
          "slices",
          "open",
          "fetch",
          "decompress",
          "decode",
          "filter",
          "transform");
  private final Columns<Object> waits =
      new Columns<>("worker", "start", "end", "waited", "waits", "for");
  private final long[] fileRows;
  private final long[] fileMicros;
  private long rows;
  private long micros;
  private long consumerWaited;

  SampleRun(String name, int workers, SamplePlan plan, int sliceCount, long seed) {
    this.name = name;
    this.plan = plan;
    this.random = new Random(seed);
    this.nanos = new long[workers][STAGES.size()];
    this.fileRows = new long[plan.rows.size()];
    this.fileMicros = new long[plan.rows.size()];
    for (int worker = 0; worker < workers; worker++) {
      work(worker, workers, sliceCount / workers + (worker < sliceCount % workers ? 1 : 0));
    }
    consume(Math.min(10_000, sliceCount));
  }

  /// A run that read nothing, in no time, without workers.
  static Map<String, Object> idle() {
    Map<String, Object> run = new SampleRun("epoch 0", 0, new SamplePlan(1, 1, 0), 0, 0).data();
    List<Integer> times = Collections.nCopies(STAGES.size(), 0);
    run.put("workers", List.of(Map.of("worker", -1, "parked", false, "nanos", times)));
    run.put("rowsPerSecond", 0);
    return run;
  }

  private void work(int worker, int workers, int count) {
    long now = 500L * worker;
    for (int slice = 0; slice < count; slice++) {
      now = decode(worker, (worker + slice / 4 * workers) % plan.rows.size(), now);
      long copying = 200L + random.nextInt(900);
      nanos[worker][STAGES.indexOf("SHUFFLE")] += copying * 300;
      nanos[worker][STAGES.indexOf("BATCH")] += copying * 600;
      nanos[worker][STAGES.indexOf("COLLATE")] += copying * 100;
      now += copying;
      if (slice % 7 == 6) {
        long end = now + 800 + random.nextInt(3000);
        wait(worker, now, end, 1, random.nextInt(4) == 0 ? "memory" : "consumer");
        nanos[worker][WAIT] += (end - now) * 1000;
        now = end;
      }
    }
    micros = Math.max(micros, now);
  }

  private long decode(int worker, int file, long start) {
    long length = 2500L + random.nextInt(4000) + (file == 3 ? 5000 : 0);
    int count = 6000 + random.nextInt(2192);
    int first = random.nextInt(plan.rows.get(file) - 10_000);
    put(worker, start, start + length, file, first, first + count);
    for (int stage = 0; stage < SLICE_STAGES.length; stage++) {
      long time = length * SHARES[stage] / 1000;
      slices.add(SLICE_STAGES[stage], time);
      String upper = SLICE_STAGES[stage].toUpperCase(Locale.ROOT);
      nanos[worker][STAGES.indexOf(upper)] += time * 1000;
    }
    fileRows[file] += count;
    fileMicros[file] += length;
    rows += count;
    return start + length;
  }

  private void put(int worker, long start, long end, int file, int first, int last) {
    slices.add("worker", worker);
    slices.add("start", start);
    slices.add("end", end);
    slices.add("file", file);
    slices.add("firstRow", first);
    slices.add("endRow", last);
    slices.add("rows", last - first);
    slices.add("slices", slices.size() % 20 == 0 ? 2 : 1);
  }

  /// Adds waits that were put together; one wait is all of its span.
  private void wait(int worker, long start, long end, int count, String reason) {
    waits.add("worker", worker);
    waits.add("start", start);
    waits.add("end", end);
    waits.add("waited", (end - start) / count);
    waits.add("waits", count);
    waits.add("for", reason);
  }

  private void consume(int most) {
    int room = Math.max(0, most - waits.size());
    int count = Math.min(room, 60 + most / 2);
    long each = micros / Math.max(1, count);
    for (int k = 0; k < count; k++) {
      long start = k * each + random.nextInt((int) Math.max(1, each / 3));
      long end = start + Math.max(1, each * (10L + random.nextInt(40)) / 100);
      int together = k % 10 == 9 ? 2 : 1;
      wait(-1, start, end, together, "batch");
      consumerWaited += (end - start) / together;
    }
  }

  Map<String, Object> data() {
    double seconds = micros / 1e6;
    long read = rows * 30;
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("name", name);
    run.put("settings", List.of());
    run.put("seconds", seconds);
    run.put("rows", rows);
    run.put("batches", (rows + 1023) / 1024);
    run.put("rowsPerSecond", rows / seconds);
    run.put("bytesRead", read);
    run.put("bytesCached", 0);
    run.put("waitSeconds", consumerWaited / 1e6);
    run.put(
        "steps",
        Map.of(
            "rank",
            3,
            "world",
            8,
            "count",
            (rows + 1023) / 1024,
            "digest",
            "fedcba9876543210",
            "last",
            Map.of(
                "step",
                List.of(4711, 4712),
                "rows",
                List.of(1024, 1000),
                "digest",
                List.of("0123456789abcdef", "89abcdef01234567"))));
    run.put("memoryPeakBytes", 212_000_000);
    run.put("memoryLimitBytes", 512_000_000);
    run.put(
        "bottleneck",
        "Decoding is the bottleneck (34 % of the workers' time): more workers decode more at once.");
    run.put(
        "skipped",
        Map.of(
            "files",
            27,
            "statistics",
            310_000,
            "bloomFilters",
            0,
            "pageIndex",
            120_500,
            "values",
            42_000));
    run.put(
        "stores",
        Map.of(
            "store",
            List.of("file", "s3"),
            "bytes",
            List.of(read / 3, read - read / 3),
            "retries",
            List.of(0, 4)));
    run.put("stages", STAGES);
    run.put("waitedFor", waitedFor());
    run.put("workers", workers());
    run.put(
        "waits",
        Map.of(
            "count",
            (rows + 1023) / 1024,
            "p50",
            420_000,
            "p90",
            1_900_000,
            "p99",
            5_300_000,
            "max",
            9_700_000));
    run.put("recorded", true);
    run.put("files", plan.locations);
    run.put("slices", slices.data());
    run.put("waitSpans", waits.data());
    run.put("samples", samples(read));
    run.put("order", order());
    run.put("skew", skew());
    return run;
  }

  private List<Long> waitedFor() {
    long[] waited = new long[STAGES.size()];
    waited[STAGES.indexOf("FETCH")] = consumerWaited * 300;
    waited[STAGES.indexOf("DECODE")] = consumerWaited * 600;
    waited[STAGES.indexOf("BATCH")] = consumerWaited * 100;
    return Arrays.stream(waited).boxed().toList();
  }

  private List<Object> workers() {
    List<Object> workers = new ArrayList<>();
    for (int worker = 0; worker < nanos.length; worker++) {
      List<Long> times = Arrays.stream(nanos[worker]).boxed().toList();
      workers.add(Map.of("worker", worker, "parked", false, "nanos", times));
    }
    return workers;
  }

  private Map<String, Object> samples(long read) {
    Columns<Object> samples =
        new Columns<>("at", "rows", "batches", "bytes", "memory", "ready", "filling");
    int count = 120;
    double done = 0;
    for (int k = 0; k <= count; k++) {
      samples.add("at", micros * k / count);
      samples.add("rows", Math.round(rows * done));
      samples.add("batches", Math.round(rows * done / 1024));
      samples.add("bytes", Math.round(read * done));
      samples.add("memory", 120_000_000 + random.nextInt(92_000_000));
      samples.add("ready", random.nextInt(9));
      samples.add("filling", 1 + random.nextInt(3));
      done = Math.min(1, done + (0.6 + 0.8 * random.nextDouble()) / count);
    }
    Map<String, Object> all = samples.data();
    all.put("capacity", 8);
    return all;
  }

  private Map<String, Object> order() {
    Columns<Object> places = new Columns<>("delivered", "inFiles");
    int count = (int) Math.min(4000, rows);
    for (int k = 0; k < count; k++) {
      places.add("delivered", rows * k / count);
      places.add("inFiles", (long) (random.nextDouble() * rows));
    }
    List<Integer> batches = new ArrayList<>();
    List<Double> late = new ArrayList<>();
    List<Double> onTime = new ArrayList<>();
    for (int k = 0; k < 100; k++) {
      batches.add(k * 10);
      double share = Math.round((0.2 + 0.03 * random.nextGaussian()) * 1000) / 1000.0;
      late.add(share);
      onTime.add(1 - share);
    }
    Map<String, Object> order = places.data();
    order.put("rows", rows);
    order.put("rankCorrelation", 0.012);
    order.put(
        "labels",
        Map.of(
            "column",
            "delayed",
            "values",
            List.of("0", "1"),
            "batch",
            batches,
            "shares",
            List.of(onTime, late),
            "overall",
            List.of(0.8, 0.2)));
    return order;
  }

  private Map<String, Object> skew() {
    Columns<Object> skew = new Columns<>("file", "rows", "seconds");
    for (int file = 0; file < fileRows.length; file++) {
      if (fileRows[file] > 0) {
        skew.add("file", file);
        skew.add("rows", fileRows[file]);
        skew.add("seconds", fileMicros[file] / 1e6);
      }
    }
    return skew.data();
  }
}
