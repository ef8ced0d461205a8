package dev.penstock.orc;

import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// The bytes of a stream of a stripe, decompressed, from its start to its end.
///
/// Holds a window of them: a piece of the file, or a decompressed chunk. Nothing is read beyond the
/// stream's end, and memory is allocated only for bytes that exist.
///
/// **Errors.** An [IOException] says what is wrong with the stream, without a position.
final class StoredStream {
  /// Roughly how much all columns together read at a time. A single stream reads at least and at
  /// most the sizes below.
  private static final int PIECES_BYTES_TOTAL = 4 << 20;

  private static final int PIECE_BYTES_MAX = 64 << 10;

  private static final int PIECE_BYTES_MIN = 8 << 10;

  private final StorageFile file;
  private final int pieceBytes;
  private final ScratchBuffer buffer;
  private final @Nullable Chunks chunks;

  /// The stored bytes, if they consist of chunks.
  private final @Nullable StoredStream packed;

  private MemorySegment window = MemorySegment.NULL;
  private long at; // the next byte, in the window
  private long end; // of what the window holds
  private long start; // in the file
  private long next; // in the file, after the window
  private long stop; // in the file

  /// @param columns how many columns are read in turn
  /// @param chunks their decompressor, if they are compressed
  StoredStream(StorageFile file, int columns, @Nullable Chunks chunks, ScratchMemory memory) {
    this.file = file;
    this.pieceBytes = Math.clamp(PIECES_BYTES_TOTAL / columns, PIECE_BYTES_MIN, PIECE_BYTES_MAX);
    this.buffer = new ScratchBuffer(memory);
    this.chunks = chunks;
    this.packed = chunks == null ? null : new StoredStream(file, columns, null, memory);
  }

  /// Moves to the start of a stream.
  void open(StripeStreams.Place place) {
    start = place.start();
    next = place.start();
    stop = place.start() + place.length();
    at = 0;
    end = 0;
    if (packed != null) {
      packed.open(place);
    }
  }

  /// Moves to a position of the row index.
  void seek(Positions positions) throws IOException {
    long offset = positions.next();
    if (packed != null) {
      packed.jump(offset);
      at = 0;
      end = 0;
      skip(positions.next());
    } else {
      jump(offset);
    }
  }

  private void jump(long offset) throws IOException {
    if (offset > stop - start) {
      throw new IOException(
          "a position is " + offset + " but the stream has " + (stop - start) + " bytes");
    }
    next = start + offset;
    at = 0;
    end = 0;
  }

  /// Returns the next byte, 0 to 255.
  int next() throws IOException {
    if (at == end) {
      fill(1);
    }
    return window.get(ValueLayout.JAVA_BYTE, at++) & 0xff;
  }

  /// Reads bytes.
  void read(byte[] to, int offset, int count) throws IOException {
    for (int done = 0; done < count; ) {
      if (at == end) {
        fill(count - done);
      }
      int some = (int) Math.min(count - done, end - at);
      MemorySegment.copy(window, ValueLayout.JAVA_BYTE, at, to, offset + done, some);
      at += some;
      done += some;
    }
  }

  /// Returns the next bytes, which are copied only if they do not lie side by side.
  ///
  /// @return exactly these bytes, until the next call
  MemorySegment next(ScratchBuffer joined, long count) throws IOException {
    if (at == end && count > 0) {
      fill(count);
    }
    if (count > end - at) {
      return read(joined, count).asSlice(0, count);
    }
    at += count;
    return window.asSlice(at - count, count);
  }

  /// Reads bytes; memory is allocated as they arrive.
  MemorySegment read(ScratchBuffer to, long count) throws IOException {
    long known = packed == null ? left() : Math.max(pieceBytes, end - at);
    if (packed == null && count > known) {
      throw ended(count, known);
    }
    MemorySegment target = to.ensure(Math.min(count, known));
    for (long done = 0; done < count; ) {
      if (at == end) {
        if (packed == null && count - done >= pieceBytes) {
          StoredBytes.read(file, next, target.asSlice(done, count - done));
          next += count - done;
          return target;
        }
        fill(count - done);
      }
      long some = Math.min(count - done, end - at);
      target = to.grow(done + some);
      MemorySegment.copy(window, at, target, done, some);
      at += some;
      done += some;
    }
    return target;
  }

  /// Skips bytes.
  void skip(long count) throws IOException {
    long left = count;
    while (left > end - at) {
      left -= end - at;
      at = end;
      if (packed == null) {
        if (left > stop - next) {
          throw ended(left, stop - next);
        }
        next += left;
        return;
      }
      fill(left);
    }
    at += left;
  }

  /// Returns how many bytes are left of a stream that is not compressed.
  private long left() {
    return end - at + (stop - next);
  }

  /// Reads the next bytes into the window, which is used up.
  private void fill(long wanted) throws IOException {
    at = 0;
    end = 0;
    if (packed != null && chunks != null) {
      while (end == 0) {
        if (packed.left() == 0) {
          throw ended(wanted, 0);
        }
        window = chunks.read(packed, buffer);
        end = window.byteSize();
      }
      return;
    }
    long count = Math.min(pieceBytes, stop - next);
    if (count == 0) {
      throw ended(wanted, 0);
    }
    window = buffer.ensure(count);
    StoredBytes.read(file, next, window.asSlice(0, count));
    next += count;
    end = count;
  }

  private static IOException ended(long wanted, long left) {
    return new IOException(
        "a stream has " + left + " more bytes but " + wanted + " of them are needed");
  }

  /// Checks that bytes exist, as far as that is known without decompressing them.
  void require(long count) throws IOException {
    if (packed == null && count > left()) {
      throw ended(count, left());
    }
  }
}
