package dev.penstock.arrow.ipc;

import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// What a buffer says of some rows, one entry of fixed width after another, such as offsets.
///
/// How many rows a slice can have is known only when this was read: what a slice leaves of it is
/// for the next one, so that nothing is read twice.
///
/// **Ownership.** Owns the memory of the entries, or the batch's body does, until [#read] of
/// others.
final class RowBuffer {
  private final IpcColumn column;
  private final ScratchBuffer memory;
  private final long width;
  private final int behind;

  private MemorySegment last = MemorySegment.NULL;
  private @Nullable Body lastBody;
  private long lastFrom;
  private long lastEnd;

  /// @param column whose buffer it is
  /// @param width the bytes of an entry
  /// @param behind how many entries more there are than rows
  RowBuffer(IpcColumn column, int width, int behind, ScratchMemory memory) {
    this.column = column;
    this.memory = new ScratchBuffer(memory);
    this.width = width;
    this.behind = behind;
  }

  /// Returns how many of the rows should be given at once: those that were read, where some were.
  int limit(Body body, long from, int count) {
    return isRead(body, from) ? (int) Math.min(count, lastEnd - from) : count;
  }

  private boolean isRead(Body body, long from) {
    return body == lastBody && from >= lastFrom && from < lastEnd;
  }

  /// Returns the entries of some rows, and those behind.
  ///
  /// @param buffer the buffer's place in the body
  /// @param what its name for errors
  MemorySegment read(Body body, int buffer, long from, int count, String what) throws IOException {
    if (!isRead(body, from) || count > lastEnd - from) {
      lastBody = null; // should it fail
      last = body.bytes(column, buffer, from * width, (count + behind) * width, memory, what);
      lastBody = body;
      lastFrom = from;
      lastEnd = from + count;
    }
    return last.asSlice((from - lastFrom) * width);
  }

  void release() {
    lastBody = null;
    memory.release();
  }
}
