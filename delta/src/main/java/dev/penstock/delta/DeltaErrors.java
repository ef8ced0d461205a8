package dev.penstock.delta;

import io.delta.kernel.exceptions.KernelException;
import io.delta.kernel.exceptions.TableNotFoundException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Says what Delta's library met in our words.
final class DeltaErrors {
  private DeltaErrors() {}

  /// Returns the error of a version that was asked for and that the table does not have.
  ///
  /// @return the error; null if it is of another kind
  static @Nullable IllegalArgumentException ofVersion(String name, Throwable error) {
    // Its subclasses say that the table or the store is at fault.
    return error.getClass() == KernelException.class && error.getCause() == null
        ? new IllegalArgumentException(
            "Cannot read Delta table '" + name + "': " + error.getMessage(), error)
        : null;
  }

  /// Returns the error of reading a table.
  static IOException of(String name, Throwable error) {
    if (error instanceof StackOverflowError) { // the library's parser has no limit
      return new IOException(
          "Cannot read Delta table '" + name + "': its metadata is nested too deeply.", error);
    }
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException io) {
        return io;
      }
    }
    String found =
        error instanceof TableNotFoundException
            ? "there is no table: it has no commit in '_delta_log'"
            : String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    return new IOException("Cannot read Delta table '" + name + "': " + found, error);
  }
}
