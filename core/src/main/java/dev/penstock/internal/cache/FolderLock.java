package dev.penstock.internal.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Lets one thread of one process at a time delete segments of a folder.
final class FolderLock implements AutoCloseable {
  private static final String NAME = "penstock.lock";

  /// Taken first, because the lock of a file holds off only other processes.
  private static final ReentrantLock IN_PROCESS = new ReentrantLock();

  private final Path path;
  private final FileChannel channel;

  private FolderLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /// Waits for the lock of a folder.
  static FolderLock take(Path folder) throws IOException {
    IN_PROCESS.lock();
    try {
      Path path = path(folder);
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      locked(channel);
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

  private static @Nullable FileLock locked(FileChannel channel) {
    try {
      return channel.lock();
    } catch (IOException | OverlappingFileLockException e) {
      return null; // The file system has no locks: the limit may be exceeded by some segments.
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
