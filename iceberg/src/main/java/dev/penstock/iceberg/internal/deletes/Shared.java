package dev.penstock.iceberg.internal.deletes;

import java.io.IOException;
import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;

/// A value that is loaded on first use, once for all users, and released when memory is short and
/// nobody uses it.
///
/// **Threads.** Any number; callers wait while it is being loaded.
final class Shared<T> {
  /// How it is loaded.
  @FunctionalInterface
  interface Loading<T> {
    T load() throws IOException;
  }

  private @Nullable SoftReference<T> loaded;

  /// Returns it.
  ///
  /// @param loading loads it if absent; after a failure the next call tries again
  synchronized T get(Loading<T> loading) throws IOException {
    T kept = loaded == null ? null : loaded.get();
    if (kept == null) {
      kept = loading.load();
      loaded = new SoftReference<>(kept);
    }
    return kept;
  }
}
