package dev.penstock.benchmarks.gpu;

/// A stream with work that takes its time: memory of the GPU is overwritten.
///
/// **Threads.** That of the [Gpu].
final class BusyStream implements AutoCloseable {
  private final Gpu gpu;
  private final long stream;
  private final long memory;
  private final long bytes;

  /// @param bytes how much memory each piece of work overwrites
  BusyStream(Gpu gpu, long bytes) {
    this.gpu = gpu;
    this.stream = gpu.createStream();
    this.memory = gpu.allocate(bytes);
    this.bytes = bytes;
  }

  long handle() {
    return stream;
  }

  /// Submits work and returns at once.
  void work(int times) {
    for (int i = 0; i < times; i++) {
      gpu.fill(memory, bytes, stream);
    }
  }

  /// Waits for all that was submitted.
  void await() {
    gpu.await(stream);
  }

  @Override
  public void close() {
    await();
    gpu.free(memory);
    gpu.destroyStream(stream);
  }
}
