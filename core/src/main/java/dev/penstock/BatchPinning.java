package dev.penstock;

import dev.penstock.batch.Pinnable;
import dev.penstock.internal.cuda.HostRegistration;
import dev.penstock.internal.memory.PageLock;
import dev.penstock.internal.memory.Pinning;

/// What a loader does so that its batches stay where they are in memory.
///
/// @param memory what is done with the memory it takes
/// @param isForDevice whether there is a GPU to pin for
record BatchPinning(Pinning memory, boolean isForDevice) {
  /// Returns what was asked for, as far as the machine has it; the log says what it has not.
  static BatchPinning of(MemoryUse asked) {
    Pinning device = asked.pin() ? HostRegistration.ofMachine() : Pinning.NONE;
    Pinning lock = asked.lock() ? PageLock.ofSystem() : Pinning.NONE;
    return new BatchPinning(lock.and(device), device.pins());
  }

  /// Pins what a function of the user made of a batch, if it can be.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // a Pinnable gives its own type
  <T> T pinned(T made) {
    return isForDevice && made instanceof Pinnable<?> pinnable ? (T) pinnable.pinMemory() : made;
  }
}
