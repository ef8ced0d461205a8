package dev.penstock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The epochs of one run: what each took, and the line of JSON that says so.
///
/// The first epochs warm the JVM up and only the last ones count. Of the warm-up the first (a fresh
/// JVM, opening the files included) and the fifth are reported as well. Times are medians; the
/// CPU's is the mean, because its clock ticks in hundredths of a second.
final class Epochs {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final Settings settings;
  private final CompilerPace compiler = new CompilerPace();
  private final List<Epoch> epochs = new ArrayList<>();
  private int warmUps = -1; // until it is over
  private long startNanos;
  private long startCpuNanos;

  /// Starts the first epoch.
  ///
  /// @param settings how many epochs to run
  Epochs(Settings settings) {
    this.settings = settings;
    start();
  }

  /// Returns the number of the epoch that runs now, counted from 1.
  int number() {
    return epochs.size() + 1;
  }

  /// Returns whether the current epoch is wanted.
  boolean isWanted() {
    if (warmUps < 0) {
      boolean isQuiet = compiler.isQuiet() || seconds(0) >= settings.warmUpSecondsMax();
      if (epochs.size() >= settings.warmUps() && isQuiet) {
        warmUps = epochs.size();
      }
    }
    return warmUps < 0
        || epochs.size() < warmUps + settings.timed()
        || seconds(warmUps) < settings.timedSeconds();
  }

  private double seconds(int first) {
    return epochs.stream().skip(first).mapToDouble(Epoch::seconds).sum();
  }

  /// Runs all epochs, whose parts take turns on the threads of the settings.
  ///
  /// @param parts what an epoch consists of; each returns its rows
  /// @throws Exception what a part throws
  void run(List<Callable<Long>> parts) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(settings.threads())) {
      while (isWanted()) {
        long rows = 0;
        for (Future<Long> part : pool.invokeAll(parts)) {
          rows += part.get();
        }
        end(rows, parts.size(), 0);
      }
    }
  }

  /// Ends an epoch and starts the next.
  ///
  /// @param rows the rows that were delivered
  /// @param batches the batches that were delivered
  /// @param waitNanos how long the consumer waited for them
  void end(long rows, long batches, long waitNanos) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    double cpuSeconds = (SYSTEM.getProcessCpuTime() - startCpuNanos) / 1e9;
    epochs.add(new Epoch(rows, batches, seconds, cpuSeconds, waitNanos / 1e9));
    start();
  }

  private void start() {
    startCpuNanos = SYSTEM.getProcessCpuTime();
    startNanos = System.nanoTime();
  }

  /// Returns the line that all systems print.
  ///
  /// @param system the name of the system
  /// @param expected what should have been delivered
  /// @param checksum the sum over an epoch's rows, null where there is none to check
  String json(String system, Expected expected, @Nullable Checksum checksum) throws IOException {
    List<Epoch> timed = epochs.subList(warmUps, epochs.size());
    double seconds = median(timed, Epoch::seconds);
    String sum = checksum == null ? "" : checksum.hex();
    boolean ok =
        (checksum == null || sum.equals(expected.checksum()))
            && epochs.stream().allMatch(epoch -> epoch.rows() == expected.rows());
    return String.format(
        Locale.ROOT,
        "{\"system\": \"%s\", \"workload\": \"%s\", \"rows\": %d, \"batches\": %d,"
            + " \"seconds\": %.4f, \"rows_per_s\": %.0f, \"checksum\": \"%s\","
            + " \"peak_rss_mb\": %d, \"ok\": %b, \"epochs\": [%s], \"cpu_s\": %.3f,"
            + " \"epoch1_rows_per_s\": %.0f, \"epoch5_rows_per_s\": %s, \"wait_s\": %.4f,"
            + " \"warmup_epochs\": %d, \"jvm\": \"%s\"}",
        system + ":" + settings.threads(),
        settings.workload().key(),
        timed.getLast().rows(),
        timed.getLast().batches(),
        seconds,
        expected.rowsIn() / seconds,
        sum,
        peakResidentMegabytes(),
        ok,
        timed.stream()
            .map(epoch -> String.format(Locale.ROOT, "%.4f", epoch.seconds()))
            .collect(Collectors.joining(", ")),
        timed.stream().mapToDouble(Epoch::cpuSeconds).average().orElseThrow(),
        epochs.getFirst().rowsPerSecond(),
        epochs.size() < 5 ? "null" : Math.round(epochs.get(4).rowsPerSecond()),
        median(timed, Epoch::waitSeconds),
        warmUps,
        String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
  }

  private static double median(List<Epoch> epochs, ToDoubleFunction<Epoch> value) {
    List<Double> values = new ArrayList<>(epochs.stream().mapToDouble(value).boxed().toList());
    Collections.sort(values);
    return values.get(values.size() / 2);
  }

  /// The most memory this process has had resident, or 0 where the system does not tell.
  private static long peakResidentMegabytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    Matcher peak = Pattern.compile("VmHWM:\\s+(\\d+) kB").matcher(Files.readString(status));
    return peak.find() ? Long.parseLong(peak.group(1)) / 1024 : 0;
  }

  private record Epoch(
      long rows, long batches, double seconds, double cpuSeconds, double waitSeconds) {
    double rowsPerSecond() {
      return rows / seconds;
    }
  }
}
