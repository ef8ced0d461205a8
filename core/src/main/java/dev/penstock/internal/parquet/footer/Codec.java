package dev.penstock.internal.parquet.footer;

import org.jspecify.annotations.Nullable;

/// How the pages of a column chunk are compressed, in the order of the format's numbers. Includes
/// codecs that cannot be read, to name them in errors.
public enum Codec {
  UNCOMPRESSED(false, 1),
  SNAPPY(false, 22), // a copy makes 64 bytes from 3
  GZIP(true, 1032), // the end of deflate
  LZO(false, 1), // cannot be read
  BROTLI(true, 1 << 21), // makes 16 MiB from a dozen bytes
  LZ4(false, 255), // with or without Hadoop's framing; a byte of a length is 255 at most
  ZSTD(true, 1 << 15), // a block makes 128 KiB from 4 bytes
  LZ4_RAW(false, 255);

  private static final Codec[] BY_NUMBER = values();

  private final boolean thorough;
  private final int ratioMax;

  Codec(boolean thorough, int ratioMax) {
    this.thorough = thorough;
    this.ratioMax = ratioMax;
  }

  /// Returns the codec with a number in the format; null if it is unknown.
  static @Nullable Codec of(int number) {
    return number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[number];
  }

  boolean readable() {
    return this != LZO;
  }

  /// Returns the most bytes that one compressed byte can become.
  public int ratioMax() {
    return ratioMax;
  }

  /// Returns whether decompressing takes longer than decoding, because of entropy coding.
  boolean thorough() {
    return thorough;
  }
}
