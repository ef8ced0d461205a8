package dev.penstock.internal.parquet.footer;

import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import java.util.List;
import java.util.Objects;
import shaded.parquet.org.apache.thrift.TException;

/// The row groups of a footer as their bytes, in which a chunk is read when it is asked for.
final class StoredChunks {
  private final byte[] bytes;
  private final int[] starts; // by row group, then by leaf
  private final List<LeafColumn> leaves;
  final boolean isRefused; // any chunk

  /// Takes bytes that [RowGroupWalk] has checked, and where the chunks begin in them.
  StoredChunks(byte[] bytes, int[] starts, List<LeafColumn> leaves, boolean isRefused) {
    this.bytes = bytes;
    this.starts = starts;
    this.leaves = leaves;
    this.isRefused = isRefused;
  }

  /// Returns the number of a chunk among all.
  int number(int rowGroup, int leaf) {
    Objects.checkIndex(leaf, leaves.size());
    return Objects.checkIndex(rowGroup * leaves.size() + leaf, starts.length);
  }

  StoredChunk stored(int rowGroup, int leaf) {
    CompactInput input = new CompactInput(bytes, starts[number(rowGroup, leaf)], bytes.length);
    StoredChunk chunk = new StoredChunk(input);
    try {
      chunk.read();
    } catch (TException e) {
      throw new IllegalStateException(e); // it was read before
    }
    return chunk;
  }

  Chunk chunk(int rowGroup, int leaf) {
    try {
      return stored(rowGroup, leaf).chunk(leaves.get(leaf));
    } catch (TException e) {
      throw new IllegalStateException(e); // as above
    }
  }

  /// Returns the least offset of a chunk behind an offset in the file; [Long#MAX_VALUE] if there is
  /// none.
  long nextOffset(long offset) {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < starts.length; i++) {
      long found = chunk(i / leaves.size(), i % leaves.size()).offset();
      next = found > offset ? Math.min(next, found) : next;
    }
    return next;
  }

  long heapBytes() {
    return bytes.length + (long) Integer.BYTES * starts.length;
  }
}
