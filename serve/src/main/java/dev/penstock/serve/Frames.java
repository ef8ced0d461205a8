package dev.penstock.serve;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The frames of one connection: four bytes with the length of what follows, little-endian; the
/// kind, one byte; and the contents.
///
/// Batches are gathered and written together, because a system call costs more than a small batch;
/// all other frames are written at once.
///
/// **Threads.** One reads; any may write, and a frame is written as a whole.
final class Frames {
  /// The longest frame that is accepted: an `OPEN` may list files and a vocabulary.
  static final int LENGTH_MAX = 64 << 20;

  /// The longest frame before a hello was accepted.
  static final int HELLO_MAX = 1 << 12;

  /// How much is gathered at most.
  private static final int GATHERED = 64 << 10;

  private final DataInputStream in;
  private final WritableByteChannel out;
  private @Nullable ByteBuffer gathered; // guarded by this; made for the first batch

  /// A frame that was read.
  ///
  /// @param kind what it is
  /// @param contents what follows, little-endian
  record Frame(FrameKind kind, ByteBuffer contents) {
    String text() {
      return StandardCharsets.UTF_8.decode(contents.duplicate()).toString();
    }
  }

  Frames(InputStream in, WritableByteChannel out) {
    this.in = new DataInputStream(in);
    this.out = out;
  }

  /// Waits for the next frame.
  ///
  /// @param longest how long it may be
  /// @return empty if the client closed the connection between two frames
  /// @throws ProtocolException if it is none
  Optional<Frame> read(int longest) throws IOException {
    int first = in.read();
    if (first < 0) {
      return Optional.empty();
    }
    byte[] rest = new byte[3];
    in.readFully(rest);
    long length = first | (rest[0] & 0xFF) << 8 | (rest[1] & 0xFF) << 16 | (rest[2] & 0xFFL) << 24;
    if (length < 1 || length > longest) {
      throw new ProtocolException(
          "a frame of " + length + " bytes, but expected 1 to " + longest + ".");
    }
    byte code = in.readByte();
    FrameKind kind =
        FrameKind.of(code)
            .orElseThrow(() -> new ProtocolException("a frame of the unknown kind " + code + "."));
    // Taken as it comes: a length alone makes nobody allocate.
    byte[] contents = in.readNBytes((int) length - 1);
    if (contents.length < length - 1) {
      throw new EOFException("The connection ended within a frame.");
    }
    return Optional.of(new Frame(kind, ByteBuffer.wrap(contents).order(ByteOrder.LITTLE_ENDIAN)));
  }

  /// Writes a frame with a text.
  void write(FrameKind kind, String text) throws IOException {
    byte[] contents = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = begin(kind, contents.length).put(contents);
    frame.flip();
    synchronized (this) {
      flush();
      write(frame);
    }
  }

  /// Starts a frame.
  ///
  /// @param room the most bytes of contents
  /// @return a buffer with the frame's head, to be filled and given to [#finish]
  static ByteBuffer begin(FrameKind kind, int room) {
    return ByteBuffer.allocate(5 + room)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(1 + room)
        .put(kind.code());
  }

  /// Ends a frame, and sets its length.
  static ByteBuffer finish(ByteBuffer frame) {
    frame.flip();
    return frame.putInt(0, frame.limit() - 4);
  }

  /// Writes a frame and what follows it, now or with the next.
  synchronized void gather(ByteBuffer... parts) throws IOException {
    if (gathered == null) {
      gathered = ByteBuffer.allocateDirect(GATHERED);
    }
    ByteBuffer buffer = gathered;
    for (ByteBuffer part : parts) {
      if (part.remaining() > buffer.remaining()) {
        flush();
      }
      if (part.remaining() > buffer.remaining()) {
        write(part);
      } else {
        buffer.put(part);
      }
    }
  }

  /// Returns whether something was gathered and not written.
  synchronized boolean hasGathered() {
    return gathered != null && gathered.position() > 0;
  }

  /// Writes what was gathered.
  synchronized void flush() throws IOException {
    ByteBuffer buffer = gathered;
    if (buffer == null) {
      return;
    }
    buffer.flip();
    try {
      write(buffer);
    } finally {
      buffer.clear();
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }
}
