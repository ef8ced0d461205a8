package dev.penstock.internal.parquet;

/// How the pages of a column chunk are compressed. Those that cannot be read are here by name.
enum Codec {
  UNCOMPRESSED(true),
  SNAPPY(true),
  GZIP(true),
  ZSTD(true),
  LZO(false),
  BROTLI(true),
  LZ4(true),
  LZ4_RAW(true);

  private final boolean readable;

  Codec(boolean readable) {
    this.readable = readable;
  }

  boolean readable() {
    return readable;
  }
}
