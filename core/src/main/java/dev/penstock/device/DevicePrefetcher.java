package dev.penstock.device;

import dev.penstock.EpochIterator;
import dev.penstock.Loader;
import dev.penstock.batch.Batch;
import dev.penstock.internal.cuda.Cuda;
import dev.penstock.internal.cuda.CudaDevice;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Copies the batches of a loader to a GPU: the next one on a stream of its own, while the current
/// one is trained on.
///
/// Every call of [#iterator()] starts the loader's next epoch. With `pinMemory(true)` the GPU
/// copies directly from the loader's memory; without it the copies are correct but slower.
///
/// **Ownership.** Close every batch, then this, then the loader. The GPU has memory for two
/// batches; the loader's batches are closed as soon as they are copied.
///
/// **Threads.** One thread iterates at a time. This object's own thread iterates over the loader,
/// so nothing else may. [#close()] may be called from any thread.
///
/// **Order.** The loader's.
///
/// **Errors.** The iterator throws what the loader throws, at the same batch.
public final class DevicePrefetcher implements Iterable<DeviceBatch>, AutoCloseable {
  /*
   * Hand-over: the copying thread takes a free slot and a batch, puts the copies into its stream,
   * hands the slot to the consumer at once, and waits for the copies before it closes the batch.
   * The consumer's stream waits for them, not the consumer's thread. When the consumer closes its
   * batch, an event marks the work in its stream up to there, and the next copies into that slot
   * wait for that event on the GPU.
   */
  private static final int SLOTS = 2;

  private final Loader<Batch> loader;
  private final CudaDevice device;
  private final long training;
  private final long copies;
  private final List<DeviceSlot> slots = new ArrayList<>();

  // Guarded by this.
  private @Nullable SlotQueue current;
  private boolean closed;

  private DevicePrefetcher(Loader<Batch> loader, int ordinal, long training) {
    this.loader = loader;
    this.device = Cuda.ofMachine().device(ordinal);
    this.training = training;
    this.copies = device.in(device.driver()::createStream);
    for (int i = 0; i < SLOTS; i++) {
      slots.add(new DeviceSlot(device));
    }
  }

  /// {@return how many GPUs this process sees: 0 without a CUDA driver}
  public static int devices() {
    return Cuda.ofMachine().count();
  }

  /// {@return the default GPU of this process, counted from 0: that of its `LOCAL_RANK`, else the
  /// first}
  public static int ownDevice() {
    return Cuda.ofMachine().own(System.getenv("LOCAL_RANK"));
  }

  /// Copies the batches of a loader.
  ///
  /// @param loader the loader, of tensors
  /// @param device which GPU, counted from 0
  /// @param stream the `CUstream` that trains; 0 for the default stream
  /// @return the batches on the GPU
  /// @throws IllegalArgumentException if there is no such GPU
  public static DevicePrefetcher of(Loader<Batch> loader, int device, long stream) {
    return new DevicePrefetcher(loader, device, stream);
  }

  /// Starts the next epoch, ending the one before if it still runs.
  ///
  /// @return its batches
  /// @throws IllegalStateException if this is closed, or a batch of the epoch before is open
  @Override
  public Iterator<DeviceBatch> iterator() {
    SlotQueue queue;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("Cannot use this prefetcher: it is closed.");
      }
      endEpoch();
      queue = new SlotQueue(slots);
      current = queue;
    }
    Thread.ofPlatform()
        .daemon()
        .name("penstock-device-copies")
        .start(() -> queue.run(() -> copyAll(queue)));
    return queue.batches(slot -> slot.letWait(training), slot -> slot.used(training));
  }

  /// Copies an epoch. Run by the copying thread.
  private void copyAll(SlotQueue queue) throws InterruptedException {
    try (EpochIterator<Batch> batches = loader.iterator()) {
      queue.source(batches);
      while (batches.hasNext()) {
        DeviceSlot slot = queue.takeFree();
        if (slot == null) {
          return;
        }
        try (Batch batch = batches.next()) {
          copy(slot, batch, queue);
        }
      }
    }
  }

  private void copy(DeviceSlot slot, Batch batch, SlotQueue queue) {
    try {
      slot.copy(batch, loader.hasState() ? loader.state() : null, copies);
      queue.deliver(slot);
      slot.awaitCopy();
    } catch (Throwable e) {
      // The batch's memory must not be reused before copies that have begun are done.
      device.in(() -> device.driver().synchronizeStream(copies));
      throw e;
    }
  }

  /// Ends the current epoch, if any. The caller holds the monitor, which the copying thread never
  /// needs.
  private void endEpoch() {
    if (current != null) {
      current.end();
      current = null;
    }
  }

  /// Ends the epoch, waits for the GPU and frees its memory. Open batches cannot be read
  /// afterwards. Calling it again does nothing.
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    endEpoch();
    device.in(() -> {
      device.driver().synchronize();
      slots.forEach(DeviceSlot::close);
      device.driver().destroyStream(copies);
    });
  }
}
