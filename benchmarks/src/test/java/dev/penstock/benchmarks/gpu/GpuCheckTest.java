package dev.penstock.benchmarks.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.benchmarks.gpu.GpuCheck.Sizes;
import dev.penstock.internal.cuda.FakeCuda;
import dev.penstock.testing.Seeded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `dev/gpu-check` runs on a machine with a GPU passes with the simulated driver, and notices
/// when that is broken.
@Timeout(120)
class GpuCheckTest {
  private static final Path DATA = Path.of("gpu-check/types.parquet");
  private static final Sizes SMALL = new Sizes(48, 4093, 1 << 16, 1 << 10, 8 << 20, 0, 4, 4);
  private static final long CAPACITY = 64 << 20;

  @TempDir Path folder;

  private CheckReport run(FakeCuda driver) throws Exception {
    CheckReport report = new CheckReport(folder.resolve("result.json"));
    new GpuCheck(driver, DATA, SMALL, new PrintStream(new ByteArrayOutputStream()), report).run();
    return report;
  }

  @Seeded(runs = 10)
  void everythingPassesOnAGpuThatIsAsLazyAsItMayBe(Random random) throws Exception {
    try (FakeCuda driver = new FakeCuda(random.nextLong(), "", CAPACITY)) {
      CheckReport report = run(driver);
      assertThat(report.failures()).isEmpty();
      assertThat(report.figures())
          .containsKeys("bus_limit_gb_per_s", "batch_pinned_of_limit", "copies_and_work_s");
      assertThat(Files.readString(report.file())).startsWith("{\"passed\":true,\"machine\":{");
      assertThat(driver.leftovers())
          .allMatch(fault -> fault.equals("copied from memory that is not registered"));
    }
  }

  /// Of each function the checks that notice, separated by semicolons.
  @ParameterizedTest
  @CsvSource(
      delimiter = ':',
      value = {
        "cuMemcpyHtoDAsync_v2: every element type, odd sizes, pinned;"
            + "every element type, odd sizes, not pinned",
        "cuMemHostRegister_v2: memory is pinned, and released",
        "cuMemHostUnregister: memory is pinned, and released",
        "cuEventSynchronize: slabs are reused while copies are under way",
        "cuStreamWaitEvent: slabs are reused while copies are under way;two streams",
        "cuCtxSynchronize: close during a copy",
        "cuMemFree_v2: out of device memory;no device memory is left behind",
      })
  void driverThatIgnoresAFunctionIsNoticed(String function, String checks) throws Exception {
    try (FakeCuda driver = new FakeCuda(1, function, CAPACITY)) {
      assertThat(run(driver).failures()).containsKeys(checks.split(";"));
    }
  }

  @Test
  void driverThatCannotBeUsedIsNamed() {
    try (FakeCuda driver = new FakeCuda(1)) {
      // In place of cuInit a function that refuses what it is given.
      SymbolLookup refusing = name -> driver.find(name.equals("cuInit") ? "cuMemFree_v2" : name);
      assertThatThrownBy(() -> Gpu.open(refusing, 0))
          .isInstanceOf(Gpu.Absent.class)
          .hasMessage("GPU 0 cannot be used: cuInit failed with CUDA error 1");
    }
  }

  @Test
  void machineWithoutDriverIsNamed() throws IOException {
    try (FakeCuda _ = new FakeCuda(1)) {
      CheckReport report = new CheckReport(folder.resolve("result.json"));
      GpuCheck check = new GpuCheck(_ -> Optional.empty(), DATA, SMALL, System.out, report);
      assertThatThrownBy(check::run)
          .isInstanceOf(Gpu.Absent.class)
          .hasMessage("libcuda.so.1 is no CUDA driver: it has no cuInit");
      assertThat(Files.readString(report.file()))
          .startsWith("{\"passed\":false,\"running\":\"open the GPU\"");
      report.absent("there is no driver");
      assertThat(Files.readString(report.file()))
          .startsWith("{\"passed\":false,\"absent\":\"there is no driver\"");
    }
  }
}
