package dev.penstock.internal.parquet.footer;

/// How the pages of a column chunk are compressed. Includes codecs that cannot be read, to name
/// them in errors.
public enum Codec {
  UNCOMPRESSED(false, 1),
  SNAPPY(false, 22), // a copy makes 64 bytes from 3
  GZIP(true, 1032), // the end of deflate
  ZSTD(true, 1 << 15), // a block makes 128 KiB from 4 bytes
  LZO(false, 1), // cannot be read
  BROTLI(true, 1 << 21), // makes 16 MiB from a dozen bytes
  LZ4(false, 255), // with or without Hadoop's framing; a byte of a length is 255 at most
  LZ4_RAW(false, 255);

  private final boolean thorough;
  private final int ratioMax;

  Codec(boolean thorough, int ratioMax) {
    this.thorough = thorough;
    this.ratioMax = ratioMax;
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
