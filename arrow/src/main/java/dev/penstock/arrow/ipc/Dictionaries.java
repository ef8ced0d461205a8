package dev.penstock.arrow.ipc;

import static dev.penstock.spi.format.LittleEndian.INT;

import dev.penstock.arrow.ipc.IpcMetadata.DictionaryBatch;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The dictionary values of a reader's columns, as of the current record batch. Earlier values are
/// not kept.
final class Dictionaries {
  private final StorageFile file;
  private final IpcMetadata metadata;
  private final ScratchMemory memory;
  private final Map<Long, IpcColumn> wanted = new HashMap<>();
  private final Map<Long, Values> byId = new HashMap<>();
  private int loaded;

  /// The values of a dictionary.
  static final class Values {
    private final DataType type;
    private final ScratchBuffer values;
    private final ScratchBuffer offsets;
    private final BitSet nulls = new BitSet();
    private int size;
    private MemorySegment fixed = MemorySegment.NULL;
    private @Nullable TextDictionary texts;

    private Values(DataType type, ScratchMemory memory) {
      this.type = type;
      this.values = new ScratchBuffer(memory);
      this.offsets = new ScratchBuffer(memory);
    }

    /// Returns the number of values.
    int size() {
      return size;
    }

    /// Returns the values if they have variable width.
    @Nullable TextDictionary texts() {
      return texts;
    }

    /// Returns the values if they have fixed width.
    MemorySegment fixed() {
      return fixed;
    }

    /// Returns which values are null.
    BitSet nulls() {
      return nulls;
    }

    private void clear() {
      size = 0;
      nulls.clear();
    }

    private void add(ColumnSlice slice, FilePlace where) throws IOException {
      if (type.isVariableWidth()) {
        addTexts(slice, where);
      } else {
        long width = type.byteWidth();
        fixed = room(values, width * (size + slice.rowCount()));
        MemorySegment.copy(slice.values(), 0, fixed, width * size, width * slice.rowCount());
      }
      MemorySegment validity = slice.validity();
      for (int i = 0; validity != null && i < slice.rowCount(); i++) {
        if ((validity.get(ValueLayout.JAVA_BYTE, i >> 3) >> (i & 7) & 1) == 0) {
          nulls.set(size + i);
        }
      }
      size += slice.rowCount();
    }

    private void addTexts(ColumnSlice slice, FilePlace where) throws IOException {
      MemorySegment starts = slice.offsets();
      if (starts == null) {
        throw new IllegalStateException("Values of variable width have offsets.");
      }
      int count = slice.rowCount();
      MemorySegment ends = room(offsets, 4L * (size + count) + 4);
      long before = size == 0 ? 0 : ends.get(INT, 4L * size);
      long more = count == 0 ? 0 : starts.get(INT, 4L * count);
      if (before + more > Integer.MAX_VALUE - 64) {
        throw where.fail("Unsupported Arrow dictionary: it has " + (before + more) + " bytes.");
      }
      MemorySegment bytes = room(values, before + more);
      MemorySegment.copy(slice.values(), 0, bytes, before, more);
      for (int i = 0; i < count; i++) {
        ends.set(INT, 4L * (size + i), (int) before + starts.get(INT, 4L * i));
      }
      ends.set(INT, 4L * (size + count), (int) (before + more));
      texts = new TextDictionary(size + count, bytes, ends);
    }

    /// Makes room for all values, keeping the current ones.
    private MemorySegment room(ScratchBuffer buffer, long bytes) {
      return size == 0 ? buffer.ensure(bytes) : buffer.grow(bytes);
    }
  }

  Dictionaries(StorageFile file, IpcMetadata metadata, ScratchMemory memory) {
    this.file = file;
    this.metadata = metadata;
    this.memory = memory;
  }

  /// Marks a dictionary as needed.
  void want(IpcColumn.Dictionary dictionary) {
    wanted.put(dictionary.id(), dictionary.values());
  }

  /// Returns the current values of a dictionary; null if there were none yet.
  @Nullable Values find(long id) {
    return byId.get(id);
  }

  /// Advances to a number of applied dictionary batches.
  void load(int count) throws IOException {
    for (DictionaryBatch next : metadata.dictionaries(wanted.keySet(), loaded, count)) {
      read(next, Objects.requireNonNull(wanted.get(next.id())));
    }
    loaded = count;
  }

  private void read(DictionaryBatch next, IpcColumn column) throws IOException {
    FilePlace where = new FilePlace(file.location(), "dictionary " + next.id());
    if (next.values().rows() > Integer.MAX_VALUE / 32) {
      throw where.fail("Unsupported Arrow dictionary: it has " + next.values().rows() + " values.");
    }
    try (Body body = new Body(file, next.values(), where, memory);
        ReaderMemory own = new ReaderMemory(memory)) {
      ColumnReader reader = new ColumnReader(List.of(column), this, own);
      Values values = byId.computeIfAbsent(next.id(), _ -> new Values(column.type(), memory));
      if (!next.delta()) {
        values.clear();
      }
      values.add(reader.read(body, 0, (int) next.values().rows()), where);
    }
  }
}
