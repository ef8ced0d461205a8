package dev.penstock.internal.parquet.footer;

/// How the pages of a column chunk are compressed. Includes codecs that cannot be read, to name
/// them in errors.
public enum Codec {
  UNCOMPRESSED(true, false),
  SNAPPY(true, false),
  /// Deflate, in the frames of gzip.
  GZIP(true, true),
  ZSTD(true, true),
  /// LZO, which cannot be read.
  LZO(false, false),
  BROTLI(true, true),
  /// LZ4, with or without Hadoop's framing.
  LZ4(true, false),
  /// LZ4 blocks.
  LZ4_RAW(true, false);

  private final boolean readable;
  private final boolean thorough;

  Codec(boolean readable, boolean thorough) {
    this.readable = readable;
    this.thorough = thorough;
  }

  boolean readable() {
    return readable;
  }

  /// Returns whether decompressing takes longer than decoding, because of entropy coding.
  boolean thorough() {
    return thorough;
  }
}
