package dev.penstock.arrow.ipc;

import dev.penstock.arrow.ipc.IpcMetadata.Batch;
import dev.penstock.arrow.ipc.IpcMetadata.DictionaryBatch;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The bytes that a reader of some rows and columns reads: the columns' buffers in the record
/// batches that have the rows, and the dictionaries that these batches use.
final class BufferRanges {
  private final List<ByteRange> ranges = new ArrayList<>();
  private final Set<Long> dictionaries = new HashSet<>();

  private BufferRanges() {}

  static List<ByteRange> of(IpcMetadata metadata, Schema columns, long firstRow, long rowCount) {
    BufferRanges all = new BufferRanges();
    int known = 0;
    long start = 0;
    for (Batch batch : metadata.batches()) {
      long end = start + batch.rows();
      if (start < firstRow + rowCount && end > firstRow) {
        for (Field field : columns.fields()) {
          all.add(batch, metadata.path(field.name()));
        }
        all.add(metadata.dictionaries(all.dictionaries, known, batch.dictionaries()));
        known = batch.dictionaries();
      }
      start = end;
    }
    return all.ranges;
  }

  private void add(List<DictionaryBatch> batches) {
    for (DictionaryBatch each : batches) {
      ranges.add(each.values().buffers().range());
    }
  }

  /// @param path the column, after the structs that contain it; empty if the column is missing
  private void add(Batch batch, List<IpcColumn> path) {
    if (path.isEmpty()) {
      return;
    }
    for (IpcColumn struct : path.subList(0, path.size() - 1)) {
      add(batch, batch.buffer(struct));
    }
    add(batch, path.getLast());
  }

  private void add(Batch batch, IpcColumn column) {
    if (column.dictionary() != null) {
      dictionaries.add(column.dictionary().id());
    }
    int count =
        switch (column.layout()) {
          case BITS, FIXED, CODES, LIST -> 2;
          case VARIABLE -> 3;
          case VIEWS -> 2 + Math.toIntExact(batch.views()[column.place().views()]);
          case FIXED_LIST, STRUCT -> 1;
          case NONE, OTHER -> 0;
        };
    for (int i = 0; i < count; i++) {
      add(batch, batch.buffer(column) + i);
    }
    column.children().forEach(child -> add(batch, child));
  }

  private void add(Batch batch, int buffer) {
    IpcMetadata.Buffers all = batch.buffers();
    if (all.length(buffer) > 0) {
      ranges.add(new ByteRange(all.start(buffer), all.length(buffer)));
    }
  }
}
