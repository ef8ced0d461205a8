package dev.penstock.iceberg.internal.deletes;

import static dev.penstock.spi.format.LittleEndian.INT;
import static dev.penstock.spi.format.LittleEndian.LONG;

import dev.penstock.format.MalformedFileException;
import dev.penstock.iceberg.internal.fields.IcebergTypes;
import dev.penstock.schema.DataType;
import dev.penstock.spi.fields.StoredField;
import dev.penstock.spi.format.BytesView;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// The rows of data files that are deleted by position.
///
/// A delete file for several data files is read once for all of them. A deletion vector belongs to
/// one data file, and is read with it.
///
/// **Threads.** Any number at once.
final class PositionDeletes {
  private static final long[] NONE = {};

  /// The length, the magic number, the number of bitmaps, the first bitmap's key, and the checksum.
  private static final int VECTOR_BYTES_MIN = 4 + 4 + 8 + 4;

  private final DeleteFiles files;
  private final Map<String, Shared<Map<String, long[]>>> loaded = new ConcurrentHashMap<>();

  PositionDeletes(DeleteFiles files) {
    this.files = files;
  }

  /// Returns the deleted rows of a data file.
  ///
  /// @param dataFile the data file's path in the table
  /// @return their numbers, ascending, each once, all in `[0, rowCount)`
  long[] of(List<DeleteFile> deletes, String dataFile, long rowCount) throws IOException {
    Rows all = new Rows();
    for (DeleteFile file : deletes) {
      long[] rows =
          file.format() == FileFormat.PUFFIN
              ? vector(file, rowCount)
              : listed(file).getOrDefault(dataFile, NONE);
      if (rows.length > 0 && (rows[0] < 0 || rows[rows.length - 1] >= rowCount)) {
        throw DeleteFiles.fail(
            file,
            "Corrupt delete file: it deletes row %s of %s, whose rows are [0, %s)."
                .formatted(rows[0] < 0 ? rows[0] : rows[rows.length - 1], dataFile, rowCount),
            null);
      }
      all.addAll(rows);
    }
    return all.sorted();
  }

  private Map<String, long[]> listed(DeleteFile file) throws IOException {
    return loaded.computeIfAbsent(file.location(), _ -> new Shared<>()).get(() -> read(file));
  }

  private Map<String, long[]> read(DeleteFile file) throws IOException {
    Map<String, Rows> byPath = new HashMap<>();
    Paths paths = new Paths(byPath);
    files.read(
        file,
        stored ->
            List.of(
                column(file, stored, MetadataColumns.DELETE_FILE_PATH),
                column(file, stored, MetadataColumns.DELETE_FILE_POS)),
        (reader, rows) -> paths.add(reader.column(0), reader.column(1), rows));
    Map<String, long[]> sorted = new HashMap<>();
    byPath.forEach((path, rows) -> sorted.put(path, rows.sorted()));
    return sorted;
  }

  /// Looks for a column by its id, else by its name.
  private static StoredField column(
      DeleteFile file, List<StoredField> stored, Types.NestedField wanted)
      throws MalformedFileException {
    StoredField found =
        StoredField.find(stored, wanted.fieldId())
            .or(() ->
                stored.stream()
                    .filter(column -> column.field().name().equals(wanted.name()))
                    .findFirst())
            .orElse(null);
    DataType type = IcebergTypes.type(wanted.type());
    if (found == null || !found.isReadAs(type)) {
      throw DeleteFiles.fail(
          file,
          "Corrupt position delete file: it has no column '%s' of %s. Columns are: %s."
              .formatted(wanted.name(), type, stored.stream().map(StoredField::field).toList()),
          null);
    }
    return found;
  }

