package dev.penstock.arrow.ipc;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileMetadata;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/// The metadata of an IPC file or stream.
///
/// @param columns how each column is stored, in the schema's order
/// @param rowGroups the same as row groups
/// @param dictionaries the dictionary batches, in the order in which they apply
record IpcMetadata(
    Schema schema,
    List<IpcColumn> columns,
    List<Batch> batches,
    List<RowGroup> rowGroups,
    List<DictionaryBatch> dictionaries)
    implements FileMetadata {
  /// No compression.
  static final int PLAIN = -1;

  /// Looks up a column, or a part of a struct, as [Schema#find] does.
  ///
  /// @return the columns on the path, the wanted one last; empty if not found
  List<IpcColumn> path(String name) {
    List<IpcColumn> path = new ArrayList<>();
    for (int index : schema.path(name)) {
      path.add((path.isEmpty() ? columns : path.getLast().children()).get(index));
    }
    return path;
  }

  @Override
  public OptionalLong nullCount(int rowGroup, String column) {
    List<IpcColumn> path = path(column);
    return path.size() == 1 && path.getFirst().dictionary() == null
        ? OptionalLong.of(batches.get(rowGroup).nullCounts()[path.getFirst().place().node()])
        : OptionalLong.empty();
  }

  /// Lists the dictionary batches needed to advance from one record batch to another, without those
  /// that later ones replace.
  List<DictionaryBatch> dictionaries(Set<Long> ids, int from, int to) {
    Set<Long> left = new HashSet<>(ids);
    List<DictionaryBatch> needed = new ArrayList<>();
    for (int i = to - 1; i >= from && !left.isEmpty(); i--) {
      DictionaryBatch each = dictionaries.get(i);
      if (left.contains(each.id())) {
        needed.add(each);
        if (!each.delta()) {
          left.remove(each.id());
        }
      }
    }
    return needed.reversed();
  }

  /// How some rows are stored.
  ///
  /// @param nullCounts by node
  /// @param views by column of views, its number of extra buffers
  /// @param dictionaries how many dictionary batches apply to it
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Batch(long rows, long[] nullCounts, long[] views, Buffers buffers, int dictionaries) {
    RowGroup rowGroup() {
      return new RowGroup(rows, buffers.bodyBytes);
    }

    /// Returns the index of a column's first buffer.
    int buffer(IpcColumn column) {
      int index = column.place().buffer();
      for (int i = 0; i < column.place().views(); i++) {
        index += (int) views[i];
      }
      return index;
    }
  }

  /// Where the buffers of a record batch are.
  ///
  /// @param body where they start in the file
  /// @param offsets by buffer, its start in the body
  /// @param codec Arrow's compression codec, or [#PLAIN]
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Buffers(long body, long bodyBytes, long[] offsets, long[] lengths, int codec) {
    ByteRange range() {
      return new ByteRange(body, bodyBytes);
    }

    /// Returns where in the file a buffer starts.
    long start(int buffer) {
      return body + offsets[buffer];
    }

    long length(int buffer) {
      return lengths[buffer];
    }
  }

  /// Values of a dictionary.
  ///
  /// @param delta whether the values are appended to the existing ones
  record DictionaryBatch(long id, boolean delta, Batch values) {}
}
