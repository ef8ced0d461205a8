package dev.penstock.internal.parquet;

/// How the pages of a column chunk are compressed. Those that cannot be read are here by name.
enum Codec {
  UNCOMPRESSED(true, false),
  SNAPPY(true, false),
  GZIP(true, true),
  ZSTD(true, true),
  LZO(false, false),
  BROTLI(true, true),
  LZ4(true, false),
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
