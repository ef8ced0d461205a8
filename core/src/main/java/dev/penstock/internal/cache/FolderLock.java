package dev.penstock.internal.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets one thread of one process at a time delete segments of a folder.
record FolderLock(Path path, FileChannel channel) implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderLock.class);

  static final String NAME = "penstock.lock";
  private static final int WAITS_MAX = 200; // two seconds in all
  private static final long WAIT_NANOS = 10_000_000;

  /// Taken first, because the lock of a file holds off only other processes.
  private static final ReentrantLock IN_PROCESS = new ReentrantLock();

  /// Whether the last wait was in vain; then the next one is short. Guarded by [#IN_PROCESS].
  private static boolean isStuck;

  /// Takes the lock of a folder, for which it waits a while.
  static FolderLock take(Path folder, FolderAccess access) throws IOException {
    IN_PROCESS.lock();
    try {
      Path path = path(folder);
      FileChannel channel = access.openLock(path);
      lock(channel);
      return new FolderLock(path, channel);
    } catch (Throwable e) {
      IN_PROCESS.unlock();
      throw e;
    }
  }

  /// Returns where the lock of a folder is, once it was taken.
  static Path path(Path folder) {
    return folder.resolve(NAME);
  }

  /// Waits for other processes, which hold the lock for a moment. If one was stopped while it held
  /// the lock, or the file system has no locks, this goes on without it: the limit may then be
  /// exceeded by some segments.
  private static void lock(FileChannel channel) {
    try {
      int waits = isStuck ? 1 : WAITS_MAX;
      isStuck = false;
      for (; channel.tryLock() == null; waits--) {
        if (waits == 0 || Thread.currentThread().isInterrupted()) {
          isStuck = true;
          return;
        }
        LockSupport.parkNanos(WAIT_NANOS);
      }
    } catch (IOException | OverlappingFileLockException e) {
      LOG.debug("Cannot lock the folder of a cache", e);
    }
  }

  /// Deletes the lock. A process that waits for it gets it, and others make a new one.
  void delete() throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close(); // ends the lock
    } finally {
      IN_PROCESS.unlock();
    }
  }
}
