package dev.penstock.internal.parquet.footer;

/// How the pages of a column chunk are compressed. Those that cannot be read are here by name.
public enum Codec {
  /// Not at all.
  UNCOMPRESSED(true, false),
  /// Snappy.
  SNAPPY(true, false),
  /// Deflate, in the frames of gzip.
  GZIP(true, true),
  /// Zstandard.
  ZSTD(true, true),
  /// LZO, which is not read.
  LZO(false, false),
  /// Brotli.
  BROTLI(true, true),
  /// LZ4 in the frames of Hadoop, or without.
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

  /// Returns whether decompressing takes longer than decoding: bits were coded one by one.
  boolean thorough() {
    return thorough;
  }
}
