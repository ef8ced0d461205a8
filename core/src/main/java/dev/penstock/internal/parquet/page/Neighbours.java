package dev.penstock.internal.parquet.page;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Small chunks that lie side by side in a file, and are read together when the first is needed.
final class Neighbours {
  /// At most this much is read together, so that it is still in the cache when it is decoded.
  private static final long BYTES_MAX = 256 << 10;

  final long start;
  private long end;
  private int chunks;
  private boolean isRead;

  private Neighbours(long start) {
    this.start = start;
    this.end = start;
  }

  /// Joins chunks, in the order in which they will be needed.
  static List<Neighbours> of(List<Chunk> chunks) {
    List<Neighbours> all = new ArrayList<>();
    for (Chunk chunk : chunks) {
      Neighbours last = all.isEmpty() ? null : all.getLast();
      boolean joins =
          last != null
              && last.end == chunk.offset()
              && last.end - last.start + chunk.bytes() <= BYTES_MAX;
      if (!joins) {
        all.add(new Neighbours(chunk.offset()));
      }
      all.getLast().end += chunk.bytes();
      all.getLast().chunks++;
    }
    all.removeIf(each -> each.chunks == 1);
    return all;
  }

  boolean has(Chunk chunk) {
    return chunk.offset() >= start && chunk.offset() + chunk.bytes() <= end;
  }

  /// Returns the bytes of all, read into `target` if they are not there yet.
  MemorySegment bytes(PageFile file, Buffer target) throws IOException {
    if (!isRead) {
      file.read(start, target.ensure(end - start).asSlice(0, end - start));
      isRead = true;
    }
    return target.segment();
  }
}
