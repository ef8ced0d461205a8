package dev.penstock.blackbox.files;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.SeekableInputStream;

/// A file of parquet-java in memory: its local files are read byte by byte where they are joined.
final class ParquetMemory implements InputFile, OutputFile {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /// Bytes with a position that can be set.
  private static final class Bytes extends ByteArrayInputStream {
    Bytes(byte... bytes) {
      super(bytes);
    }

    long position() {
      return pos;
    }

    void seek(long position) {
      pos = Math.toIntExact(position);
    }
  }

  @Override
  public long getLength() {
    return bytes.size();
  }

  @Override
  public SeekableInputStream newStream() {
    Bytes stream = new Bytes(bytes.toByteArray());
    return new DelegatingSeekableInputStream(stream) {
      @Override
      public long getPos() {
        return stream.position();
      }

      @Override
      public void seek(long position) {
        stream.seek(position);
      }
    };
  }

  @Override
  public PositionOutputStream create(long blockSizeHint) {
    return new PositionOutputStream() {
      @Override
      public long getPos() {
        return bytes.size();
      }

      @Override
      public void write(int value) {
        bytes.write(value);
      }

      @Override
      public void write(byte[] from, int offset, int length) throws IOException {
        bytes.write(from, offset, length);
      }
    };
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    return create(blockSizeHint);
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }
}
