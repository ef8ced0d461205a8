package dev.penstock.serve;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.penstock.format.MemoryLimitException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.batch.BatchAllocator;
import dev.penstock.split.ByteSize;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A memory file that a client made, mapped; a loader's batches lie in it.
///
/// The file is as large as the batches could ever get. Only what was written takes memory, and a
/// block that is freed gives its memory back to the system.
///
/// **Ownership.** Unmapped when it is closed and its last block is freed.
///
/// **Threads.** Safe for any.
final class SharedMemory implements BatchAllocator, AutoCloseable {
  private static final long PAGE_BYTES = 4096;

  private final MemorySegment file;
  private final Arena arena = Arena.ofShared();
  private final TreeMap<Long, Long> freeByOffset = new TreeMap<>(); // offset to length
  private int blocks;
  private boolean closed;

  private SharedMemory(FileChannel channel) throws IOException {
    MemorySegment mapped;
    try {
      mapped = channel.map(MapMode.READ_WRITE, 0, channel.size(), arena);
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
    this.file = mapped;
    long whole = mapped.byteSize() / PAGE_BYTES * PAGE_BYTES;
    if (whole > 0) {
      freeByOffset.put(0L, whole);
    }
  }

  /// Maps a file.
  ///
  /// @throws IOException if it cannot be opened
  /// @throws MemoryLimitException if this process has no room for it
  static SharedMemory map(Path path) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long size = channel.size();
      try {
        return new SharedMemory(channel);
      } catch (IOException e) {
        throw new MemoryLimitException(
            ("Cannot map the client's memory file of %s bytes: %s. The server's address space may"
                    + " be limited: raise 'ulimit -v' where it is started, or share a smaller file"
                    + " (shared_memory).")
                .formatted(size, e.getMessage()),
            size);
      }
    } catch (NoSuchFileException | AccessDeniedException e) {
      throw new IOException(
          ("Cannot open the client's memory file '%s': %s. Client and server have to see each"
                  + " other's processes and be of one user.")
              .formatted(
                  path, e instanceof NoSuchFileException ? "no such file" : "permission denied"),
          e);
    }
  }

  /// Bounds a loader's memory by the room that its batches have.
  LoaderOptions bounding(LoaderOptions options) {
    ByteSize asked = options.memoryUse().limitFor(options.reading().workers());
    ByteSize room = new ByteSize(file.byteSize());
    return asked.bytes() > room.bytes() ? options.memory(room) : options;
  }

  /// Returns whether some memory is in the file; true for none.
  boolean holds(@Nullable MemorySegment memory) {
    if (memory == null || memory.byteSize() == 0) {
      return true;
    }
    long offset = offset(memory);
    return memory.isNative() && offset >= 0 && offset + memory.byteSize() <= file.byteSize();
  }

  /// Returns where memory of a block is in the file.
  long offset(MemorySegment memory) {
    return memory.address() - file.address();
  }

  @Override
  public synchronized Block allocate(long bytes, long alignment) {
    if (closed) {
      throw new IllegalStateException("Cannot take memory: the loader is closed.");
    }
    long size = Math.ceilDiv(bytes, PAGE_BYTES) * PAGE_BYTES;
    for (Map.Entry<Long, Long> free : freeByOffset.entrySet()) {
      long offset = Math.ceilDiv(free.getKey(), alignment) * alignment;
      long end = free.getKey() + free.getValue();
      if (offset + size <= end) {
        take(free.getKey(), end, offset, size);
        blocks++;
        return new Block(file.asSlice(offset, bytes), () -> free(offset, size));
      }
    }
    throw new IllegalStateException(
        "Cannot make the next batch: the batches received and still in use fill the "
            + (file.byteSize() >> 20)
            + " MiB that this loader shares with its process. Copy what you keep of a batch, or"
            + " raise shared_memory.");
  }

  private void take(long start, long end, long offset, long size) {
    freeByOffset.remove(start);
    put(start, offset - start);
    put(offset + size, end - offset - size);
  }

  private void put(long offset, long length) {
    if (length > 0) {
      freeByOffset.put(offset, length);
    }
  }

  private synchronized void free(long offset, long size) {
    if (!closed) { // else the client may still read it
      Discard.pages(file.asSlice(offset, size));
    }
    long start = offset;
    long end = offset + size;
    Map.Entry<Long, Long> before = freeByOffset.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue() == offset) {
      start = before.getKey();
    }
    Long after = freeByOffset.remove(end);
    freeByOffset.put(start, end - start + (after == null ? 0 : after));
    blocks--;
    unmapIfUnused();
  }

  private void unmapIfUnused() {
    if (closed && blocks == 0) {
      arena.close();
    }
  }

  /// Unmaps the file, as soon as no block of it is in use. What is in it stays for the client.
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      unmapIfUnused();
    }
  }

  /// Gives the memory behind pages of a shared file back to the system, where it has a call for
  /// that (Linux, `MADV_REMOVE`).
  private static final class Discard {
    private static final int MADV_REMOVE = 9;
    private static final Optional<MethodHandle> MADVISE = find();

    private static Optional<MethodHandle> find() {
      if (!System.getProperty("os.name").equals("Linux")) {
        return Optional.empty();
      }
      Linker linker = Linker.nativeLinker();
      return linker
          .defaultLookup()
          .find("madvise")
          .map(address ->
              linker.downcallHandle(
                  address, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT)));
    }

    /// A failure leaves the memory with the file, which frees it in the end.
    static void pages(MemorySegment pages) {
      try {
        if (MADVISE.isPresent()) {
          int _ = (int) MADVISE.get().invokeExact(pages, pages.byteSize(), MADV_REMOVE);
        }
      } catch (Throwable e) {
        throw new IllegalStateException("Cannot call madvise", e);
      }
    }
  }
}
