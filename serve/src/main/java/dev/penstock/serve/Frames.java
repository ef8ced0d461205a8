package dev.penstock.serve;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The frames of one connection: four bytes with the length of what follows, little-endian; the
/// kind, one byte; and the contents.
///
/// **Threads.** One reads; any may write, and a frame is written as a whole.
final class Frames {
  /// The longest frame that is accepted: an `OPEN` may list files and a vocabulary.
  static final int LENGTH_MAX = 64 << 20;

  /// The longest frame before a hello was accepted.
  static final int HELLO_MAX = 1 << 12;

  private final DataInputStream in;
  private final WritableByteChannel out;

  /// A frame that was read.
  ///
  /// @param kind what it is
  /// @param contents what follows, little-endian
  record Frame(FrameKind kind, ByteBuffer contents) {
    String text() {
      return StandardCharsets.UTF_8.decode(contents.duplicate()).toString();
    }
  }

  Frames(InputStream in, OutputStream out) {
    this.in = new DataInputStream(in);
    this.out = Channels.newChannel(out);
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
    write(frame.flip());
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

  /// Writes one or several whole frames, or a frame and what follows it.
  synchronized void write(ByteBuffer... parts) throws IOException {
    for (ByteBuffer part : parts) {
      while (part.hasRemaining()) {
        out.write(part);
      }
    }
  }
}
