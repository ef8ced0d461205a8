package dev.penstock.benchmarks.gpu;

import dev.penstock.device.DevicePrefetcher;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Checks what Penstock does on a machine with an NVIDIA GPU, and writes one JSON of it.
///
/// Each check is a line on the console as it ends. A check that fails does not keep the others from
/// running. What hangs is ended with words.
final class GpuCheck {
  static final int PASSED = 0;
  static final int FAILED = 1;
  static final int ABSENT = 2;

  private static final int LIMIT_SECONDS = 540;

  /// How large everything is.
  ///
  /// @param blocks rows of an epoch of blocks, in batches of three
  /// @param blockBytes the size of one of those rows, odd
  /// @param busBytes the size of the copies that are measured, and that occupy the bus
  /// @param busyBytes the memory that work overwrites
  /// @param ballastBytes the largest piece that fills the GPU's memory
  /// @param slackBytes how much of it may be taken at the end: by the driver itself
  /// @param epochBatches batches of `busBytes` in an epoch that is measured
  /// @param workMax the most work for each of them
  record Sizes(
      int blocks,
      int blockBytes,
      long busBytes,
      long busyBytes,
      long ballastBytes,
      long slackBytes,
      int epochBatches,
      int workMax) {
    static final Sizes OF_MACHINE =
        new Sizes(128, (1 << 20) - 3, 64L << 20, 256L << 20, 1L << 30, 64L << 20, 32, 10_000);
  }

  private final SymbolLookup driver;
  private final Path data;
  private final Sizes sizes;
  private final PrintStream console;
  private final CheckReport report;

  GpuCheck(SymbolLookup driver, Path data, Sizes sizes, PrintStream console, CheckReport report) {
    this.driver = driver;
    this.data = data;
    this.sizes = sizes;
    this.console = console;
    this.report = report;
  }

  /// Runs `FOLDER RESULT`: the folder has `data/types.parquet` and `python`; `RESULT` is the file
  /// that is written.
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]).toAbsolutePath();
    CheckReport report = new CheckReport(Path.of(args[1]));
    endLate(report);
    System.exit(run(folder, report));
  }

  private static int run(Path folder, CheckReport report) throws IOException {
    try {
      Path data = folder.resolve("data/types.parquet");
      GpuCheck check = new GpuCheck(Gpu.ofMachine(), data, Sizes.OF_MACHINE, System.out, report);
      check.run();
      new TorchCheck(folder, System.out).run(report);
    } catch (Gpu.Absent e) {
      report.absent(String.valueOf(e.getMessage()));
      System.err.println("Nothing was checked: " + e.getMessage() + ".");
      return ABSENT;
    }
    System.out.println(
        (report.isPassed() ? "Everything passed" : "Something FAILED")
            + "; the details are in "
            + report.file().toAbsolutePath());
    return report.isPassed() ? PASSED : FAILED;
  }

  /// Ends the process when it takes too long, because a check may wait without end.
  private static void endLate(CheckReport report) {
    Thread.ofPlatform()
        .daemon()
        .name("limit")
        .start(() -> {
          long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
          while (end - System.nanoTime() > 0) {
            LockSupport.parkNanos(end - System.nanoTime());
          }
          String where = "; what is known is in " + report.file().toAbsolutePath();
          try {
            report.hangs(LIMIT_SECONDS);
          } catch (IOException e) {
            where = "; no file could be written: " + e;
          }
          System.err.println(
              "Ended after " + LIMIT_SECONDS + " seconds: a check hangs" + where + ".");
          ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
          Runtime.getRuntime().halt(FAILED);
        });
  }

  /// Runs all checks and measures.
  ///
  /// @throws Gpu.Absent if there is no GPU
  void run() throws Gpu.Absent, IOException {
    report.begin("open the GPU");
    int device = DevicePrefetcher.ownDevice();
    Gpu gpu = Gpu.open(driver, device);
    check("Penstock finds the GPU", () -> find(gpu, device));
    Arrival arrival = new Arrival(gpu, device, data, sizes);
    check("warm up", arrival::warmUp);
    check("every element type, odd sizes, pinned", () -> arrival.everyType(true));
    check("every element type, odd sizes, not pinned", () -> arrival.everyType(false));
    check("memory is pinned, and released", arrival::pinned);
    check("slabs are reused while copies are under way", arrival::reuse);
    check("two streams", arrival::twoStreams);
    check("close during a copy", arrival::closeDuringCopy);
    check("out of device memory", arrival::outOfMemory);
    check("figures", () -> report.figures(new Speed(gpu, device, sizes).figures()));
    check("no device memory is left behind", arrival::nothingLeft);
  }

  /// Makes a check, which throws if it finds anything wrong.
  private void check(String name, Runnable check) throws IOException {
    long begin = System.nanoTime();
    report.begin(name);
    StringWriter wrong = new StringWriter();
    String first = "";
    try {
      check.run();
    } catch (Throwable e) { // also an Error: the other checks are made
      e.printStackTrace(new PrintWriter(wrong, true));
      first = ": " + e;
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    report.end(name, wrong.toString(), seconds);
    console.printf(
        "%-6s %6.1f s  %s%s%n", first.isEmpty() ? "passed" : "FAILED", seconds, name, first);
  }

  private void find(Gpu gpu, int device) {
    if (DevicePrefetcher.devices() == 0) {
      throw new AssertionError("Penstock finds no GPU where the driver has one");
    }
    report.machine(machine(gpu, device));
  }

  private static Map<String, String> machine(Gpu gpu, int device) {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("gpu", gpu.name());
    machine.put("gpu_number", Integer.toString(device));
    machine.put("gpu_memory_bytes", Long.toString(gpu.totalBytes()));
    machine.put("cuda_of_driver", Integer.toString(gpu.driverVersion()));
    machine.put("java", System.getProperty("java.vm.version"));
    machine.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("nvidia_smi", smi());
    return machine;
  }

  /// Returns what the driver's own tool says of the bus, if it is there.
  private static String smi() {
    String fields =
        "name,driver_version,pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current";
    try {
      Process process =
          new ProcessBuilder("nvidia-smi", "--query-gpu=" + fields, "--format=csv,noheader")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return said.strip();
    } catch (IOException e) {
      return "";
    }
  }
}
