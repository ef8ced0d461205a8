package dev.penstock.internal.parquet.page;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A file whose pages are read, and the resources that the [PageReader]s of its columns share. All
/// are used by one thread.
public final class PageFile implements AutoCloseable {
  private final StorageFile file;
  final ParquetMetadata metadata;
  public final ReaderMemory memory; // of all readers, returned on close
  final Buffer input; // for bytes that readers do not keep
  final Decompressor decompressor = new Decompressor();

  /// Uses an open file, which it does not close. The buffers of all readers come from `source`.
  public PageFile(StorageFile file, ParquetMetadata metadata, ScratchMemory source) {
    this.file = file;
    this.metadata = metadata;
    this.memory = new ReaderMemory(source);
    this.input = new Buffer(memory);
  }

  void read(long offset, MemorySegment target) throws IOException {
    file.read(offset, target);
  }

  @Override
  public void close() {
    memory.close();
    decompressor.close();
  }
}
