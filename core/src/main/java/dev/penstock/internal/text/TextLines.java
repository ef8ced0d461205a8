package dev.penstock.internal.text;

import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Line numbers for errors, counted only when an error occurs.
final class TextLines {
  /// Reading a block may be a request.
  private static final int BLOCK_BYTES = 1 << 20;

  private TextLines() {}

  /// Returns the line of a place in a file, counted from 1. Lines end with ` `, `\r` or `\r `. The
  /// place is in bytes of UTF-8.
  static long number(StorageFile file, TextForm form, long place) throws IOException {
    long line = 1;
    byte before = 0;
    try (Arena arena = Arena.ofConfined();
        TextInput in = TextInput.open(file, form, form.start())) {
      MemorySegment block = arena.allocate(BLOCK_BYTES);
      long left = place - form.start().at();
      int length;
      while (left > 0 && (length = in.read(block, 0, (int) Math.min(left, BLOCK_BYTES))) > 0) {
        for (int i = 0; i < length; i++) {
          byte b = block.get(ValueLayout.JAVA_BYTE, i);
          line += b == '\r' || (b == '\n' && before != '\r') ? 1 : 0;
          before = b;
        }
        left -= length;
      }
    }
    return line;
  }
}
