package dev.penstock.internal.text;

import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An open file as a stream, from a given place on. Closing the stream leaves the file open.
///
/// It keeps an error of reading the file, because a decompressor may report it like corrupt bytes,
/// or take it for the end.
final class StorageStream extends InputStream {
  static final int BLOCK_BYTES = 256 << 10;

  private final StorageFile file;
  private final byte[] block;
  private long next;
  private int at;
  private int end;
  private @Nullable IOException failure;

  StorageStream(StorageFile file, long from) {
    this.file = file;
    this.next = from;
    this.block = new byte[Math.clamp(file.size() - from, 1, BLOCK_BYTES)];
  }

  long size() {
    return file.size();
  }

  void seek(long place) {
    next = place;
    at = 0;
    end = 0;
  }

  long position() {
    return next - (end - at);
  }

  /// Returns the place up to which the file was read.
  long readTo() {
    return next;
  }

  /// Throws the error with which a read of the file failed, if one did.
  void requireRead() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public int read() throws IOException {
    return fill() ? block[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, end - at);
    System.arraycopy(block, at, target, offset, count);
    at += count;
    return count;
  }

  private boolean fill() throws IOException {
    if (at < end) {
      return true;
    }
    int count = Math.clamp(file.size() - next, 0, block.length);
    if (count == 0) {
      return false;
    }
    // Native memory only for the read: different threads may use a stream one after another.
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(count);
      file.read(next, memory);
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, block, 0, count);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
    next += count;
    at = 0;
    end = count;
    return true;
  }
}
