package dev.penstock.internal.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/// The functions of the CUDA driver, by the names and types of `cuda.h`. Handles and device
/// addresses are `long`s here; all machines with CUDA have 64-bit pointers.
///
/// All but the first four work on the calling thread's current context, see [CudaDevice#in].
///
/// **Errors.** Any error of the driver is a [CudaException].
///
/// **Threads.** Safe for any, as the driver is.
public final class CudaDriver {
  private static final Linker LINKER = Linker.nativeLinker();

  /// `CU_MEMHOSTREGISTER_PORTABLE`: for all contexts, including PyTorch's.
  private static final int PORTABLE = 1;

  /// `CU_STREAM_NON_BLOCKING`: does not wait for the default stream.
  private static final int NON_BLOCKING = 1;

  /// `CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING`: a waiting thread sleeps.
  private static final int SLEEPING = 1 | 2;

  private final MethodHandle errorName;
  private final MethodHandle init;
  private final MethodHandle deviceCount;
  private final MethodHandle device;
  private final MethodHandle retainContext;
  private final MethodHandle pushContext;
  private final MethodHandle popContext;
  private final MethodHandle synchronizeContext;
  private final MethodHandle registerHost;
  private final MethodHandle unregisterHost;
  private final MethodHandle allocate;
  private final MethodHandle free;
  private final MethodHandle createStream;
  private final MethodHandle destroyStream;
  private final MethodHandle synchronizeStream;
  private final MethodHandle waitEvent;
  private final MethodHandle createEvent;
  private final MethodHandle destroyEvent;
  private final MethodHandle recordEvent;
  private final MethodHandle synchronizeEvent;
  private final MethodHandle copyToDevice;

  /// @throws java.util.NoSuchElementException if the library lacks one of the functions
  CudaDriver(SymbolLookup symbols) {
    errorName = function(symbols, "cuGetErrorName", JAVA_INT, ADDRESS);
    init = function(symbols, "cuInit", JAVA_INT);
    deviceCount = function(symbols, "cuDeviceGetCount", ADDRESS);
    device = function(symbols, "cuDeviceGet", ADDRESS, JAVA_INT);
    retainContext = function(symbols, "cuDevicePrimaryCtxRetain", ADDRESS, JAVA_INT);
    pushContext = function(symbols, "cuCtxPushCurrent_v2", JAVA_LONG);
    popContext = function(symbols, "cuCtxPopCurrent_v2", ADDRESS);
    synchronizeContext = function(symbols, "cuCtxSynchronize");
    registerHost = function(symbols, "cuMemHostRegister_v2", ADDRESS, JAVA_LONG, JAVA_INT);
    unregisterHost = function(symbols, "cuMemHostUnregister", ADDRESS);
    allocate = function(symbols, "cuMemAlloc_v2", ADDRESS, JAVA_LONG);
    free = function(symbols, "cuMemFree_v2", JAVA_LONG);
    createStream = function(symbols, "cuStreamCreate", ADDRESS, JAVA_INT);
    destroyStream = function(symbols, "cuStreamDestroy_v2", JAVA_LONG);
    synchronizeStream = function(symbols, "cuStreamSynchronize", JAVA_LONG);
    waitEvent = function(symbols, "cuStreamWaitEvent", JAVA_LONG, JAVA_LONG, JAVA_INT);
    createEvent = function(symbols, "cuEventCreate", ADDRESS, JAVA_INT);
    destroyEvent = function(symbols, "cuEventDestroy_v2", JAVA_LONG);
    recordEvent = function(symbols, "cuEventRecord", JAVA_LONG, JAVA_LONG);
    synchronizeEvent = function(symbols, "cuEventSynchronize", JAVA_LONG);
    copyToDevice =
        function(symbols, "cuMemcpyHtoDAsync_v2", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  }

  private static MethodHandle function(
      SymbolLookup symbols, String name, MemoryLayout... parameters) {
    return LINKER.downcallHandle(
        symbols.findOrThrow(name), FunctionDescriptor.of(JAVA_INT, parameters));
  }

  @FunctionalInterface
  private interface Call {
    int run() throws Throwable;
  }

  @FunctionalInterface
  private interface CallWithResult {
    int run(MemorySegment result) throws Throwable;
  }

  private void call(String function, Call call) {
    int code;
    try {
      code = call.run();
    } catch (Throwable e) {
      throw new IllegalStateException("Cannot call " + function, e);
    }
    if (code != 0) {
      throw new CudaException(function, name(code), code);
    }
  }

  private long result(String function, CallWithResult call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(JAVA_LONG);
      call(function, () -> call.run(result));
      return result.get(JAVA_LONG, 0); // upper half 0 if the driver wrote an int: little-endian
    }
  }

