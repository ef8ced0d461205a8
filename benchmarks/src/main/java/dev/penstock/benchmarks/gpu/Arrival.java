package dev.penstock.benchmarks.gpu;

import dev.penstock.DataLoader;
import dev.penstock.Loader;
import dev.penstock.batch.Batch;
import dev.penstock.benchmarks.gpu.Expected.Blocks;
import dev.penstock.benchmarks.gpu.Expected.Types;
import dev.penstock.benchmarks.gpu.GpuCheck.Sizes;
import dev.penstock.device.DeviceBatch;
import dev.penstock.device.DevicePrefetcher;
import dev.penstock.device.PinnedMemory;
import dev.penstock.options.MapOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;

/// Checks that batches arrive on the GPU bit for bit, also where waits and ends are late or early.
///
/// **Threads.** That of the [Gpu].
final class Arrival {
  private static final List<Integer> BATCH_SIZES = List.of(1, 17, 509, 1024, Types.ROWS);
  private static final int ROUNDS = 20;
  private static final int OCCUPIED = 8; // copies of the bus's whole buffer

  private final Gpu gpu;
  private final int device;
  private final Path data;
  private final Sizes sizes;
  private final Blocks blocks;
  private long freeAtFirst;

  Arrival(Gpu gpu, int device, Path data, Sizes sizes) {
    this.gpu = gpu;
    this.device = device;
    this.data = data;
    this.sizes = sizes;
    this.blocks = new Blocks(sizes.blocks(), sizes.blockBytes(), 3);
  }

  private Training types() {
    return new Training(gpu, new Types(), 256 << 10, sizes.busyBytes());
  }

  private Training blocks(Blocks expected) {
    long bytes = (long) expected.rows() * expected.rowBytes();
    return new Training(gpu, expected, bytes, sizes.busyBytes());
  }

  private static void train(DevicePrefetcher prefetcher, Training training) {
    for (DeviceBatch batch : prefetcher) {
      try (batch) {
        training.submit(batch);
      }
    }
  }

  /// Has the driver take the memory that it keeps for itself.
  void warmUp() {
    everyType(true);
    freeAtFirst = gpu.freeBytes();
  }

