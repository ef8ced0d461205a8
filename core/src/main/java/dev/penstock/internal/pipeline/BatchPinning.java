package dev.penstock.internal.pipeline;

import dev.penstock.internal.cuda.HostRegistration;
import dev.penstock.internal.memory.PageLock;
import dev.penstock.internal.memory.Pinning;
import dev.penstock.internal.memory.SlabSource;
import dev.penstock.options.MemoryUse;
import dev.penstock.spi.batch.BatchAllocator;

/// Where a loader's batches lie, and how it keeps them from being moved or swapped out.
public record BatchPinning(SlabSource memory, boolean isForDevice) {
  /// Returns as much of the requested pinning as the machine supports; the log names the rest.
  public static BatchPinning of(MemoryUse asked) {
    Pinning device = asked.pin() ? HostRegistration.ofMachine() : Pinning.NONE;
    Pinning lock = asked.lock() ? PageLock.ofSystem() : Pinning.NONE;
    BatchAllocator allocator = asked.allocator().orElseGet(BatchAllocator::ofProcess);
    return new BatchPinning(new SlabSource(allocator, lock.and(device)), device.pins());
  }

  /// Pins what is [Pinnable] in the result of a user's function.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // a Pinnable gives its own type
  public <T> T pinned(T made) {
    return isForDevice && made != null ? (T) PinnedParts.of(made) : made;
  }
}
