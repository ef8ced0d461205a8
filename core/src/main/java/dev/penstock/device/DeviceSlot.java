package dev.penstock.device;

import dev.penstock.LoaderState;
import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.internal.cuda.CudaDevice;
import dev.penstock.internal.cuda.CudaDriver;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Memory of the GPU for one batch, and two events: its copy is done, its use is done.
///
/// **Threads.** One at a time: the copying thread, then the consumer, in turn.
final class DeviceSlot {
  private static final long ALIGNMENT = 256;

  private final CudaDevice device;
  private final CudaDriver driver;
  private final long copied;
  private final long used;
  private long memory;
  private long capacity;

  private int rows;
  private Map<String, DeviceTensor> tensors = Map.of();
  private @Nullable LoaderState state;

  DeviceSlot(CudaDevice device) {
    this.device = device;
    this.driver = device.driver();
    this.copied = device.in(driver::createEvent);
    this.used = device.in(driver::createEvent);
  }

  int rows() {
    return rows;
  }

  Map<String, DeviceTensor> tensors() {
    return tensors;
  }

  /// Returns where the loader's next batch starts, after this one; null if the loader has no state.
  @Nullable LoaderState state() {
    return state;
  }

  /// Enqueues the copies of a batch in a stream, after all use of the slot's previous batch.
  void copy(Batch batch, @Nullable LoaderState behind, long stream) {
    Map<String, Tensor> host = tensors(batch);
    long bytes =
        host.values().stream().mapToLong(tensor -> aligned(tensor.memory().byteSize())).sum();
    device.in(() -> {
      ensure(bytes);
      driver.waitEvent(stream, used);
      Map<String, DeviceTensor> placed = new LinkedHashMap<>();
      long at = memory;
      for (Map.Entry<String, Tensor> entry : host.entrySet()) {
        Tensor tensor = entry.getValue();
        MemorySegment from = tensor.memory();
        if (from.byteSize() > 0) {
          driver.copyToDevice(at, from, stream);
        }
        placed.put(entry.getKey(), new DeviceTensor(tensor.dtype(), tensor.shape(), at));
        at += aligned(from.byteSize());
      }
      driver.record(copied, stream);
      tensors = placed;
    });
    rows = batch.rowCount();
    state = behind;
  }

  private static Map<String, Tensor> tensors(Batch batch) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (String name : batch.names()) {
      switch (batch.column(name)) {
        case Tensor tensor -> tensors.put(name, offHeap(name, tensor));
        case RaggedTensor ragged -> {
          tensors.put(name + ".values", offHeap(name, ragged.values()));
          tensors.put(name + ".offsets", offHeap(name, ragged.offsets()));
        }
        default -> {
          // A GPU cannot hold Java objects.
        }
      }
    }
    return tensors;
  }

  private static Tensor offHeap(String name, Tensor tensor) {
    if (!tensor.memory().isNative()) {
      throw new IllegalArgumentException(
          "Cannot copy column '"
              + name
              + "' to a GPU: its memory is a Java array. Make tensors by the BatchBuilder that the"
              + " collator is given.");
    }
    return tensor;
  }

  private void ensure(long bytes) {
    if (bytes > capacity) {
      driver.synchronizeEvent(used);
      release();
      memory = driver.allocate(bytes);
      capacity = bytes;
    }
  }

  private void release() {
    if (capacity > 0) {
      long old = memory;
      capacity = 0;
      driver.free(old);
    }
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  /// Waits until the copy is done.
  void awaitCopy() {
    device.in(() -> driver.synchronizeEvent(copied));
  }

  /// Lets a stream wait for the copy.
  void letWait(long stream) {
    device.in(() -> driver.waitEvent(stream, copied));
  }

  /// Records that the use ends at the current end of a stream.
  void used(long stream) {
    device.in(() -> driver.record(used, stream));
  }

  /// Frees the memory. The device must be idle.
  void close() {
    device.in(() -> {
      release();
      driver.destroyEvent(copied);
      driver.destroyEvent(used);
    });
  }
}
