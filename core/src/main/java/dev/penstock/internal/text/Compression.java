package dev.penstock.internal.text;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/// How a file of text is compressed as a whole, told by its first bytes.
enum Compression {
  /// Not at all: it can be read from any place.
  NONE("text"),
  /// Gzip, of one or more members.
  GZIP("gzip"),
  /// Zstandard, of one or more frames.
  ZSTD("zstd"),
  /// Bzip2, of one or more streams.
  BZIP2("bzip2");

  /// How many first bytes [#of] looks at.
  static final int MAGIC_BYTES = 10;

  private static final int BUFFER_BYTES = 64 << 10;

  private final String title;

  Compression(String title) {
    this.title = title;
  }

  /// Tells the compression from a file's first bytes.
  static Compression of(byte[] head) {
    if (startsWith(head, 0x1f, 0x8b, 8)) {
      return GZIP;
    }
    if (startsWith(head, 0x28, 0xb5, 0x2f, 0xfd)) {
      return ZSTD;
    }
    boolean bzip2 =
        startsWith(head, 'B', 'Z', 'h')
            && head.length >= MAGIC_BYTES
            && (head[4] == 0x31 || head[4] == 0x17); // a block, or the end of an empty file
    return bzip2 ? BZIP2 : NONE;
  }

  private static boolean startsWith(byte[] head, int... magic) {
    if (head.length < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((head[i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  /// Returns what is in a compressed stream.
  InputStream open(InputStream compressed) throws IOException {
    return switch (this) {
      case NONE -> compressed;
      case GZIP -> new GZIPInputStream(compressed, BUFFER_BYTES);
      case ZSTD -> new ZstdInputStreamNoFinalizer(compressed);
      case BZIP2 -> new Bzip2Stream(compressed);
    };
  }

  @Override
  public String toString() {
    return title;
  }
}