  private String name(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(ADDRESS);
      return (int) errorName.invokeExact(code, text) == 0
          ? text.get(ADDRESS, 0).reinterpret(Long.MAX_VALUE).getString(0)
          : "an unknown error";
    } catch (Throwable e) {
      return "an unknown error";
    }
  }

  void init() {
    call("cuInit", () -> (int) init.invokeExact(0));
  }

  int deviceCount() {
    return (int) result("cuDeviceGetCount", count -> (int) deviceCount.invokeExact(count));
  }

  int device(int ordinal) {
    return (int) result("cuDeviceGet", handle -> (int) device.invokeExact(handle, ordinal));
  }

  long retainContext(int device) {
    return result(
        "cuDevicePrimaryCtxRetain", context -> (int) retainContext.invokeExact(context, device));
  }

  void pushContext(long context) {
    call("cuCtxPushCurrent", () -> (int) pushContext.invokeExact(context));
  }

  void popContext() {
    result("cuCtxPopCurrent", context -> (int) popContext.invokeExact(context));
  }

  public void synchronize() {
    call("cuCtxSynchronize", () -> (int) synchronizeContext.invokeExact());
  }

  /// Registers whole pages of the host, so that the device can copy from them directly.
  public void registerHost(MemorySegment memory) {
    call(
        "cuMemHostRegister",
        () -> (int) registerHost.invokeExact(memory, memory.byteSize(), PORTABLE));
  }

  public void unregisterHost(MemorySegment memory) {
    call("cuMemHostUnregister", () -> (int) unregisterHost.invokeExact(memory));
  }

  /// Allocates memory of the device, and returns its address.
  public long allocate(long bytes) {
    return result("cuMemAlloc", address -> (int) allocate.invokeExact(address, bytes));
  }

  public void free(long address) {
    call("cuMemFree", () -> (int) free.invokeExact(address));
  }

  /// Makes a stream that does not wait for others, and returns its handle.
  public long createStream() {
    return result("cuStreamCreate", stream -> (int) createStream.invokeExact(stream, NON_BLOCKING));
  }

  public void destroyStream(long stream) {
    call("cuStreamDestroy", () -> (int) destroyStream.invokeExact(stream));
  }

  public void synchronizeStream(long stream) {
    call("cuStreamSynchronize", () -> (int) synchronizeStream.invokeExact(stream));
  }

  /// Makes a stream wait at this point for the work that an event has recorded, if any.
  public void waitEvent(long stream, long event) {
    call("cuStreamWaitEvent", () -> (int) waitEvent.invokeExact(stream, event, 0));
  }

  public long createEvent() {
    return result("cuEventCreate", event -> (int) createEvent.invokeExact(event, SLEEPING));
  }

  public void destroyEvent(long event) {
    call("cuEventDestroy", () -> (int) destroyEvent.invokeExact(event));
  }

  /// Records the work of a stream up to this point.
  public void record(long event, long stream) {
    call("cuEventRecord", () -> (int) recordEvent.invokeExact(event, stream));
  }

  public void synchronizeEvent(long event) {
    call("cuEventSynchronize", () -> (int) synchronizeEvent.invokeExact(event));
  }

  /// Copies to the device in the order of the stream; `host` must not change until that is done.
  public void copyToDevice(long address, MemorySegment host, long stream) {
    call(
        "cuMemcpyHtoDAsync",
        () -> (int) copyToDevice.invokeExact(address, host, host.byteSize(), stream));
  }

  /// The error of a failed driver call.
  public static final class CudaException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CudaException(String function, String name, int code) {
      super("Cannot use the GPU: " + function + " failed with " + name + " (" + code + ").");
    }
  }
}
