package dev.penstock.avro;

import dev.penstock.spi.format.ScratchMemory;
import java.io.IOException;
import java.util.Arrays;

/// Bytes on the heap that grow up to a limit, counted as memory of a reader.
final class CountedBytes {
  /// The error of contents longer than the limit.
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;

    TooLongException(int most) {
      super("more than " + most + " bytes");
    }
  }

  private final ScratchMemory memory;
  private final int most;
  private byte[] bytes = {};

  CountedBytes(ScratchMemory memory, int most) {
    this.memory = memory;
    this.most = most;
  }

  /// Returns how many bytes it may have.
  int most() {
    return most;
  }

  /// Makes room.
  ///
  /// @param kept how many of the first bytes are kept
  byte[] room(int wanted, int kept) throws TooLongException {
    if (wanted > most) {
      throw new TooLongException(most);
    }
    if (wanted > bytes.length) {
      int larger = (int) Math.min(most, Math.max(wanted, 2L * kept));
      memory.count(larger);
      byte[] old = bytes;
      bytes = Arrays.copyOf(kept > 0 ? old : new byte[0], larger);
      memory.count(-old.length);
    }
    return bytes;
  }
}
