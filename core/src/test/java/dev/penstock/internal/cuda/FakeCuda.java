package dev.penstock.internal.cuda;

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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A CUDA driver that is C functions of this JVM, and a GPU as lazy as one may be: a stream does
/// nothing until somebody waits, and then streams run in random order as far as events let them. So
/// what is right here by chance only is wrong for some seed.
///
/// A copy from or to memory of the GPU that was freed ends it, as with the real driver: every wait
/// is an error from then on.
///
/// **Threads.** Safe for any.
public final class FakeCuda implements SymbolLookup, AutoCloseable {
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int INVALID_CONTEXT = 201;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int CONTEXT = 7;

  private final Arena functions = Arena.ofShared();
  private final Random random;
  private final String ignored;
  private final long capacity;
  private final @Nullable Cuda before;
  private final ThreadLocal<Integer> contexts = ThreadLocal.withInitial(() -> 0);

  // Guarded by this.
  private final Map<Long, Deque<Op>> streams = new TreeMap<>();
  private final Map<Long, Event> events = new TreeMap<>();
  private final TreeMap<Long, Piece> memory = new TreeMap<>();
  private final Map<Long, Long> registered = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();
  private long handles = 100;
  private int registrations;
  private int refusedRegistration = -1;
  private int broken;

  /// Takes the place of the machine's driver.
  public FakeCuda(long seed) {
    this(seed, "", Long.MAX_VALUE);
  }

  /// Takes the place of the machine's driver.
  ///
  /// @param ignored a function that does nothing and says that it did; empty for none
  /// @param capacity how much memory the GPU has
  public FakeCuda(long seed, String ignored, long capacity) {
    random = new Random(seed);
    this.ignored = ignored;
    this.capacity = capacity;
    streams.put(0L, new ArrayDeque<>()); // the default stream
    before = Cuda.replace(null);
    Cuda.replace(Cuda.in(this));
  }

  /// Takes the place of the machine's driver by that there is none.
  ///
  /// @return ends it
  public static AutoCloseable absent() {
    Cuda before = Cuda.replace(null);
    Cuda.replace(Cuda.in(_ -> Optional.empty()));
    return () -> Cuda.replace(before);
  }

  /// What a stream does next; or what it waits for.
  private record Op(@Nullable Runnable work, @Nullable Event event, long count) {
    boolean isBlocked() {
      return event != null && event.done < count;
    }
  }

  private record Piece(Arena arena, MemorySegment memory) {}

  private static final class Event {
    private long recorded;
    private long done;
  }

