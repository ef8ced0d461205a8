package dev.penstock.benchmarks.gpu;

import java.lang.foreign.MemorySegment;

/// Large copies to the GPU from memory that the driver itself pinned, on a stream of their own: to
/// keep the bus busy, so that copies behind them come late, and as the limit of any copy.
///
/// **Threads.** That of the [Gpu].
final class Bus implements AutoCloseable {
  private final Gpu gpu;
  private final MemorySegment host;
  private final long device;
  private final long stream;

  Bus(Gpu gpu, long bytes) {
    this.gpu = gpu;
    this.host = gpu.allocateHost(bytes);
    this.device = gpu.allocate(bytes);
    this.stream = gpu.createStream();
  }

  /// Starts copies and returns at once.
  void occupy(int times) {
    for (int i = 0; i < times; i++) {
      gpu.copyToDevice(device, host, stream);
    }
  }

  /// Returns how many bytes a second are copied from some memory; the best of several times.
  double bytesPerSecond(MemorySegment from, int times) {
    gpu.await(stream);
    double best = 0;
    for (int i = 0; i < times; i++) {
      long begin = System.nanoTime();
      gpu.copyToDevice(device, from, stream);
      gpu.await(stream);
      best = Math.max(best, from.byteSize() * 1e9 / (System.nanoTime() - begin));
    }
    return best;
  }

  MemorySegment pinnedByDriver() {
    return host;
  }

  @Override
  public void close() {
    gpu.await(stream);
    gpu.freeHost(host);
    gpu.free(device);
    gpu.destroyStream(stream);
  }
}
