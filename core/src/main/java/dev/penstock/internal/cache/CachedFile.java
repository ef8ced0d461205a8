package dev.penstock.internal.cache;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A file of a table in the cache: which rows of its columns are there.
///
/// **Threads.** Any; a [Recorder] one at a time.
public final class CachedFile {
  private final CacheFolder folder;
  private final FileKey key;
  private final String name;

  CachedFile(CacheFolder folder, FileKey key, String name) {
    this.folder = folder;
    this.key = key;
    this.name = name;
  }

  /// Returns the folder.
  ///
  /// @return the folder that has the file's rows
  public CacheFolder folder() {
    return folder;
  }

  /// Returns the key of a column.
  ///
  /// @param column its name and the type in which it is decoded
  /// @return the key
  public static long key(Field column) {
    return FileKey.column(column.name(), exact(column.type()));
  }

  /// Returns a text that no other type has.
  private static String exact(DataType type) {
    return switch (type) {
      case DataType.Struct(List<Field> fields) -> exact("struct", fields);
      case DataType.Map map -> exact("map", map.entry().fields());
      case DataType.List(DataType element, boolean nullable) ->
          exact("list", List.of(new Field("", element, nullable)));
      default -> type.toString();
    };
  }

  private static String exact(String kind, List<Field> parts) {
    StringBuilder text = new StringBuilder(kind + parts.size());
    for (Field part : parts) {
      text.append(part.nullable() ? '?' : '!').append(part.name().length()).append(':');
      text.append(part.name()).append(' ').append(exact(part.type()));
    }
    return text.toString();
  }

  /// Returns what decides the values of a file, besides the file.
  ///
  /// @param format the name of its format
  /// @param options the options of the format
  /// @param choices what else was decided
  /// @return texts that no other format, options and choices have
  public static List<String> decoding(String format, Map<String, String> options, String choices) {
    List<String> parts = new ArrayList<>(List.of(format, choices));
    new TreeMap<>(options)
        .forEach((name, value) -> {
          parts.add(name);
          parts.add(value);
        });
    return parts;
  }

  /// Finds a row of a column.
  ///
  /// @param column the column, see [#key]
  /// @param row the row's number in the file
  /// @return rows that have this row among them; null if the cache does not have it
  public @Nullable Held find(long column, long row) {
    return folder.find(key, column, row);
  }

  /// Returns where the next rows of a column begin.
  ///
  /// @param column the column, see [#key]
  /// @param row a row's number in the file
  /// @param end what to return if there are none before
  /// @return the number of the first row behind `row` that is the first of some rows in the cache
  public long next(long column, long row, long end) {
    return folder.next(key, column, row, end);
  }

  /// Returns up to where the cache has each row of a column.
  ///
  /// @param column the column, see [#key]
  /// @param row the first row
  /// @param end where to stop
  /// @return the first row from `row` on that is not there, or `end`
  public long covered(long column, long row, long end) {
    long covered = row;
    while (covered < end) {
      Held held = find(column, covered);
      if (held == null) {
        return covered;
      }
      covered = Math.min(end, held.endRow());
    }
    return covered;
  }

  /// Returns the columns of which some row is not in the cache.
  ///
  /// @param columns some columns
  /// @param firstRow the first row
  /// @param rowCount how many rows
  /// @return some of the columns
  public Schema missing(Schema columns, long firstRow, long rowCount) {
    long end = firstRow + rowCount;
    return Schema.of(
        columns.fields().stream()
            .filter(column -> covered(key(column), firstRow, end) < end)
            .toList());
  }

  /// Returns how much the cache has of the file.
  ///
  /// @return bytes of decoded columns, also of some that are kept twice
  public long bytes() {
    return folder.bytes(key);
  }

  /// Returns what was kept about the file as a whole.
  ///
  /// @return the bytes; empty if the cache does not have them
  public Optional<byte[]> metadata() {
    return folder.metadata(key);
  }

  /// Keeps what is known about the file as a whole.
  ///
  /// @param bytes any bytes
  public void keep(byte[] bytes) {
    folder.keep(key, name, bytes);
  }

  /// Writes what a reader decodes. What cannot be written is left out.
  public final class Recorder implements AutoCloseable {
    private final long[] columns;
    private @Nullable SegmentWriter writer;
    private boolean isOver;

    /// Begins.
    ///
    /// @param columns the columns, see [#key]
    public Recorder(long[] columns) {
      this.columns = columns.clone();
    }

    /// Returns whether a column can be recorded as it is.
    ///
    /// @param column the column
    /// @return false if it has to be copied first, so that it has nothing else in its memory
    public static boolean isCompact(ColumnSlice column) {
      return SliceRecord.isCompact(column);
    }

    /// Returns how many rows may be written at once, so that the cache has several records.
    ///
    /// @param slices the compact columns of some rows
    /// @return at least 1; as many as there are, unless they are large
    public int rowsMax(List<ColumnSlice> slices) {
      int rows = slices.getFirst().rowCount();
      double part = (double) folder.recordBytesMax() / SegmentWriter.bytes(slices);
      return part >= 1 ? rows : Math.max(1, (int) (part * rows));
    }

    /// Writes rows.
    ///
    /// @param firstRow the first row, counted in the file
    /// @param slices the compact columns, with as many rows each
    public void add(long firstRow, List<ColumnSlice> slices) {
      if (isOver) {
        return;
      }
      try {
        SegmentWriter open = writer(slices);
        if (open != null) {
          open.add(key, name, columns, firstRow, slices);
        }
      } catch (IOException | RuntimeException e) {
        fail(e);
      }
    }

    /// Returns what has room for rows.
    ///
    /// @return null if nothing has
    private @Nullable SegmentWriter writer(List<ColumnSlice> slices) throws IOException {
      SegmentWriter open = writer;
      if (open != null && open.hasRoom(key, name, columns, slices)) {
        return open;
      }
      close();
      long bytes = SegmentWriter.bytes(name, columns, slices);
      if (!folder.takes(bytes)) {
        return null;
      }
      writer = folder.writer(bytes, begun -> begun.hasRoom(key, name, columns, slices));
      isOver = writer == null;
      return writer;
    }

    private void fail(Exception cause) {
      SegmentWriter open = writer;
      writer = null;
      isOver = true;
      folder.fail(open, cause);
    }

    @Override
    public void close() {
      SegmentWriter open = writer;
      if (open != null) {
        writer = null;
        folder.give(open);
      }
    }
  }
}
