package dev.penstock.internal.cache;

import dev.penstock.internal.cache.FolderAccess.RefusedException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Warns once that a folder cannot be used.
final class CacheWarning {
  private static final Logger LOG = LoggerFactory.getLogger(CacheFolder.class);

  private final Path path;
  private final AtomicBoolean isGiven = new AtomicBoolean();

  CacheWarning(Path path) {
    this.path = path;
  }

  void give(Throwable cause) {
    if (!isGiven.getAndSet(true)) {
      LOG.warn(
          "Cannot use the cache '{}': {}. Rows are delivered all the same; what is not in the cache"
              + " is decoded again in the next epoch.",
          path,
          cause instanceof RefusedException refused ? refused.reason() : String.valueOf(cause));
    }
  }
}
