package dev.penstock.benchmarks.gpu;

import dev.penstock.Loader;
import dev.penstock.batch.Batch;
import dev.penstock.benchmarks.gpu.Expected.Blocks;
import dev.penstock.benchmarks.gpu.GpuCheck.Sizes;
import dev.penstock.device.DeviceBatch;
import dev.penstock.device.DevicePrefetcher;
import java.util.LinkedHashMap;
import java.util.Map;

/// Measures copies beside the bus's limit, and how much of them the work hides. These are figures,
/// not checks: no value is wrong.
///
/// **Threads.** That of the [Gpu].
final class Speed {
  private static final int TIMES = 8;
  private static final double GIGA = 1e9;

  private final Gpu gpu;
  private final int device;
  private final Sizes sizes;
  private final Blocks blocks;
  private final Map<String, Double> figures = new LinkedHashMap<>();

  Speed(Gpu gpu, int device, Sizes sizes) {
    this.gpu = gpu;
    this.device = device;
    this.sizes = sizes;
    int rowBytes = Math.toIntExact(sizes.busBytes() / 16);
    this.blocks = new Blocks(sizes.epochBatches() * 16, rowBytes, 16);
  }

  Map<String, Double> figures() {
    copies();
    double pinned = loaderSeconds(true, 0);
    double plain = loaderSeconds(false, 0);
    double bytes = (double) blocks.rows() * blocks.rowBytes();
    figures.put("prefetcher_pinned_gb_per_s", bytes / pinned / GIGA);
    figures.put("prefetcher_unpinned_gb_per_s", bytes / plain / GIGA);
    overlap(pinned);
    return figures;
  }

  /// Single copies of one batch's memory, beside the same size that the driver pinned.
  private void copies() {
    try (Bus bus = new Bus(gpu, sizes.busBytes())) {
      double limit = bus.bytesPerSecond(bus.pinnedByDriver(), TIMES);
      double pinned = batchCopies(bus, true);
      double plain = batchCopies(bus, false);
      figures.put("bus_limit_gb_per_s", limit / GIGA);
      figures.put("batch_pinned_gb_per_s", pinned / GIGA);
      figures.put("batch_unpinned_gb_per_s", plain / GIGA);
      figures.put("batch_pinned_of_limit", pinned / limit);
      figures.put("batch_unpinned_of_limit", plain / limit);
    }
  }

  private double batchCopies(Bus bus, boolean pin) {
    try (Loader<Batch> loader = blocks.loader(true, o -> o.pinMemory(pin));
        Batch batch = loader.iterator().next()) {
      return bus.bytesPerSecond(batch.tensor("block").memory(), TIMES);
    }
  }

  /// Returns how long an epoch takes, the better of two behind one that warms up.
  ///
  /// @param work how often memory is overwritten for each batch
  private double loaderSeconds(boolean pin, int work) {
    try (BusyStream stream = new BusyStream(gpu, sizes.busyBytes());
        Loader<Batch> loader = blocks.loader(false, o -> o.pinMemory(pin));
        DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, device, stream.handle())) {
      double best = Double.MAX_VALUE;
      for (int epoch = 0; epoch < 3; epoch++) {
        long begin = System.nanoTime();
        for (DeviceBatch batch : prefetcher) {
          try (batch) {
            stream.work(work);
          }
        }
        stream.await();
        best = epoch == 0 ? best : Math.min(best, seconds(begin));
      }
      return best;
    }
  }

  /// As much work as the copies take, alone and beside them.
  private void overlap(double copying) {
    double once = workSeconds(200) / 200;
    int work = (int) Math.clamp(copying / sizes.epochBatches() / once, 1, sizes.workMax());
    double working = workSeconds(work * sizes.epochBatches());
    double both = loaderSeconds(true, work);
    figures.put("copies_alone_s", copying);
    figures.put("work_alone_s", working);
    figures.put("copies_and_work_s", both);
    if (Math.min(copying, working) > both / 10) { // else it is noise
      figures.put("hidden_share", (copying + working - both) / Math.min(copying, working));
    }
  }

  private double workSeconds(int times) {
    try (BusyStream stream = new BusyStream(gpu, sizes.busyBytes())) {
      stream.work(1);
      stream.await();
      long begin = System.nanoTime();
      stream.work(times);
      stream.await();
      return seconds(begin);
    }
  }

  private static double seconds(long begin) {
    return Math.max(1, System.nanoTime() - begin) / GIGA;
  }
}
