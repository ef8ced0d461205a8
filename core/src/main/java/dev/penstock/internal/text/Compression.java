package dev.penstock.internal.text;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.memory.Raw;
import dev.penstock.spi.format.NativeCodec;
import dev.penstock.spi.storage.StorageFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipException;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.UnsupportedOptionsException;
import org.tukaani.xz.XZInputStream;

/// How a text file is compressed as a whole, detected from its first bytes.
///
/// Streams of all kinds end only where the file does: after a complete frame or member there must
/// be another one, or zeros to the end of the file.
enum Compression {
  /// Not compressed: it can be read from any place.
  NONE("text", ""),
  GZIP("gzip", "gz", 0x1f, 0x8b, 8),
  ZSTD("zstd", "zst", 0x28, 0xb5, 0x2f, 0xfd),
  BZIP2("bzip2", "bz2", 'B', 'Z', 'h'),
  XZ("xz", "xz", 0xfd, '7', 'z', 'X', 'Z', 0),
  LZ4("lz4", "lz4", 0x04, 0x22, 0x4d, 0x18),
  ZIP("zip", "zip", 'P', 'K', 3, 4);

  /// The error of compressed text that is valid but cannot be read.
  static final class UnsupportedException extends AdvisedIOException {
    private static final long serialVersionUID = 1;

    UnsupportedException(String message) {
      this(Advice.text(message));
    }

    UnsupportedException(Advice message) {
      super(message, null);
    }
  }

  private static final int MAGIC_BYTES = 10;
  private static final int SKIPPABLE_HEADER_BYTES = 8;
  private static final int SKIPPED_MAX = 64;
  private static final byte[] SKIPPABLE_MAGIC = {0x50, 0x2a, 0x4d, 0x18};

  /// The most memory that decoding XZ may take. `xz -9` makes files that need 65 MiB; more is only
  /// of use, and only taken, for files that are large themselves.
  private static final int XZ_MEMORY_KIB = 256 << 10;

  private static final int XZ_MEMORY_KIB_SMALL = 66 << 10;
  private static final int XZ_MEMORY_PER_BYTE = 8;

  private final String title;
  private final String extension;

  @SuppressWarnings("ImmutableEnumChecker") // never written to
  private final byte[] magic;

  Compression(String title, String extension, int... magic) {
    this.title = title;
    this.extension = extension;
    this.magic = new byte[magic.length];
    for (int i = 0; i < magic.length; i++) {
      this.magic[i] = (byte) magic[i];
    }
  }

  /// Returns the extensions of files of a format, plain and compressed.
  static List<String> extensions(List<String> plain) {
    List<String> extensions = new ArrayList<>(plain);
    for (String each : plain) {
      for (Compression compression : values()) {
        if (compression != NONE) {
          extensions.add(each + "." + compression.extension);
        }
      }
    }
    return List.copyOf(extensions);
  }

  /// Detects the compression from a file's first bytes. The name only counts if these show none:
  /// then few bytes, or binary ones, are an error.
  static Compression of(StorageFile file) throws IOException {
    byte[] head = head(file, 0, MAGIC_BYTES);
    Compression found = of(head);
    /* Skippable frames may come first both in files of zstd and of lz4. */
    long at = 0;
    for (int skipped = 0; isSkippable(head) && skipped < SKIPPED_MAX; skipped++) {
      found = ZSTD;
      at += SKIPPABLE_HEADER_BYTES + (littleEndian(head, 4) & 0xffffffffL);
      head = head(file, at, MAGIC_BYTES);
      found = of(head) == LZ4 ? LZ4 : found;
    }
    return found == NONE ? unpacked(file, head) : found;
  }

  private static Compression of(byte[] head) {
    for (Compression each : values()) {
      if (each != NONE && startsWith(head, each.magic)) {
        return each != BZIP2 || isBzip2(head) ? each : NONE;
      }
    }
    return NONE;
  }

  /// Returns whether a block or the end of an empty file follows, as text may begin with `BZh` too.
  private static boolean isBzip2(byte[] head) {
    return head.length >= MAGIC_BYTES && (head[4] == 0x31 || head[4] == 0x17);
  }