  private long[] vector(DeleteFile file, long rowCount) throws IOException {
    Long offset = file.contentOffset();
    Long size = file.contentSizeInBytes();
    byte[] bytes;
    try (StorageFile opened = files.files().open(file.location())) {
      if (offset == null
          || size == null
          || offset < 0
          || size < VECTOR_BYTES_MIN
          || size > Integer.MAX_VALUE - 64
          || offset > opened.size() - size) {
        throw DeleteFiles.fail(
            file,
            ("Truncated deletion vector: the table says that it is in %s bytes from byte %s"
                    + " on but the file has %s.")
                .formatted(size, offset, opened.size()),
            null);
      }
      bytes = opened.bytes(offset, Math.toIntExact(size));
    }
    // Keys of bitmaps may have gaps, for which Iceberg's decoder allocates memory.
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long bitmaps = head.getLong(8);
    long mostBitmaps = (rowCount >>> 32) + 1;
    if (bitmaps < 0
        || bitmaps > mostBitmaps
        || (bitmaps > 0 && Integer.toUnsignedLong(head.getInt(16)) >= mostBitmaps)) {
      throw DeleteFiles.fail(
          file,
          "Corrupt deletion vector: it deletes rows beyond those of its data file, which has "
              + rowCount
              + ".",
          null);
    }
    try {
      Rows rows = new Rows();
      PositionDeleteIndex.deserialize(bytes, file).forEach(rows::add);
      return rows.sorted();
    } catch (RuntimeException e) {
      throw DeleteFiles.fail(file, "Corrupt deletion vector: " + e.getMessage() + ".", e);
    }
  }

  /// A growing list of row numbers.
  private static final class Rows {
    private long[] rows = new long[16];
    private int count;
    private boolean ascending = true;

    void add(long row) {
      if (count == rows.length) {
        rows = Arrays.copyOf(rows, Math.toIntExact(2L * count));
      }
      ascending &= count == 0 || row > rows[count - 1];
      rows[count++] = row;
    }

    void addAll(long[] more) {
      for (long row : more) {
        add(row);
      }
    }

    long[] sorted() {
      if (!ascending) {
        Arrays.sort(rows, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
          if (i == 0 || rows[i] != rows[i - 1]) {
            rows[distinct++] = rows[i];
          }
        }
        count = distinct;
      }
      return count == 0 ? NONE : Arrays.copyOf(rows, count);
    }
  }

  /// Groups rows by the path before each; neighbours mostly have the same path.
  private static final class Paths {
    private final Map<String, Rows> byPath;
    private byte[] last = {};
    private @Nullable Rows current;

    Paths(Map<String, Rows> byPath) {
      this.byPath = byPath;
    }

    void add(ColumnSlice paths, ColumnSlice positions, int rows) {
      BytesView bytes = new BytesView(paths);
      BytesView numbers = new BytesView(positions);
      MemorySegment codes = paths.codes();
      MemorySegment values = positions.values();
      int lastCode = -1;
      for (int i = 0; i < rows; i++) {
        if (!bytes.isPresent(i) || !numbers.isPresent(i)) {
          continue; // Impala's compactions write such rows.
        }
        int code = codes == null ? -1 : codes.getAtIndex(INT, i);
        Rows same = code >= 0 && code == lastCode ? current : null;
        if (same == null) {
          bytes.find(i);
          same = rows(bytes);
          lastCode = code;
        }
        same.add(values.getAtIndex(LONG, i));
      }
    }

    private Rows rows(BytesView path) {
      Rows same = current;
      if (same != null
          && path.length() == last.length
          && path.segment()
                  .asSlice(path.start(), path.length())
                  .mismatch(MemorySegment.ofArray(last))
              < 0) {
        return same;
      }
      last = path.segment().asSlice(path.start(), path.length()).toArray(ValueLayout.JAVA_BYTE);
      Rows found =
          byPath.computeIfAbsent(new String(last, StandardCharsets.UTF_8), _ -> new Rows());
      current = found;
      return found;
    }
  }

  /// Returns the position delete files of a list.
  static List<DeleteFile> among(List<DeleteFile> deletes) {
    return deletes.stream().filter(file -> file.content() == FileContent.POSITION_DELETES).toList();
  }
}