  @Override
  public Optional<MemorySegment> find(String name) {
    return Arrays.stream(FakeCuda.class.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .map(this::stub);
  }

  private MemorySegment stub(Method method) {
    try {
      MethodHandle handle = MethodHandles.lookup().unreflect(method).bindTo(this);
      MethodType type = handle.type();
      if (method.getName().equals(ignored)) {
        handle = MethodHandles.empty(type); // returns 0
      }
      MemoryLayout[] parameters =
          type.parameterList().stream().map(FakeCuda::layout).toArray(MemoryLayout[]::new);
      return Linker.nativeLinker()
          .upcallStub(handle, FunctionDescriptor.of(JAVA_INT, parameters), functions);
    } catch (IllegalAccessException e) {
      throw new LinkageError("Cannot make a stub of " + method, e);
    }
  }

  private static MemoryLayout layout(Class<?> type) {
    return type == int.class
        ? JAVA_INT
        : type == long.class ? JAVA_LONG : type == byte.class ? JAVA_BYTE : ADDRESS;
  }

  /// Puts work of the user's into a stream, as a kernel is.
  public synchronized void launch(long stream, Runnable kernel) {
    stream(stream).add(new Op(kernel, null, 0));
  }

  /// Runs everything that streams have to do.
  public synchronized void runAll() {
    while (step()) {
      // Until nothing is left.
    }
  }

  /// Refuses the n-th registration from now on.
  public synchronized void refuseRegistration(int number) {
    refusedRegistration = registrations + number;
  }

  public synchronized int registrations() {
    return registrations;
  }

  public synchronized long registeredBytes() {
    return registered.values().stream().mapToLong(bytes -> bytes).sum();
  }

  /// Returns what is left of handles and memory, and what went wrong.
  public synchronized List<String> leftovers() {
    List<String> left = new ArrayList<>(faults);
    memory.keySet().forEach(address -> left.add("memory at " + address));
    registered.keySet().forEach(address -> left.add("registration at " + address));
    events.keySet().forEach(event -> left.add("event " + event));
    streams.keySet().stream()
        .filter(stream -> stream != 0)
        .forEach(stream -> left.add("stream " + stream));
    return left;
  }

  private Deque<Op> stream(long stream) {
    Deque<Op> ops = streams.get(stream);
    if (ops == null) {
      throw new IllegalStateException("There is no stream " + stream);
    }
    return ops;
  }

  /// Runs the next thing that some stream has to do.
  private boolean step() {
    List<Deque<Op>> able = new ArrayList<>();
    for (Deque<Op> ops : streams.values()) {
      if (!ops.isEmpty() && !ops.peekFirst().isBlocked()) {
        able.add(ops);
      }
    }
    if (able.isEmpty()) {
      return false;
    }
    Op op = able.get(random.nextInt(able.size())).removeFirst();
    if (op.work() != null) {
      op.work().run();
    }
    return true;
  }

  private boolean lacksContext() {
    return contexts.get() == 0;
  }

  private synchronized long handle() {
    return handles++;
  }

  int cuGetErrorName(int code, MemorySegment text) {
    text.reinterpret(8).set(ADDRESS, 0, functions.allocateFrom("CUDA_ERROR_OF_TEST"));
    return 0;
  }

  int cuInit(int flags) {
    return flags;
  }

  int cuDeviceGetCount(MemorySegment count) {
    count.reinterpret(4).set(JAVA_INT, 0, 2);
    return 0;
  }

  int cuDeviceGet(MemorySegment device, int ordinal) {
    device.reinterpret(4).set(JAVA_INT, 0, ordinal);
    return 0;
  }

  int cuDeviceGetName(MemorySegment name, int bytes, int device) {
    name.reinterpret(bytes).setString(0, "simulated GPU " + device);
    return 0;
  }

  int cuDriverGetVersion(MemorySegment version) {
    version.reinterpret(4).set(JAVA_INT, 0, 12000);
    return 0;
  }

  int cuDevicePrimaryCtxRetain(MemorySegment context, int device) {
    context.reinterpret(8).set(JAVA_LONG, 0, CONTEXT + device);
    return 0;
  }

  int cuCtxPushCurrent_v2(long context) {
    contexts.set(contexts.get() + 1);
    return context == CONTEXT || context == CONTEXT + 1 ? 0 : INVALID_CONTEXT;
  }

  int cuCtxPopCurrent_v2(MemorySegment context) {
    contexts.set(contexts.get() - 1);
    return lacksContext() && contexts.get() < 0 ? INVALID_CONTEXT : 0;
  }

  synchronized int cuCtxSynchronize() {
    runAll();
    return lacksContext() ? INVALID_CONTEXT : broken;
  }

  synchronized int cuMemHostRegister_v2(MemorySegment host, long bytes, int flags) {
    registrations++;
    if (flags != 1 || bytes == 0 || registrations == refusedRegistration) {
      return INVALID_VALUE;
    }
    registered.put(host.address(), bytes);
    return lacksContext() ? INVALID_CONTEXT : 0;
  }

  synchronized int cuMemHostUnregister(MemorySegment host) {
    return registered.remove(host.address()) == null || lacksContext() ? INVALID_VALUE : 0;
  }

  synchronized int cuMemAlloc_v2(MemorySegment address, long bytes) {
    if (bytes > freeBytes()) {
      return OUT_OF_MEMORY;
    }
    Arena arena = Arena.ofShared();
    MemorySegment taken = arena.allocate(bytes, 256);
    memory.put(taken.address(), new Piece(arena, taken));
    address.reinterpret(8).set(JAVA_LONG, 0, taken.address());
    return lacksContext() ? INVALID_CONTEXT : broken;
  }

  private long freeBytes() {
    return capacity - memory.values().stream().mapToLong(each -> each.memory().byteSize()).sum();
  }

  synchronized int cuMemGetInfo_v2(MemorySegment free, MemorySegment total) {
    free.reinterpret(8).set(JAVA_LONG, 0, freeBytes());
    total.reinterpret(8).set(JAVA_LONG, 0, capacity);
    return lacksContext() ? INVALID_CONTEXT : 0;
  }

  synchronized int cuMemAllocHost_v2(MemorySegment address, long bytes) {
    MemorySegment taken = functions.allocate(bytes, 64);
    registered.put(taken.address(), bytes);
    address.reinterpret(8).set(ADDRESS, 0, taken);
    return lacksContext() ? INVALID_CONTEXT : 0;
  }

  int cuMemFreeHost(MemorySegment host) {
    return cuMemHostUnregister(host);
  }

  synchronized int cuPointerGetAttribute(MemorySegment type, int attribute, long address) {
    if (attribute != 2 || !isRegistered(address, 1)) {
      return INVALID_VALUE;
    }
    type.reinterpret(4).set(JAVA_INT, 0, 1);
    return 0;
  }

  synchronized int cuMemFree_v2(long address) {
    Piece piece = memory.remove(address);
    if (piece == null || lacksContext()) {
      return INVALID_VALUE;
    }
    piece.arena().close();
    return 0;
  }

  synchronized int cuStreamCreate(MemorySegment stream, int flags) {
    long handle = handle();
    streams.put(handle, new ArrayDeque<>());
    stream.reinterpret(8).set(JAVA_LONG, 0, handle);
    return flags != 1 || lacksContext() ? INVALID_CONTEXT : 0;
  }

  synchronized int cuStreamDestroy_v2(long stream) {
    return streams.remove(stream) == null || lacksContext() ? INVALID_VALUE : 0;
  }

  synchronized int cuStreamSynchronize(long stream) {
    while (!stream(stream).isEmpty()) {
      if (!step()) {
        return ILLEGAL_ADDRESS;
      }
    }
    return lacksContext() ? INVALID_CONTEXT : broken;
  }

  synchronized int cuStreamWaitEvent(long stream, long event, int flags) {
    Event waited = events.get(event);
    if (waited == null || lacksContext()) {
      return INVALID_VALUE;
    }
    stream(stream).add(new Op(null, waited, waited.recorded));
    return flags;
  }

  synchronized int cuEventCreate(MemorySegment event, int flags) {
    long handle = handle();
    events.put(handle, new Event());
    event.reinterpret(8).set(JAVA_LONG, 0, handle);
    return flags != 3 || lacksContext() ? INVALID_CONTEXT : 0;
  }

  synchronized int cuEventDestroy_v2(long event) {
    return events.remove(event) == null || lacksContext() ? INVALID_VALUE : 0;
  }

  synchronized int cuEventRecord(long event, long stream) {
    Event recorded = events.get(event);
    if (recorded == null || lacksContext()) {
      return INVALID_VALUE;
    }
    long count = ++recorded.recorded;
    stream(stream).add(new Op(() -> recorded.done = Math.max(recorded.done, count), null, 0));
    return 0;
  }

  synchronized int cuEventSynchronize(long event) {
    Event waited = events.get(event);
    if (waited == null || lacksContext()) {
      return INVALID_VALUE;
    }
    long target = waited.recorded;
    while (waited.done < target) {
      if (!step()) {
        return ILLEGAL_ADDRESS;
      }
    }
    return broken;
  }

  synchronized int cuMemcpyHtoDAsync_v2(long to, MemorySegment from, long bytes, long stream) {
    return enqueue(
        stream,
        () -> {
          if (!isRegistered(from.address(), bytes)) {
            faults.add("copied from memory that is not registered");
          }
          onGpu(to, bytes).copyFrom(from.reinterpret(bytes));
        });
  }

  synchronized int cuMemcpyDtoHAsync_v2(MemorySegment to, long from, long bytes, long stream) {
    return enqueue(stream, () -> to.reinterpret(bytes).copyFrom(onGpu(from, bytes)));
  }

  synchronized int cuMemcpyDtoDAsync_v2(long to, long from, long bytes, long stream) {
    return enqueue(stream, () -> onGpu(to, bytes).copyFrom(onGpu(from, bytes)));
  }

  synchronized int cuMemsetD8Async(long address, byte value, long bytes, long stream) {
    return enqueue(stream, () -> onGpu(address, bytes).fill(value));
  }

  private int enqueue(long stream, Runnable work) {
    stream(stream).add(new Op(work, null, 0));
    return lacksContext() ? INVALID_CONTEXT : 0;
  }

  private boolean isRegistered(long address, long bytes) {
    return registered.entrySet().stream()
        .anyMatch(range ->
            address >= range.getKey() && address + bytes <= range.getKey() + range.getValue());
  }

  /// Returns memory of the GPU; other memory of that size, and an end, where it was freed.
  private MemorySegment onGpu(long address, long bytes) {
    Map.Entry<Long, Piece> before = memory.floorEntry(address);
    if (before != null
        && address + bytes <= before.getKey() + before.getValue().memory().byteSize()) {
      return before.getValue().memory().asSlice(address - before.getKey(), bytes);
    }
    broken = ILLEGAL_ADDRESS;
    faults.add("used memory of the GPU that was freed");
    return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
  }

  /// Gives the machine its driver back.
  @Override
  public void close() {
    Cuda.replace(before);
    functions.close();
  }
}
