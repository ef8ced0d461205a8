package dev.penstock.device;

import dev.penstock.LoaderState;
import dev.penstock.batch.Lease;
import java.util.Collections;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A batch in the memory of a GPU. Work submitted to the training stream after the batch was
/// received can use it.
///
/// A column of lists of numbers is two tensors, `name.values` and `name.offsets`. Columns that are
/// Java objects, such as strings, are left out; encode them as numbers
/// ([dev.penstock.batch.StringEncoding]).
///
/// **Ownership.** Close it once all work on it has been submitted to the training stream: its
/// memory is reused when that work is done. At most two batches are open at a time.
///
/// **Threads.** One at a time.
public final class DeviceBatch implements AutoCloseable {
  private final DeviceSlot slot;
  private final Lease lease;

  DeviceBatch(DeviceSlot slot, Lease lease) {
    this.slot = slot;
    this.lease = lease;
  }

  /// {@return the number of rows of the loader's batch}
  ///
  /// @throws IllegalStateException if the batch is closed
  public int rowCount() {
    lease.check();
    return slot.rows();
  }

  /// {@return the names of the tensors in the order of the columns, an unmodifiable set}
  ///
  /// @throws IllegalStateException if the batch is closed
  public Set<String> names() {
    lease.check();
    return Collections.unmodifiableSet(slot.tensors().keySet());
  }

  /// {@return a tensor}
  ///
  /// @param name the column, feature matrix or mask
  /// @throws NoSuchElementException if there is no such tensor
  /// @throws IllegalStateException if the batch is closed
  public DeviceTensor tensor(String name) {
    lease.check();
    DeviceTensor tensor = slot.tensors().get(name);
    if (tensor == null) {
      throw new NoSuchElementException(
          "Cannot read tensor '"
              + name
              + "': it is not on the GPU. Tensors are: "
              + slot.tensors().keySet()
              + ".");
    }
    return tensor;
  }

  /// {@return where the next batch starts, to resume there} Do not use the loader's own state: it
  /// includes batches that were copied ahead.
  ///
  /// @throws IllegalStateException if the batch is closed, or the loader has no state here
  public LoaderState state() {
    lease.check();
    @Nullable LoaderState state = slot.state();
    if (state == null) {
      throw new IllegalStateException(
          "Cannot say where training goes on: a loader of Java objects, or one whose batches do not"
              + " come in order, has no state here.");
    }
    return state;
  }

  /// Returns the memory after the submitted work is done. Further calls do nothing.
  @Override
  public void close() {
    lease.close();
  }
}
