package dev.penstock.arrow.ipc;

import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The entries of some rows in a buffer of fixed-width entries, such as offsets.
///
/// The number of rows of a slice is known only after reading this buffer. Entries that a slice
/// leaves over are kept for the next one, so that nothing is read twice.
///
/// **Ownership.** It or the batch's body owns the memory of the entries, until the next [#read].
final class RowBuffer {
  private final IpcColumn column;
  private final ScratchBuffer memory;
  private final long width;
  private final int behind;

  private MemorySegment last = MemorySegment.NULL;
  private @Nullable Body lastBody;
  private long lastFrom;
  private long lastEnd;

  /// @param behind how many more entries than rows there are
  RowBuffer(IpcColumn column, int width, int behind, ScratchMemory memory) {
    this.column = column;
    this.memory = new ScratchBuffer(memory);
    this.width = width;
    this.behind = behind;
  }

  /// Returns how many of the rows should form a slice: those already read, if any.
  int limit(Body body, long from, int count) {
    return isRead(body, from) ? (int) Math.min(count, lastEnd - from) : count;
  }

  private boolean isRead(Body body, long from) {
    return body == lastBody && from >= lastFrom && from < lastEnd;
  }

  /// Returns the entries of some rows, and the extra entries after them.
  MemorySegment read(Body body, int buffer, long from, int count, String what) throws IOException {
    if (!isRead(body, from) || count > lastEnd - from) {
      lastBody = null; // in case the read fails
      last = body.bytes(column, buffer, from * width, (count + behind) * width, memory, what);
      lastBody = body;
      lastFrom = from;
      lastEnd = from + count;
    }
    return last.asSlice((from - lastFrom) * width);
  }
}
