package dev.penstock.internal.csv;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;

/// Memory for a text that differs from its bytes in the file, one text at a time.
final class CopiedText {
  private final Buffer memory;
  long from;
  long to;

  CopiedText(ScratchMemory memory) {
    this.memory = new Buffer(memory);
  }

  void set(byte[] text) {
    MemorySegment target = memory.ensure(text.length);
    MemorySegment.copy(text, 0, target, Raw.BYTE, 0, text.length);
    from = Raw.address(target, 0, text.length + Buffer.PADDING);
    to = from + text.length;
  }
}
