package dev.penstock.orc;

import dev.penstock.format.LibraryException;
import dev.penstock.spi.format.UnsafeAccess;
import org.apache.orc.protobuf.ByteString;
import org.apache.orc.protobuf.CodedInputStream;
import org.jspecify.annotations.Nullable;

/// Whether this JVM lets the protobuf in ORC's library work, tried once; and how long the messages
/// of a file may be.
final class Protobuf {
  private static final @Nullable LinkageError DENIED;

  static {
    LinkageError denied = null;
    try {
      boolean _ = ByteString.copyFromUtf8("-").isValidUtf8(); // looks at memory by Unsafe
    } catch (LinkageError e) {
      if (!UnsafeAccess.isDenied(e)) {
        throw e;
      }
      denied = e;
    }
    DENIED = denied;
  }

  /// A message may always have this many bytes decompressed, and more only if it has many stored.
  private static final int BYTES_FREE = 64 << 20;

  private static final int RATIO_MAX = 256;
  private static final int BYTES_MAX = 1 << 30;

  private Protobuf() {}

  /// Bounds a message by what files need.
  static CodedInputStream bounded(CodedInputStream message, long stored) {
    int _ = message.setSizeLimit(Math.clamp(RATIO_MAX * stored, BYTES_FREE, BYTES_MAX));
    return message;
  }

  /// Checks it, before ORC's own code fails to start.
  static void require() throws LibraryException {
    if (DENIED != null) {
      throw new LibraryException(
          ("Cannot read ORC files: ORC's library uses sun.misc.Unsafe, and this JVM denies"
                  + " that. Start Java with %s.")
              .formatted(UnsafeAccess.FLAG),
          DENIED);
    }
  }
}
