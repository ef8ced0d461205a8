package dev.penstock.iceberg.internal.deletes;

import dev.penstock.spi.fields.StoredField;
import dev.penstock.spi.format.BytesView;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.format.TextDictionary;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The keys of the rows of a slice, of a data file or of a delete file.
///
/// **Threads.** One at a time.
final class KeyRows {
  /// The source of a part of the keys.
  ///
  /// @param place the index of the column in the reader; -1 if the file lacks it
  /// @param value the value of all rows in that case, in Iceberg's form; null for nulls
  record Part(KeyColumn column, int place, @Nullable Object value) {}

  private final List<Part> parts;
  private long[][] longs = {}; // allocated with the first rows, because many files may wait
  private final @Nullable ColumnSlice[] slices;
  private final @Nullable BytesView[] views;
  private final KeyBytes key = new KeyBytes();
  private final KeyBytes value = new KeyBytes();
  private int[] hits = {};
  private long[] byCode = {};
  private @Nullable TextDictionary coded;

  KeyRows(List<Part> parts) {
    this.parts = List.copyOf(parts);
    this.slices = new ColumnSlice[parts.size()];
    this.views = new BytesView[parts.size()];
  }

  private void makeRoom() {
    longs = new long[parts.size()][DeleteFiles.SLICE_ROWS];
    hits = new int[DeleteFiles.SLICE_ROWS];
    for (int i = 0; i < parts.size(); i++) {
      Object constant = parts.get(i).value;
      if (constant != null && parts.get(i).column.isLong()) {
        Arrays.fill(longs[i], KeyColumn.bits(constant));
      }
    }
  }

  /// Returns whether keys consist of one 64-bit column.
  static boolean areLongs(List<KeyColumn> columns) {
    return columns.size() == 1 && columns.getFirst().isLong();
  }

  /// Returns the only column of the key, or null if there are several or the file lacks it.
  @Nullable StoredField only(List<StoredField> columns) {
    return parts.size() == 1 && parts.getFirst().place >= 0
        ? columns.get(parts.getFirst().place)
        : null;
  }

  /// Returns whether a column's stored numbers equal its keys.
  boolean areCounts(StoredField only) {
    return parts.getFirst().column.isCount(only.field().type());
  }

  /// Takes the next rows.
  void take(SliceReader reader, int rows) {
    if (longs.length == 0) {
      makeRoom();
    }
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part.place < 0) {
        continue;
      }
      ColumnSlice slice = reader.column(part.place);
      slices[i] = slice;
      if (part.column.isLong()) {
        part.column.longs(slice, rows, longs[i]);
      } else {
        views[i] = new BytesView(slice);
      }
    }
  }

  private boolean isNull(int part, int row) {
    ColumnSlice slice = slices[part];
    return slice == null
        ? parts.get(part).value == null
        : !KeyColumn.isPresent(slice.validity(), row);
  }

  /// Adds the keys to the deleted keys.
  void addTo(DeletedKeys keys, long sequence, int rows) {
    switch (keys) {
      case DeletedKeys.Longs single -> {
        for (int i = 0; i < rows; i++) {
          if (isNull(0, i)) {
            single.addNull(sequence);
          } else {
            single.add(longs[0][i], sequence);
          }
        }
      }
      case DeletedKeys.Bytes all -> {
        for (int i = 0; i < rows; i++) {
          all.add(key(i), sequence);
        }
      }
    }
  }

  /// Marks the rows that are deleted.
  ///
  /// @param sequence the data file's sequence number
  /// @param gone a bit for each row
  void mark(DeletedKeys keys, long sequence, int rows, long[] gone) {
    switch (keys) {
      case DeletedKeys.Longs single -> {
        ColumnSlice slice = slices[0];
        if (slice == null || slice.validity() != null) {
          markNullable(single, sequence, rows, gone);
        } else {
          single.mark(longs[0], rows, sequence, hits, gone);
        }
      }
      case DeletedKeys.Bytes all -> {
        ColumnSlice only = parts.size() == 1 ? slices[0] : null;
        TextDictionary dictionary = only == null ? null : only.dictionary();
        if (only == null || dictionary == null) {
          for (int i = 0; i < rows; i++) {
            gone[i >>> 6] |= (all.find(key(i)) > sequence ? 1L : 0L) << i;
          }
        } else {
          markCoded(all, only, dictionary, sequence, rows, gone);
        }
      }
    }
  }

  private void markNullable(DeletedKeys.Longs keys, long sequence, int rows, long[] gone) {
    for (int i = 0; i < rows; i++) {
      long deleter = isNull(0, i) ? keys.findNull() : keys.find(longs[0][i]);
      gone[i >>> 6] |= (deleter > sequence ? 1L : 0L) << i;
    }
  }

  /// Looks each entry of a dictionary up once.
  private void markCoded(
      DeletedKeys.Bytes keys,
      ColumnSlice slice,
      TextDictionary dictionary,
      long sequence,
      int rows,
      long[] gone) {
    final long unknown = -2;
    if (coded == null || !coded.equals(dictionary)) {
      byCode = new long[dictionary.size() + 1];
      Arrays.fill(byCode, unknown);
      coded = dictionary;
    }
    var codes = Objects.requireNonNull(slice.codes());
    for (int i = 0; i < rows; i++) {
      int code =
          isNull(0, i)
              ? dictionary.size()
              : codes.getAtIndex(java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED, i);
      if (byCode[code] == unknown) {
        byCode[code] = keys.find(key(i));
      }
      gone[i >>> 6] |= (byCode[code] > sequence ? 1L : 0L) << i;
    }
  }

  /// Builds the key of a row: for each part whether it is present, its length and its bytes.
  private KeyBytes key(int row) {
    key.clear();
    for (int i = 0; i < parts.size(); i++) {
      KeyColumn column = parts.get(i).column;
      if (isNull(i, row)) {
        key.addByte(0);
        continue;
      }
      key.addByte(1);
      if (column.isLong()) {
        key.addLong(longs[i][row]);
        continue;
      }
      value.clear();
      BytesView view = views[i];
      if (view == null) {
        byte[] constant = column.bytes(Objects.requireNonNull(parts.get(i).value));
        value.add(java.lang.foreign.MemorySegment.ofArray(constant), 0, constant.length);
      } else {
        view.find(row);
        column.append(view, value);
      }
      key.addLong(value.length());
      key.add(java.lang.foreign.MemorySegment.ofArray(value.array()), 0, value.length());
    }
    return key;
  }

  /// Returns the place of a column among those to request from a reader, each once.
  static int place(List<StoredField> wanted, StoredField column) {
    for (int i = 0; i < wanted.size(); i++) {
      if (Objects.equals(wanted.get(i).path(), column.path())) {
        return i;
      }
    }
    wanted.add(column);
    return wanted.size() - 1;
  }
}
