package dev.penstock.internal.parquet.page;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.parquet.footer.Codec;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A file whose pages are read, with what the [PageReader]s of its columns share. One thread uses
/// them all.
public final class PageFile implements AutoCloseable {
  private final StorageFile file;
  private final ParquetMetadata metadata;
  private final ScratchMemory memory;
  private final Buffer input;
  private final Decompressor decompressor = new Decompressor();

  /// Takes an open file, which stays open.
  ///
  /// @param file the file
  /// @param metadata its footer
  /// @param memory where the buffers of all readers come from
  public PageFile(StorageFile file, ParquetMetadata metadata, ScratchMemory memory) {
    this.file = file;
    this.metadata = metadata;
    this.memory = memory;
    this.input = new Buffer(memory);
  }

  /// Makes a buffer of one reader.
  Buffer newBuffer() {
    return new Buffer(memory);
  }

  /// Returns the buffer to which readers read what they do not keep.
  Buffer sharedInput() {
    return input;
  }

  void read(long offset, MemorySegment target) throws IOException {
    file.read(offset, target);
  }

  /// Returns where the pages of a chunk end at the latest, if it states too few bytes.
  long latestEnd(Chunk chunk) {
    return metadata.latestEnd(chunk);
  }

  /// Decompresses all of `source` into `target`, where it has to become exactly `bytes`, and
  /// returns the memory.
  MemorySegment decompress(Codec codec, MemorySegment source, Buffer target, long bytes)
      throws IOException {
    return decompressor.decompress(codec, source, target, bytes);
  }

  @Override
  public void close() {
    input.release();
    decompressor.close();
  }
}
