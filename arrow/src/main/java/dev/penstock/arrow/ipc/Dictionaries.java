package dev.penstock.arrow.ipc;

import dev.penstock.arrow.ipc.IpcMetadata.DictionaryBatch;
import dev.penstock.format.ColumnSlice;
import dev.penstock.format.Dictionary;
import dev.penstock.format.FilePlace;
import dev.penstock.format.ScratchMemory;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The values that the codes of the columns of a reader point at, as far as they were read.
final class Dictionaries {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final StorageFile file;
  private final IpcMetadata metadata;
  private final ScratchMemory memory;
  private final Map<Long, IpcColumn> wanted = new HashMap<>();
  private final Map<Long, Values> byId = new HashMap<>();
  private final List<MemorySegment> taken = new ArrayList<>();
  private int loaded;

  /// The values of a dictionary.
  ///
  /// @param size how many
  /// @param texts the values, where they are of variable width
  /// @param fixed the values, where they are of fixed width
  /// @param nulls which of them are null
  record Values(int size, @Nullable Dictionary texts, MemorySegment fixed, BitSet nulls) {}

  Dictionaries(StorageFile file, IpcMetadata metadata, ScratchMemory memory) {
    this.file = file;
    this.metadata = metadata;
    this.memory = memory;
  }

  /// Says that a dictionary is needed.
  void want(IpcColumn.Dictionary dictionary) {
    wanted.put(dictionary.id(), dictionary.values());
  }

  /// Returns the values of a dictionary as they are now; null when there were none yet.
  @Nullable Values find(long id) {
    return byId.get(id);
  }

  /// Reads what is needed of the first so many dictionary batches.
  void load(int count) throws IOException {
    for (; loaded < count; loaded++) {
      DictionaryBatch next = metadata.dictionaries().get(loaded);
      IpcColumn column = wanted.get(next.id());
      if (column != null) {
        read(next, column);
      }
    }
  }

  private void read(DictionaryBatch next, IpcColumn column) throws IOException {
    FilePlace where = new FilePlace(file.location(), "dictionary " + next.id());
    if (next.values().rows() > Integer.MAX_VALUE / 32) {
      throw where.fail(
          -1, "Unsupported Arrow dictionary: it has " + next.values().rows() + " values.");
    }
    Body body = new Body(file, next.values(), where, memory);
    ColumnReader reader = new ColumnReader(List.of(column), this, memory);
    try {
      int count = (int) next.values().rows();
      ColumnSlice slice = reader.read(body, 0, count);
      Values before = next.delta() ? byId.get(next.id()) : null;
      byId.put(
          next.id(),
          column.type().isVariableWidth()
              ? texts(before, slice, where)
              : fixed(before, slice, column.type().byteWidth()));
    } finally {
      reader.release();
      body.release();
    }
  }

  private MemorySegment take(long bytes) {
    MemorySegment made = memory.take(Math.max(64, bytes));
    taken.add(made);
    return made;
  }

  private Values fixed(@Nullable Values before, ColumnSlice slice, int width) {
    int old = before == null ? 0 : before.size;
    MemorySegment all = take((long) width * (old + slice.rowCount()));
    if (before != null) {
      MemorySegment.copy(before.fixed, 0, all, 0, (long) width * old);
    }
    MemorySegment.copy(slice.values(), 0, all, (long) width * old, (long) width * slice.rowCount());
    return new Values(old + slice.rowCount(), null, all, nulls(before, slice));
  }

  private static BitSet nulls(@Nullable Values before, ColumnSlice slice) {
    BitSet nulls = new BitSet();
    if (before != null) {
      nulls.or(before.nulls);
    }
    MemorySegment validity = slice.validity();
    for (int i = 0; validity != null && i < slice.rowCount(); i++) {
      if ((validity.get(ValueLayout.JAVA_BYTE, i >> 3) >> (i & 7) & 1) == 0) {
        nulls.set((before == null ? 0 : before.size) + i);
      }
    }
    return nulls;
  }

  private Values texts(@Nullable Values before, ColumnSlice slice, FilePlace where)
      throws IOException {
    Dictionary old =
        before == null || before.texts == null
            ? new Dictionary(0, MemorySegment.NULL, MemorySegment.NULL)
            : before.texts;
    long oldBytes = old.size() == 0 ? 0 : old.offsets().get(INT, 4L * old.size());
    MemorySegment starts = slice.offsets();
    if (starts == null) {
      throw new IllegalStateException("Values of variable width have offsets.");
    }
    long newBytes = slice.rowCount() == 0 ? 0 : starts.get(INT, 4L * slice.rowCount());
    if (oldBytes + newBytes > Integer.MAX_VALUE - 64) {
      throw where.fail(
          -1, "Unsupported Arrow dictionary: it has " + (oldBytes + newBytes) + " bytes.");
    }
    int size = old.size() + slice.rowCount();
    MemorySegment values = take(oldBytes + newBytes);
    MemorySegment offsets = take(4L * size + 4);
    MemorySegment.copy(old.values(), 0, values, 0, oldBytes);
    MemorySegment.copy(slice.values(), 0, values, oldBytes, newBytes);
    MemorySegment.copy(old.offsets(), 0, offsets, 0, 4L * old.size());
    for (int i = 0; i < slice.rowCount(); i++) {
      offsets.set(INT, 4L * (old.size() + i), (int) oldBytes + starts.get(INT, 4L * i));
    }
    offsets.set(INT, 4L * size, (int) (oldBytes + newBytes));
    return new Values(
        size, new Dictionary(size, values, offsets), MemorySegment.NULL, nulls(before, slice));
  }

  void release() {
    taken.forEach(memory::give);
    taken.clear();
    byId.clear();
  }
}