  /// Every type, with batches of all kinds of sizes, the last of them short.
  void everyType(boolean pin) {
    for (int batchSize : BATCH_SIZES) {
      try (Training training = types();
          DataLoader loader = Types.loader(data, batchSize, pin);
          DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, device, training.stream())) {
        for (int epoch = 0; epoch < 2; epoch++) {
          train(prefetcher, training);
          training.verify(Types.ROWS);
        }
      }
    }
  }

  /// The memory of batches is known to the driver as pinned, exactly if it was asked for.
  void pinned() {
    try (DataLoader loader = Types.loader(data, 100, true)) {
      for (Batch batch : loader) {
        try (batch) {
          for (String name : List.of("bool", "float64")) {
            requirePinned(batch.tensor(name).memory(), true, "'" + name + "' of a batch");
          }
        }
      }
    }
    try (DataLoader loader = Types.loader(data, 100, false);
        Batch batch = loader.iterator().next()) {
      requirePinned(batch.tensor("int64").memory(), false, "a batch without pinMemory");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment own = arena.allocate(1 << 20, 64 << 10);
      try (PinnedMemory _ = PinnedMemory.register(own)) {
        requirePinned(own, true, "registered memory");
      }
      requirePinned(own, false, "memory whose registration was closed");
    }
  }

  private void requirePinned(MemorySegment memory, boolean pinned, String what) {
    boolean starts = gpu.isPinned(memory.asSlice(0, 1));
    boolean ends = gpu.isPinned(memory.asSlice(memory.byteSize() - 1));
    if (starts != pinned || ends != pinned) {
      throw new AssertionError(
          what
              + " is "
              + (starts ? "" : "not ")
              + "pinned at its start and "
              + (ends ? "" : "not ")
              + "at its end");
    }
  }

  /// Slabs on both sides are used again while copies into and out of them wait: the loader makes
  /// few batches ahead and overwrites what was given back, the bus is busy with other copies, and
  /// the training comes late.
  void reuse() {
    UnaryOperator<MapOptions<Long, Batch>> few =
        o -> o.pinMemory(true).poisonMemory(true).prefetchFactor(1);
    try (Bus bus = new Bus(gpu, sizes.busBytes());
        Training training = blocks(blocks);
        Loader<Batch> loader = blocks.loader(true, few);
        DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, device, training.stream())) {
      for (int epoch = 0; epoch < 3; epoch++) {
        bus.occupy(OCCUPIED);
        for (DeviceBatch batch : prefetcher) {
          try (batch) {
            bus.occupy(1);
            training.submit(batch);
          }
        }
        training.verify(blocks.rows());
      }
    }
  }

  /// Two loaders train on two streams at once, turn by turn.
  void twoStreams() {
    try (Training one = types();
        Training other = blocks(blocks);
        DataLoader rows = Types.loader(data, 129, true);
        Loader<Batch> large = blocks.loader(true, o -> o.pinMemory(true));
        DevicePrefetcher first = DevicePrefetcher.of(rows, device, one.stream());
        DevicePrefetcher second = DevicePrefetcher.of(large, device, other.stream())) {
      for (int epoch = 0; epoch < 3; epoch++) {
        Iterator<DeviceBatch> ones = first.iterator();
        Iterator<DeviceBatch> others = second.iterator();
        while (ones.hasNext() || others.hasNext()) {
          takeOne(ones, one);
          takeOne(others, other);
        }
        one.verify(Types.ROWS);
        other.verify(blocks.rows());
      }
    }
  }

  private static void takeOne(Iterator<DeviceBatch> batches, Training training) {
    if (batches.hasNext()) {
      try (DeviceBatch batch = batches.next()) {
        training.submit(batch);
      }
    }
  }

  /// Everything is closed while copies wait for the bus, many times; afterwards all arrives as
  /// before, and the GPU's memory is free again.
  void closeDuringCopy() {
    long before = gpu.freeBytes();
    for (int round = 0; round < ROUNDS; round++) {
      try (Bus bus = new Bus(gpu, sizes.busBytes());
          Training training = blocks(blocks);
          Loader<Batch> loader = blocks.loader(true, o -> o.pinMemory(true).poisonMemory(true))) {
        DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, device, training.stream());
        try (prefetcher) {
          Iterator<DeviceBatch> batches = prefetcher.iterator();
          for (int i = 0; i < round % 4; i++) {
            takeOne(batches, training);
          }
          bus.occupy(OCCUPIED);
          if (round % 2 == 1) {
            training.submit(batches.next()); // and is left open
          }
        }
      }
    }
    everyType(true);
    requireFree(before, "after " + ROUNDS + " ends during a copy");
  }

  private void requireFree(long before, String when) {
    long free = gpu.freeBytes();
    if (free < before - sizes.slackBytes()) {
      throw new AssertionError(
          when + " " + (before - free) + " bytes of the GPU's memory are still taken");
    }
  }

  /// A GPU without memory is an error in words, and the same objects go on when there is some.
  void outOfMemory() {
    Blocks large = new Blocks(sizes.blocks(), sizes.blockBytes(), sizes.blocks() / 4);
    List<Long> ballast = new ArrayList<>();
    try (Training training = blocks(large);
        Loader<Batch> loader = large.loader(true, o -> o.pinMemory(true));
        DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, device, training.stream())) {
      try {
        takeAll(ballast);
        try {
          train(prefetcher, training);
          throw new AssertionError("batches arrived on a GPU without free memory");
        } catch (RuntimeException e) {
          requireWords(e);
        }
      } finally {
        ballast.forEach(gpu::free);
      }
      train(prefetcher, training);
      training.verify(large.rows());
    }
  }

  private static void requireWords(RuntimeException e) {
    String said = String.valueOf(e.getMessage());
    if (!said.startsWith("Cannot use the GPU: ") || !said.contains("(" + Gpu.OUT_OF_MEMORY + ")")) {
      throw new AssertionError("a GPU without free memory is not named as such: " + e);
    }
  }

  private void takeAll(List<Long> ballast) {
    for (long bytes = sizes.ballastBytes(); bytes >= sizes.blockBytes(); ) {
      long taken = gpu.tryAllocate(bytes);
      if (taken != 0) {
        ballast.add(taken);
      } else {
        bytes /= 2;
      }
    }
  }

  /// Nothing is left of everything since [#warmUp].
  void nothingLeft() {
    requireFree(freeAtFirst, "at the end");
  }
}
