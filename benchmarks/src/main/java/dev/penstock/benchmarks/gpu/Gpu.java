package dev.penstock.benchmarks.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The CUDA driver as this check calls it, by the names of `cuda.h`, beside Penstock and without
/// its code: to read back, to keep the GPU and the bus busy, and to take memory away.
///
/// **Threads.** The one that made it, whose current context is the GPU's primary one.
final class Gpu {
  static final int OUT_OF_MEMORY = 2;

  private static final int NON_BLOCKING = 1;
  private static final int MEMORY_TYPE = 2; // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
  private static final int HOST = 1; // CU_MEMORYTYPE_HOST

  /// There is no GPU that can be used.
  static final class Absent extends Exception {
    private static final long serialVersionUID = 1;

    Absent(String reason) {
      super(reason);
    }
  }

  private final SymbolLookup driver;
  private final Map<String, MethodHandle> functions = new HashMap<>();
  private final int device;

  private Gpu(SymbolLookup driver, int ordinal) {
    this.driver = driver;
    call("cuInit", 0);
    this.device = (int) out("cuDeviceGet", ordinal);
    call("cuCtxPushCurrent_v2", out("cuDevicePrimaryCtxRetain", device));
  }

  /// Opens a GPU of this machine.
  static Gpu open(SymbolLookup driver, int ordinal) throws Absent {
    if (driver.find("cuInit").isEmpty()) {
      throw new Absent("libcuda.so.1 is no CUDA driver: it has no cuInit");
    }
    try {
      return new Gpu(driver, ordinal);
    } catch (IllegalStateException e) {
      throw new Absent("GPU " + ordinal + " cannot be used: " + e.getMessage());
    }
  }

  static SymbolLookup ofMachine() throws Absent {
    try {
      return SymbolLookup.libraryLookup("libcuda.so.1", Arena.global());
    } catch (IllegalArgumentException e) {
      throw new Absent("there is no NVIDIA driver on this machine (no libcuda.so.1)");
    }
  }

  /// Calls a function, and returns what it returns: 0, or the number of an error.
  private int code(String name, Object... arguments) {
    MethodHandle function =
        functions.computeIfAbsent(
            name,
            _ ->
                Linker.nativeLinker()
                    .downcallHandle(
                        driver.findOrThrow(name),
                        FunctionDescriptor.of(
                            JAVA_INT,
                            Arrays.stream(arguments)
                                .map(Gpu::layout)
                                .toArray(MemoryLayout[]::new))));
    try {
      return (int) function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException("Cannot call " + name, e);
    }
  }

  private static MemoryLayout layout(Object argument) {
    return switch (argument) {
      case Integer _ -> JAVA_INT;
      case Long _ -> JAVA_LONG;
      case Byte _ -> JAVA_BYTE;
      default -> ADDRESS;
    };
  }

  private void call(String name, Object... arguments) {
    int code = code(name, arguments);
    if (code != 0) {
      throw new IllegalStateException(name + " failed with CUDA error " + code);
    }
  }

  /// Calls a function whose first parameter is where its result goes, a number or handle.
  private long out(String name, Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(JAVA_LONG);
      Object[] all = new Object[arguments.length + 1];
      all[0] = result;
      System.arraycopy(arguments, 0, all, 1, arguments.length);
      call(name, all);
      return result.get(JAVA_LONG, 0);
    }
  }

  String name() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(256);
      call("cuDeviceGetName", text, 256, device);
      return text.getString(0);
    }
  }

  /// Returns the CUDA version that the driver supports, such as 13000.
  int driverVersion() {
    return (int) out("cuDriverGetVersion");
  }

  /// Returns how many bytes of the GPU's memory are free.
  long freeBytes() {
    return memoryInfo(0);
  }

  long totalBytes() {
    return memoryInfo(1);
  }

  private long memoryInfo(int which) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment both = arena.allocate(JAVA_LONG, 2);
      call("cuMemGetInfo_v2", both, both.asSlice(8));
      return both.getAtIndex(JAVA_LONG, which);
    }
  }

  long allocate(long bytes) {
    return out("cuMemAlloc_v2", bytes);
  }

  /// Allocates memory if there is some, and returns its address; else 0.
  long tryAllocate(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(JAVA_LONG);
      int code = code("cuMemAlloc_v2", address, bytes);
      if (code != 0 && code != OUT_OF_MEMORY) {
        throw new IllegalStateException("cuMemAlloc_v2 failed with CUDA error " + code);
      }
      return code == 0 ? address.get(JAVA_LONG, 0) : 0;
    }
  }

  void free(long address) {
    call("cuMemFree_v2", address);
  }

  /// Allocates pinned memory of the host by the driver itself.
  MemorySegment allocateHost(long bytes) {
    return MemorySegment.ofAddress(out("cuMemAllocHost_v2", bytes)).reinterpret(bytes);
  }

  void freeHost(MemorySegment memory) {
    call("cuMemFreeHost", memory);
  }

  /// Returns whether the driver knows memory of the host as pinned.
  boolean isPinned(MemorySegment memory) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment type = arena.allocate(JAVA_LONG);
      int code = code("cuPointerGetAttribute", type, MEMORY_TYPE, memory.address());
      return code == 0 && type.get(JAVA_INT, 0) == HOST;
    }
  }

  long createStream() {
    return out("cuStreamCreate", NON_BLOCKING);
  }

  void destroyStream(long stream) {
    call("cuStreamDestroy_v2", stream);
  }

  void await(long stream) {
    call("cuStreamSynchronize", stream);
  }

  void copyToDevice(long to, MemorySegment from, long stream) {
    call("cuMemcpyHtoDAsync_v2", to, from, from.byteSize(), stream);
  }

  void copyToHost(MemorySegment to, long from, long stream) {
    call("cuMemcpyDtoHAsync_v2", to, from, to.byteSize(), stream);
  }

  void copyOnDevice(long to, long from, long bytes, long stream) {
    call("cuMemcpyDtoDAsync_v2", to, from, bytes, stream);
  }

  /// Overwrites memory of the GPU, as work that takes its time.
  void fill(long address, long bytes, long stream) {
    call("cuMemsetD8Async", address, (byte) 0x5a, bytes, stream);
  }
}
