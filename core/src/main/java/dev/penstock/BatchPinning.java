package dev.penstock;

import dev.penstock.batch.Pinnable;
import dev.penstock.internal.cuda.HostRegistration;
import dev.penstock.internal.memory.PageLock;
import dev.penstock.internal.memory.Pinning;

/// How a loader keeps its batches from being moved or swapped out.
///
/// @param memory how the loader's memory is pinned
/// @param isForDevice whether there is a GPU to pin for
record BatchPinning(Pinning memory, boolean isForDevice) {
  /// Returns as much of the requested pinning as the machine supports; the log names the rest.
  static BatchPinning of(MemoryUse asked) {
    Pinning device = asked.pin() ? HostRegistration.ofMachine() : Pinning.NONE;
    Pinning lock = asked.lock() ? PageLock.ofSystem() : Pinning.NONE;
    return new BatchPinning(lock.and(device), device.pins());
  }

  /// Pins the result of a user's function if it is [Pinnable].
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // a Pinnable gives its own type
  <T> T pinned(T made) {
    return isForDevice && made instanceof Pinnable<?> pinnable ? (T) pinnable.pinMemory() : made;
  }
}
