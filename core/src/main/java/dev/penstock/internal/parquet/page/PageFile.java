package dev.penstock.internal.parquet.page;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file whose pages are read, and the resources that the [PageReader]s of its columns share. All
/// are used by one thread.
public final class PageFile implements AutoCloseable {
  private final StorageFile file;
  final ParquetMetadata metadata;
  public final ReaderMemory memory; // of all readers, returned on close
  final Buffer input; // for bytes that readers do not keep
  final Decompressor decompressor = new Decompressor();
  private List<Neighbours> neighbours = List.of();
  private final List<Buffer> together = new ArrayList<>(); // one for each of them

  /// Uses an open file, which it does not close. The buffers of all readers come from `source`.
  public PageFile(StorageFile file, ParquetMetadata metadata, ScratchMemory source) {
    this.file = file;
    this.metadata = metadata;
    this.memory = new ReaderMemory(source);
    this.input = new Buffer(memory);
  }

  /// Begins a row group, whose chunks will be needed in this order, from their starts.
  public void open(List<Chunk> chunks) {
    neighbours = Neighbours.of(chunks);
    while (together.size() < neighbours.size()) {
      together.add(new Buffer(memory));
    }
  }

  /// Returns the bytes of a chunk, if it is read with others; else null.
  @Nullable MemorySegment readTogether(Chunk chunk) throws IOException {
    for (int i = 0; i < neighbours.size(); i++) {
      Neighbours all = neighbours.get(i);
      if (all.has(chunk)) {
        return all.bytes(this, together.get(i)).asSlice(chunk.offset() - all.start);
      }
    }
    return null;
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
