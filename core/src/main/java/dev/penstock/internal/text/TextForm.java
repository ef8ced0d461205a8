package dev.penstock.internal.text;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.LibraryException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// How the text of a file is stored.
///
/// @param windowLog the largest allowed window of zstd, as a power of two
/// @param mark how many bytes the byte-order mark takes, 0 if there is none
/// @param recordBytes the longest record that may be read, in bytes of UTF-8
public record TextForm(
    Compression compression, int windowLog, Charset charset, int mark, int recordBytes) {
  /// UTF-8, not compressed, from the first byte on.
  static final TextForm PLAIN =
      new TextForm(
          Compression.NONE,
          ZstdFrames.WINDOW_LOG_USUAL,
          StandardCharsets.UTF_8,
          0,
          FormatOptions.RECORD_BYTES_USUAL);

  /// The user's options for how text is stored. The encoding is that of files without a byte-order
  /// mark; UTF-8 if empty.
  public record Stated(Optional<Charset> charset, int windowLog, int recordBytes) {}

  private static final String MARK = "\ufeff";
  private static final int MARK_BYTES_MAX = 4;
  private static final int ORDER_BYTES = 4 << 10; // how much text is used to detect the byte order

  /// Encodings with a byte-order mark. The mark of UTF-32LE begins with that of UTF-16LE.
  private static final List<Charset> MARKED =
      List.of(
          StandardCharsets.UTF_8,
          StandardCharsets.UTF_32LE,
          StandardCharsets.UTF_32BE,
          StandardCharsets.UTF_16LE,
          StandardCharsets.UTF_16BE);

  public static List<String> extensions(String... plain) {
    return Compression.extensions(List.of(plain));
  }

  /// Detects how the text of a file is stored. A byte-order mark overrides the stated encoding.
  public static TextForm of(StorageFile file, Stated stated) throws IOException {
    Compression compression = Compression.of(file);
    Charset charset = stated.charset().orElse(StandardCharsets.UTF_8);
    boolean unordered =
        charset.equals(StandardCharsets.UTF_16) || charset.equals(StandardCharsets.UTF_32);
    byte[] head =
        head(file, compression, stated.windowLog(), unordered ? ORDER_BYTES : MARK_BYTES_MAX);
    for (Charset marked : MARKED) {
      byte[] mark = MARK.getBytes(marked);
      if (head.length >= mark.length && Arrays.equals(head, 0, mark.length, mark, 0, mark.length)) {
        return new TextForm(
            compression, stated.windowLog(), marked, mark.length, stated.recordBytes());
      }
    }
    if (unordered) {
      charset = ordered(file, charset, head);
    } else if (charset.equals(StandardCharsets.US_ASCII)) {
      charset = StandardCharsets.UTF_8;
    }
    return new TextForm(compression, stated.windowLog(), charset, 0, stated.recordBytes());
  }

  private static byte[] head(StorageFile file, Compression compression, int windowLog, int bytes)
      throws IOException {
    if (compression == Compression.NONE) {
      return Compression.head(file, 0, bytes);
    }
    StorageStream raw = new StorageStream(file, 0);
    try (InputStream text = compression.open(raw, windowLog)) {
      byte[] head = text.readNBytes(bytes);
      raw.requireRead();
      return head;
    } catch (IOException e) {
      throw broken(file, raw, compression, e);
    }
  }

  /// Detects the byte order of text without a mark: text of tables has many ASCII characters, which
  /// in the other order are rare or invalid characters.
  private static Charset ordered(StorageFile file, Charset charset, byte[] head)
      throws IOException {
    boolean narrow = charset.equals(StandardCharsets.UTF_16);
    int width = narrow ? 2 : 4;
    int first = 0; // ASCII characters if the highest byte comes first
    int last = 0;
    for (int at = 0; at + width <= head.length; at += width) {
      int zeros = 0;
      for (int i = 0; i < width; i++) {
        zeros += head[at + i] == 0 ? 1 : 0;
      }
      if (zeros == width - 1) {
        first += head[at + width - 1] > 0 ? 1 : 0;
        last += head[at] > 0 ? 1 : 0;
      }
    }
    if (head.length >= width && Math.max(first, last) <= 2 * Math.min(first, last)) {
      throw new MalformedFileException(
          file.location(),
          -1,
          "",
          Advice.of(
              "Unsupported text: it has no byte-order mark, and its first %s bytes do not tell the"
                  + " order of bytes. State %s as '%s'.",
              head.length,
              Remedy.formatOption("encoding"),
              narrow ? "utf-16le' or 'utf-16be" : "utf-32le' or 'utf-32be"),
          null);
    }
    return first > last
        ? narrow ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_32BE
        : narrow ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_32LE;
  }

  /// Returns whether places in the text are also places in the file: in UTF-8 that is not
  /// compressed.
  public boolean isPlain() {
    return compression == Compression.NONE && charset.equals(StandardCharsets.UTF_8);
  }

  /// Returns where the text starts, after the mark.
  public TextPlace start() {
    return isPlain() ? new TextPlace(mark, mark, mark) : new TextPlace(0, 0, 0);
  }

  InputStream open(StorageStream raw) throws IOException {
    return compression.open(raw, windowLog);
  }

  /// Returns the error of a file that cannot be decompressed, or throws that of reading it.
  static IOException broken(
      StorageFile file, StorageStream raw, Compression compression, IOException cause)
      throws IOException {
    raw.requireRead();
    return cause instanceof MalformedFileException
            || cause instanceof LibraryException
            || compression == Compression.NONE
        ? cause
        : compression.broken(file, cause);
  }
}
