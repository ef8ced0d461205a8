package dev.penstock.internal.text;

import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// The text of a file as bytes of UTF-8, from a given place to its end, decompressed and without a
/// byte-order mark.
///
/// Text that is UTF-8 in the file is passed on unchecked: code that makes strings of it checks
/// them.
abstract class TextInput implements AutoCloseable {
  private static final int LINES_BYTES = 1 << 20; // reading a block may be a request

  private TextInput() {}

  /// Opens the text of a file from a place on. The file stays open when this is closed.
  static TextInput open(StorageFile file, TextForm form, TextPlace place) throws IOException {
    return form.isPlain() ? new Plain(file, place.at()) : new Decoded(file, form, place);
  }

  /// Reads at most `length` bytes, at least 1, to native memory. Returns how many, or 0 at the end
  /// of the text.
  abstract int read(MemorySegment target, long offset, int length) throws IOException;

  /// Returns a place, not after the bytes read so far, with the last known restart point before it.
  abstract TextPlace place(long at);

  /// Returns up to which byte of the file a reader may read that ends at a place in the text, not
  /// after the bytes read so far.
  abstract long fileEnd(long at);

  /// Returns up to which byte the file was read.
  abstract long fileBytes();

  /// Returns the line of a place in a file, counted from 1. Lines end with `\n`, `\r` or `\r\n`.
  /// The place is in bytes of UTF-8.
  static long line(StorageFile file, TextForm form, long place) throws IOException {
    long line = 1;
    byte before = 0;
    try (Arena arena = Arena.ofConfined();
        TextInput in = TextInput.open(file, form, form.start())) {
      MemorySegment block = arena.allocate(LINES_BYTES);
      long left = place - form.start().at();
      int length;
      while (left > 0 && (length = in.read(block, 0, (int) Math.min(left, LINES_BYTES))) > 0) {
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

  @Override
  public abstract void close();

  private static final class Plain extends TextInput {
    private final StorageFile file;
    private long next;

    Plain(StorageFile file, long next) {
      this.file = file;
      this.next = next;
    }

    @Override
    int read(MemorySegment target, long offset, int length) throws IOException {
      int count = (int) Math.min(length, file.size() - next);
      if (count <= 0) {
        return 0;
      }
      file.read(next, target.asSlice(offset, count));
      next += count;
      return count;
    }

    @Override
    TextPlace place(long at) {
      return new TextPlace(at, at, at);
    }

    @Override
    long fileEnd(long at) {
      return at;
    }

    @Override
    long fileBytes() {
      return next;
    }

    @Override
    public void close() {}
  }

  /// Text that is decompressed, converted to UTF-8, or both.
  private static final class Decoded extends TextInput {
    private final StorageFile file;
    private final TextForm form;
    private final StorageStream raw;
    private final InputStream in;
    private final byte[] block = new byte[64 << 10];

    Decoded(StorageFile file, TextForm form, TextPlace place) throws IOException {
      this.file = file;
      this.form = form;
      boolean fromStart = place.restart() == 0;
      this.raw = new StorageStream(file, place.restart());
      try {
        InputStream bytes = form.open(raw);
        if (fromStart) {
          bytes.skipNBytes(form.mark());
        }
        this.in =
            form.charset().equals(StandardCharsets.UTF_8)
                ? bytes
                : new Utf8Stream(
                    bytes,
                    form,
                    file.location(),
                    fromStart ? form.mark() : place.restart(),
                    place.restartAt());
        in.skipNBytes(place.at() - place.restartAt());
      } catch (IOException e) {
        throw TextForm.broken(file, raw, form.compression(), e);
      }
    }

    @Override
    int read(MemorySegment target, long offset, int length) throws IOException {
      try {
        int count = in.read(block, 0, Math.min(length, block.length));
        if (count <= 0) {
          raw.requireRead();
          return 0;
        }
        MemorySegment.copy(block, 0, target, ValueLayout.JAVA_BYTE, offset, count);
        return count;
      } catch (IOException e) {
        throw TextForm.broken(file, raw, form.compression(), e);
      }
    }

    @Override
    TextPlace place(long at) {
      return form.compression() == Compression.NONE && in instanceof Utf8Stream decoded
          ? decoded.place(at)
          : new TextPlace(at, 0, 0);
    }

    @Override
    long fileEnd(long at) {
      return Math.min(file.size(), raw.readTo() + StorageStream.BLOCK_BYTES);
    }

    @Override
    long fileBytes() {
      return raw.readTo();
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw new IllegalStateException("Cannot close a decompressor: " + e, e);
      }
    }
  }
}
