package dev.penstock.serve;

import dev.penstock.format.MemoryLimitException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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

  private static final int HEAD_BYTES = 5;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final DataInputStream in;
  private final byte[] head = new byte[HEAD_BYTES]; // of the thread that reads
  private final WritableByteChannel out;
  private @Nullable ByteBuffer gathered; // guarded by this; made for the first batch
  private boolean broken; // guarded by this; a frame was written in part

  /// A frame that was read.
  ///
  /// @param contents little-endian
  /// @param held the room that was taken for it
  record Frame(FrameKind kind, ByteBuffer contents, long held) {
    /// The heap that a byte of a text may take: as the frame, as text, and again in parts.
    private static final long BYTES_OF_BYTE = 6;

    /// The heap that a value of a document may take beside its text.
    private static final long BYTES_OF_VALUE = 80;

    String text() {
      return StandardCharsets.UTF_8.decode(contents.duplicate()).toString();
    }

    /// Returns the heap that its text may take when it is read as JSON.
    long heapBytes() {
      long values = 1;
      for (int i = contents.position(); i < contents.limit(); i++) {
        values += ",:[{".indexOf(contents.get(i)) < 0 ? 0 : 1;
      }
      return BYTES_OF_BYTE * contents.remaining() + BYTES_OF_VALUE * values;
    }
  }

  /// Where room for the contents of frames is taken.
  interface Room {
    /// What needs none.
    Room BOUNDLESS = _ -> 0;

    /// Waits for room, and returns what has to be given back.
    long take(long bytes) throws InterruptedException;
  }

  Frames(InputStream in, WritableByteChannel out) {
    this.in = new DataInputStream(in);
    this.out = out;
  }

  /// Waits for the next frame.
  ///
  /// @param longest how long it may be, unless its kind is shorter
  /// @param room taken before memory is allocated; the caller gives it back, also where the frame
  ///   does not come whole
  /// @return empty if the client closed the connection between two frames
  /// @throws ProtocolException if it is none
  /// @throws MemoryLimitException if the heap has no room for the frame, which is then skipped: the
  ///   next one can be read
  Optional<Frame> read(int longest, Room room) throws IOException, InterruptedException {
    // A socket's read() makes an array, for which there may be no heap.
    if (in.read(head, 0, 1) < 0) {
      return Optional.empty();
    }
    in.readFully(head, 1, HEAD_BYTES - 1);
    long length = (int) INT.get(head, 0) & 0xFFFF_FFFFL;
    requireAtMost(longest, length);
    byte code = head[HEAD_BYTES - 1];
    Optional<FrameKind> known = FrameKind.of(code);
    if (known.isEmpty()) {
      throw new ProtocolException("a frame of the unknown kind " + code + ".");
    }
    FrameKind kind = known.get();
    requireAtMost(kind.longest(), length);
    Optional<Frame> frame = empty(kind, (int) length - 1, room);
    in.readFully(frame.get().contents().array());
    return frame;
  }

  private static void requireAtMost(int longest, long length) throws ProtocolException {
    if (length < 1 || length > longest) {
      throw new ProtocolException(
          "a frame of " + length + " bytes, but expected 1 to " + longest + ".");
    }
  }

  /// Makes a frame whose contents are to be read, and all that is allocated for it: waits until the
  /// heap has room.
  private Optional<Frame> empty(FrameKind kind, int size, Room room)
      throws IOException, InterruptedException {
    try {
      long held = kind.longest() == LENGTH_MAX ? room.take(size) : 0;
      for (int pauses = 0; ; pauses++) {
        try {
          return Optional.of(
              new Frame(
                  kind, ByteBuffer.wrap(new byte[size]).order(ByteOrder.LITTLE_ENDIAN), held));
        } catch (OutOfMemoryError e) {
          Shortage.pause(pauses, e);
        }
      }
    } catch (MemoryLimitException e) {
      in.skipNBytes(size);
      throw e;
    }
  }

  /// Writes a frame with a text.
  void write(FrameKind kind, String text) throws IOException {
    byte[] contents = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = finish(begin(kind, contents.length).put(contents));
    synchronized (this) {
      flush();
      write(frame);
    }
  }

  /// Returns a buffer with a frame's head and room for contents, to be filled and given to
  /// [#finish].
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
    if (broken) {
      throw new IOException("The connection broke within a frame.");
    }
    broken = true;
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
    broken = false;
  }

  /// Returns whether a frame was written in part, so that no other can be.
  synchronized boolean isBroken() {
    return broken;
  }
}
