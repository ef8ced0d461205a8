package dev.penstock.benchmarks.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.benchmarks.gpu.Expected.Types;
import dev.penstock.device.DevicePrefetcher;
import dev.penstock.dlpack.DlpackTensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Java's side of `check_torch.py`, which starts this JVM in Python's process: static methods of
/// longs, called by JNI.
///
/// **Threads.** One: Python's.
final class DlpackSide {
  private static final Expected EXPECTED = new Types();
  private static final List<String> NAMES = EXPECTED.names();
  private static final int CPU = 1;

  private static @Nullable DataLoader loader;
  private static @Nullable EpochIterator<Batch> batches;
  private static @Nullable Batch batch;
  private static @Nullable Gpu gpu;

  private DlpackSide() {}

  /// Opens the loader.
  static long open(long batchSize, long pin) {
    Path data = Path.of(System.getProperty("penstock.check.data"));
    DataLoader opened = Types.loader(data, (int) batchSize, pin != 0);
    loader = opened;
    batches = opened.iterator();
    return 0;
  }

  /// Closes the batch and returns how many rows the next one has; 0 at the end.
  static long next() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
    EpochIterator<Batch> left = Objects.requireNonNull(batches);
    if (!left.hasNext()) {
      return 0;
    }
    Batch next = left.next();
    batch = next;
    return next.rowCount();
  }

  /// Returns a tensor as the address of a `DLManagedTensor`.
  static long managed(long number) {
    return DlpackTensor.managed(tensor((int) number)).pointer().address();
  }

  /// Returns a tensor as the address of a `DLManagedTensorVersioned`.
  static long versioned(long number) {
    return DlpackTensor.versioned(tensor((int) number)).pointer().address();
  }

  private static Tensor tensor(int number) {
    Batch open = Objects.requireNonNull(batch);
    return switch (NAMES.get(number)) {
      case "list.values" -> open.ragged("list").values();
      case "list.offsets" -> open.ragged("list").offsets();
      default -> open.tensor(NAMES.get(number));
    };
  }

  /// Returns 1 if a `DLManagedTensor` of torch's has the bytes of a tensor, on the GPU or not.
  static long same(long pointer, long number, long firstRow, long rows) throws Gpu.Absent {
    MemorySegment tensor = MemorySegment.ofAddress(pointer).reinterpret(48);
    MemorySegment right = EXPECTED.bytes(NAMES.get((int) number), firstRow, (int) rows);
    long bytes = tensor.get(JAVA_LONG, 40);
    MemorySegment data =
        MemorySegment.ofAddress(tensor.get(ADDRESS, 0).address() + bytes)
            .reinterpret(right.byteSize());
    if (tensor.get(JAVA_INT, 8) == CPU) {
      return data.mismatch(right) < 0 ? 1 : 0;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocate(right.byteSize());
      Gpu reader = gpu();
      long stream = reader.createStream();
      reader.copyToHost(host, data.address(), stream);
      reader.await(stream);
      reader.destroyStream(stream);
      return host.mismatch(right) < 0 ? 1 : 0;
    }
  }

  private static Gpu gpu() throws Gpu.Absent {
    Gpu open = gpu;
    if (open == null) {
      open = Gpu.open(Gpu.ofMachine(), DevicePrefetcher.ownDevice());
      gpu = open;
    }
    return open;
  }

  /// Closes the loader; torch may still hold the memory of batches.
  static long close() {
    Objects.requireNonNull(batches).close();
    Objects.requireNonNull(loader).close();
    return 0;
  }

  /// Returns how many bytes of the closed loader are still held.
  static long held() {
    return Objects.requireNonNull(loader).stats().memory().bytes();
  }
}
