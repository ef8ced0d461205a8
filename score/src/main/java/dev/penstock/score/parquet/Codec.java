package dev.penstock.score.parquet;

import com.github.luben.zstd.Zstd;
import dev.penstock.format.LibraryException;
import dev.penstock.spi.format.NativeCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/// How pages are compressed.
public enum Codec {
  /// Not compressed.
  UNCOMPRESSED,
  /// Snappy.
  SNAPPY,
  /// Zstandard, level 1.
  ZSTD;

  private static final int LEVEL = 1;

  /// Makes sure that the codec's library is there.
  void load() throws LibraryException {
    switch (this) {
      case UNCOMPRESSED -> {}
      case SNAPPY -> NativeCodec.SNAPPY.require();
      case ZSTD -> NativeCodec.ZSTD.require();
    }
  }

  private byte[] compress(byte[] page) throws IOException {
    return switch (this) {
      case UNCOMPRESSED -> page;
      case SNAPPY -> Snappy.compress(page);
      case ZSTD -> Zstd.compress(page, LEVEL);
    };
  }

  /// Returns this codec as parquet-java takes it; its own would bring Hadoop.
  BytesInputCompressor compressor() {
    return new BytesInputCompressor() {
      @Override
      public BytesInput compress(BytesInput page) throws IOException {
        var all = new ByteArrayOutputStream(Math.toIntExact(page.size()));
        page.writeAllTo(all);
        return BytesInput.from(Codec.this.compress(all.toByteArray()));
      }

      @Override
      public CompressionCodecName getCodecName() {
        return CompressionCodecName.valueOf(name());
      }

      @Override
      public void release() {}
    };
  }
}
