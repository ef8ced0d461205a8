package dev.penstock.internal.text;

import dev.penstock.format.MalformedFileException;
import dev.penstock.storage.StorageFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How the text of a file is stored.
///
/// @param compression how the whole file is compressed
/// @param charset the encoding
/// @param mark how many bytes the byte-order mark takes, 0 if there is none
public record TextForm(Compression compression, Charset charset, int mark) {
  private static final String MARK = "\ufeff";
  private static final int MARK_BYTES_MAX = 4;

  /// Encodings that a mark says. That of UTF-32LE begins with the one of UTF-16LE.
  private static final List<Charset> MARKED =
      List.of(
          StandardCharsets.UTF_8,
          StandardCharsets.UTF_32LE,
          StandardCharsets.UTF_32BE,
          StandardCharsets.UTF_16LE,
          StandardCharsets.UTF_16BE);

  /// Finds out how the text of a file is stored. A byte-order mark says the encoding, whatever was
  /// stated.
  ///
  /// @param file the file
  /// @param stated the encoding where there is no mark; UTF-8 if empty
  /// @return the form
  /// @throws IOException if the file cannot be read
  public static TextForm of(StorageFile file, Optional<Charset> stated) throws IOException {
    byte[] head = new byte[(int) Math.min(file.size(), Compression.MAGIC_BYTES)];
    if (head.length > 0) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(head.length);
        file.read(0, memory);
        MemorySegment.copy(memory, 0, MemorySegment.ofArray(head), 0, head.length);
      }
    }
    Compression compression = Compression.of(head);
    if (compression != Compression.NONE) {
      StorageStream raw = new StorageStream(file, 0);
      try (InputStream text = compression.open(raw)) {
        head = text.readNBytes(MARK_BYTES_MAX);
        raw.requireRead();
      } catch (IOException e) {
        throw broken(file, raw, compression, e);
      }
    }
    return of(compression, head, stated.orElse(StandardCharsets.UTF_8));
  }

  private static TextForm of(Compression compression, byte[] head, Charset stated) {
    for (Charset charset : MARKED) {
      byte[] mark = MARK.getBytes(charset);
      if (head.length >= mark.length && Arrays.equals(head, 0, mark.length, mark, 0, mark.length)) {
        return new TextForm(compression, charset, mark.length);
      }
    }
    Charset charset =
        stated.equals(StandardCharsets.UTF_16)
            ? StandardCharsets.UTF_16BE
            : stated.equals(StandardCharsets.UTF_32)
                ? StandardCharsets.UTF_32BE
                : stated.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : stated;
    return new TextForm(compression, charset, 0);
  }

  /// Returns whether places in the text are places in the file.
  ///
  /// @return true for UTF-8 that is not compressed
  public boolean isPlain() {
    return compression == Compression.NONE && charset.equals(StandardCharsets.UTF_8);
  }

  /// Returns where the text starts.
  ///
  /// @return the place behind the mark
  public TextPlace start() {
    return isPlain() ? new TextPlace(mark, mark, mark) : new TextPlace(0, 0, 0);
  }

  /// Returns the error of a file that cannot be decompressed.
  ///
  /// @throws IOException if it could not be read
  static IOException broken(
      StorageFile file, StorageStream raw, Compression compression, IOException cause)
      throws IOException {
    raw.requireRead();
    if (cause instanceof MalformedFileException || compression == Compression.NONE) {
      return cause;
    }
    String message = String.valueOf(cause.getMessage());
    String lower = message.toLowerCase(Locale.ROOT);
    boolean cut =
        cause instanceof EOFException || lower.contains("truncated") || lower.contains("end of");
    return new MalformedFileException(
        file.location(),
        -1,
        "",
        (cut ? "Truncated " : "Corrupt ") + compression + " file: " + message + ".",
        cause);
  }
}
