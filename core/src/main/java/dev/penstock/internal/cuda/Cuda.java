package dev.penstock.internal.cuda;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.cuda.CudaDriver.CudaException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Finds the CUDA driver of this machine, or the reason why there is none.
///
/// **Threads.** Safe for any.
public final class Cuda {
  @GuardedBy("Cuda.class")
  private static @Nullable Cuda found;

  private final @Nullable CudaDriver driver;
  private final int count;
  private final String reason;

  @GuardedBy("this")
  private final Map<Integer, CudaDevice> devices = new HashMap<>();

  private Cuda(@Nullable CudaDriver driver, int count, String reason) {
    this.driver = driver;
    this.count = count;
    this.reason = reason;
  }

  /// Returns the driver of this machine, which is looked for only once, or one without GPUs.
  public static synchronized Cuda ofMachine() {
    if (found == null) {
      found = find();
    }
    return found;
  }

  private static Cuda find() {
    boolean isWindows =
        System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    String library = isWindows ? "nvcuda.dll" : "libcuda.so.1";
    try {
      return in(SymbolLookup.libraryLookup(library, Arena.global()));
    } catch (IllegalArgumentException e) {
      return new Cuda(null, 0, "there is no " + library);
    }
  }

  static Cuda in(SymbolLookup library) {
    try {
      CudaDriver driver = new CudaDriver(library);
      driver.init();
      int count = driver.deviceCount();
      return count == 0
          ? new Cuda(null, 0, "the driver finds no GPU")
          : new Cuda(driver, count, "");
    } catch (CudaException | NoSuchElementException e) {
      return new Cuda(null, 0, "the driver cannot be used (" + e.getMessage() + ")");
    }
  }

  /// Replaces the driver of the machine, for tests, and returns the one before.
  static synchronized @Nullable Cuda replace(@Nullable Cuda other) {
    Cuda before = found;
    found = other;
    return before;
  }

  /// Returns how many GPUs there are; 0 without a driver.
  public int count() {
    return count;
  }

  /// Returns why there is no GPU, as a clause; empty if there is one.
  public String reason() {
    return reason;
  }

  /// Returns a GPU by its number, counted from 0.
  ///
  /// @throws IllegalArgumentException if there is no such GPU
  /// @throws CudaException if it cannot be used
  public synchronized CudaDevice device(int ordinal) {
    CudaDriver functions = driver;
    if (functions == null) {
      throw new IllegalArgumentException("Cannot use a GPU: " + reason + ".");
    }
    if (ordinal < 0 || ordinal >= count) {
      throw new IllegalArgumentException(
          "Cannot use GPU " + ordinal + ": this process sees GPUs [0, " + count + ").");
    }
    return devices.computeIfAbsent(ordinal, which -> CudaDevice.open(functions, which));
  }

  /// Returns the GPU that a process uses by default: of the visible ones, that of its `LOCAL_RANK`,
  /// as set by launchers; else the first. A context takes memory of its GPU, so not all processes
  /// may have one on the first.
  public int own(@Nullable String localRank) {
    boolean isNumber = localRank != null && localRank.matches("[0-9]{1,9}");
    int rank = isNumber ? Integer.parseInt(localRank) : 0;
    return rank < count ? rank : 0;
  }
}
