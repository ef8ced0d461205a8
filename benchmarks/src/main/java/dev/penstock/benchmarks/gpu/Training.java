package dev.penstock.benchmarks.gpu;

import dev.penstock.device.DeviceBatch;
import dev.penstock.device.DeviceTensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Stands for a training: a stream that is busy, comes late to each batch, and keeps a copy of what
/// it finds there, to be compared at the end.
///
/// **Threads.** That of the [Gpu].
final class Training implements AutoCloseable {
  private record Kept(String name, long firstRow, int rows, long at, long bytes) {}

  private final Gpu gpu;
  private final Expected expected;
  private final BusyStream stream;
  private final long results;
  private final long capacity;
  private final List<Kept> kept = new ArrayList<>();
  private long taken;
  private long row;

  /// @param capacity how many bytes of batches it can keep
  /// @param busyBytes how much memory it overwrites before it comes to a batch
  Training(Gpu gpu, Expected expected, long capacity, long busyBytes) {
    this.gpu = gpu;
    this.expected = expected;
    this.stream = new BusyStream(gpu, busyBytes);
    this.results = gpu.allocate(capacity);
    this.capacity = capacity;
  }

  long stream() {
    return stream.handle();
  }

  /// Submits work on a batch of the epoch. The caller closes the batch.
  ///
  /// @throws AssertionError if the batch has other tensors than expected
  void submit(DeviceBatch batch) {
    if (!List.copyOf(batch.names()).equals(expected.names())) {
      throw new AssertionError("the tensors on the GPU are " + batch.names());
    }
    stream.work(1);
    for (String name : batch.names()) {
      DeviceTensor tensor = batch.tensor(name);
      if (tensor.dtype() != expected.dtype(name)) {
        throw new AssertionError("'" + name + "' has type " + tensor.dtype() + " on the GPU");
      }
      if (tensor.address() % 256 != 0) {
        throw new AssertionError(
            "'" + name + "' starts at " + tensor.address() + ", no multiple of 256");
      }
      long bytes = tensor.byteSize();
      if (taken + bytes > capacity) {
        throw new AssertionError("more than " + capacity + " bytes arrived");
      }
      if (bytes > 0) {
        gpu.copyOnDevice(results + taken, tensor.address(), bytes, stream());
      }
      kept.add(new Kept(name, row, batch.rowCount(), taken, bytes));
      taken += bytes;
    }
    row += batch.rowCount();
  }

  /// Waits for the stream, compares all that was kept, and forgets it.
  ///
  /// @param rows how many rows should have come
  /// @throws AssertionError if others came, or other bytes
  void verify(long rows) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(Math.max(1, taken));
      gpu.copyToHost(found, results, stream());
      stream.await();
      for (Kept each : kept) {
        compare(each, found.asSlice(each.at(), each.bytes()));
      }
    }
    if (row != rows) {
      throw new AssertionError(row + " rows arrived instead of " + rows);
    }
    kept.clear();
    taken = 0;
    row = 0;
  }

  private void compare(Kept each, MemorySegment found) {
    MemorySegment right = expected.bytes(each.name(), each.firstRow(), each.rows());
    long at = found.mismatch(right);
    if (at >= 0) {
      throw new AssertionError(
          "'%s' of rows %d to %d differs on the GPU from byte %d of %d on (expected %d bytes)"
              .formatted(
                  each.name(),
                  each.firstRow(),
                  each.firstRow() + each.rows() - 1,
                  at,
                  found.byteSize(),
                  right.byteSize()));
    }
  }

  /// Waits for the stream and frees its memory.
  @Override
  public void close() {
    stream.close();
    gpu.free(results);
  }
}