  private static boolean isSkippable(byte[] head) {
    return head.length >= SKIPPABLE_HEADER_BYTES && isSkippable(littleEndian(head, 0));
  }

  /// Returns whether a number begins a skippable frame of zstd or of lz4.
  static boolean isSkippable(int magic) {
    return (magic & ~0xf) == 0x184d2a50;
  }

  static int littleEndian(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | (bytes[at + 3] & 0xff) << 24;
  }

  /// Decides on a file whose bytes show no compression, although its name may. It is text that was
  /// decompressed without renaming it, unless its few bytes may begin a compressed file, or one of
  /// them is 0.
  private static Compression unpacked(StorageFile file, byte[] head) throws IOException {
    OtherFormat.refuse(file, head);
    String name = file.location().name().toLowerCase(Locale.ROOT);
    for (Compression named : values()) {
      if (named != NONE && name.endsWith("." + named.extension)) {
        if (named.mayStart(head)) {
          throw named.broken(file, new EOFException("the file has only " + head.length + " bytes"));
        }
        for (byte b : head) {
          if (b == 0) {
            throw named.broken(
                file,
                new UnsupportedException(
                    "it does not start as one. Write it again, or name it without '."
                        + named.extension
                        + "' if it is text"));
          }
        }
      }
    }
    return NONE;
  }

  /// Returns whether bytes, too few to decide, may be the start of a file of this kind.
  private boolean mayStart(byte[] head) {
    if (startsWith(magic, head) || (this == BZIP2 && startsWith(head, magic))) {
      return head.length < MAGIC_BYTES;
    }
    if ((this == ZSTD || this == LZ4) && head.length < SKIPPABLE_HEADER_BYTES) {
      byte[] first = Arrays.copyOf(head, Math.min(head.length, SKIPPABLE_MAGIC.length));
      first[0] &= (byte) 0xf0; // the last four bits are free
      return startsWith(SKIPPABLE_MAGIC, first);
    }
    return false;
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  /// Returns `bytes` bytes of a file from `at` on, or fewer if it ends before.
  static byte[] head(StorageFile file, long at, int bytes) throws IOException {
    byte[] head = new byte[Math.clamp(file.size() - at, 0, bytes)];
    if (head.length > 0) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(head.length);
        file.read(at, memory);
        MemorySegment.copy(memory, Raw.BYTE, 0, head, 0, head.length);
      }
    }
    return head;
  }

  /// Returns the decompressed contents of a file, whose stream is at its start. `windowLog` is the
  /// largest window of zstd, as a power of two.
  InputStream open(StorageStream file, int windowLog) throws IOException {
    return switch (this) {
      case NONE -> file;
      case GZIP -> new GzipStream(file);
      case ZSTD -> {
        NativeCodec.ZSTD.require();
        yield new ZstdInputStreamNoFinalizer(new ZstdFrames(file, windowLog)).setLongMax(windowLog);
      }
      case BZIP2 -> new Bzip2Stream(file);
      case XZ ->
          new XZInputStream(
              file,
              Math.clamp(
                  (XZ_MEMORY_PER_BYTE * file.size()) >> 10, XZ_MEMORY_KIB_SMALL, XZ_MEMORY_KIB));
      case LZ4 -> new Lz4Stream(file);
      case ZIP -> ZipEntryStream.open(file);
    };
  }

  /// Checks that only zeros follow the last frame or member, none of which begins with a zero.
  /// `first` is the byte after it, already read from the stream.
  static void requirePadding(int first, InputStream in) throws IOException {
    for (int b = first; b >= 0; b = in.read()) {
      if (b != 0) {
        throw new ZipException("its end is followed by something other than another one or zeros");
      }
    }
  }

  /// Returns the error of a file that cannot be decompressed.
  MalformedFileException broken(StorageFile file, IOException cause) {
    String fault =
        switch (cause) {
          case EOFException _ -> "Truncated ";
          case UnsupportedException _, UnsupportedOptionsException _, MemoryLimitException _ ->
              "Unsupported ";
          default -> "Corrupt ";
        };
    String message = cause.getMessage() == null ? "it ends within its data" : cause.getMessage();
    return new MalformedFileException(
        file.location(), -1, "", fault + this + " file: " + message + ".", cause);
  }

  @Override
  public String toString() {
    return title;
  }
}
