package dev.penstock.orc;

import dev.penstock.format.LibraryException;
import dev.penstock.spi.format.UnsafeAccess;
import org.apache.orc.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/// Whether this JVM lets the protobuf in ORC's library work, tried once.
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

  private Protobuf() {}

  /// Checks it, before ORC's own code fails to start.
  static void require() throws LibraryException {
    if (DENIED != null) {
      throw new LibraryException(
          "Cannot read ORC files: ORC's library uses sun.misc.Unsafe, and this JVM denies that."
              + " Start Java with "
              + UnsafeAccess.FLAG
              + ".",
          DENIED);
    }
  }
}
