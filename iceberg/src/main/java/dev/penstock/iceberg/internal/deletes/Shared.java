package dev.penstock.iceberg.internal.deletes;

import java.io.IOException;
import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;

/// Something that is loaded when it is first wanted, once for all who want it, and let go when
/// memory is short and nobody uses it.
///
/// **Threads.** Any number; those that come while it is loaded wait for it.
final class Shared<T> {
  /// How it is loaded.
  @FunctionalInterface
  interface Loading<T> {
    T load() throws IOException;
  }

  private @Nullable SoftReference<T> loaded;

  /// Returns it.
  ///
  /// @param loading how it is loaded where it is not there; what fails is tried again
  synchronized T get(Loading<T> loading) throws IOException {
    T kept = loaded == null ? null : loaded.get();
    if (kept == null) {
      kept = loading.load();
      loaded = new SoftReference<>(kept);
    }
    return kept;
  }
}
