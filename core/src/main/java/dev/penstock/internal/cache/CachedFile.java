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

/// A file of a table in the cache: which rows of its columns are there. Any thread may use it; a
/// [Recorder] one at a time.
public record CachedFile(CacheFolder folder, FileKey key, String name) {
  /// Returns the key of a column of a name and the type in which it is decoded.
  public static long key(Field column) {
    return FileKey.column(column.name(), exact(column.type()));
  }

  /// Returns a text that no other type has.
  static String exact(DataType type) {
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

  /// Returns what decides the values of a file, besides the file: texts that no other format,
  /// options and choices have.
  public static List<String> decoding(String format, Map<String, String> options, String choices) {
    List<String> parts = new ArrayList<>(List.of(format, choices));
    new TreeMap<>(options)
        .forEach((name, value) -> {
          parts.add(name);
          parts.add(value);
        });
    return parts;
  }

  /// Returns the place of what a transform makes of some rows. It is numbered like a file of these
  /// rows only, and listed as part of this file.
  ///
  /// @param version says what the transform does
  /// @param made the columns that it makes
  /// @param slices the rows: compact columns
  public CachedFile block(String version, Schema made, Schema given, List<ColumnSlice> slices) {
    return new CachedFile(folder, BlockDigest.of(version, made, given, slices), name);
  }

  /// Returns the rows of a column, given by its [#key], that are kept together with a row of the
  /// file; null if the cache does not have that row.
  public @Nullable CachedChunk find(long column, long row) {
    return folder.catalog().find(folder.keeper(), key, column, row);
  }

  /// Returns the first row in `(row, end)` from which on the cache has some rows of a column, or
  /// `end`.
  public long next(long column, long row, long end) {
    return folder.catalog().next(key, column, row, end);
  }

  /// Returns the first row of a column in `[row, end)` that the cache does not have, or `end`.
  public long covered(long column, long row, long end) {
    long covered = row;
    while (covered < end) {
      CachedChunk held = find(column, covered);
      if (held == null) {
        return covered;
      }
      covered = Math.min(end, held.endRow());
    }
    return covered;
  }

  /// Returns the columns of which some row is not in the cache.
  public Schema missing(Schema columns, long firstRow, long rowCount) {
    long end = firstRow + rowCount;
    return Schema.of(
        columns.fields().stream()
            .filter(column -> covered(key(column), firstRow, end) < end)
            .toList());
  }

  /// Returns how many bytes of decoded columns the cache has, also of some that are kept twice.
  public long bytes() {
    return folder.catalog().bytes(key);
  }

  /// Returns what was kept about the file as a whole; empty if the cache does not have it.
  public Optional<byte[]> metadata() {
    FileRecords.Metadata kept = folder.catalog().metadata(key);
    if (kept == null) {
      return Optional.empty();
    }
    try {
      folder.keeper().use(kept.segment());
      return Optional.of(kept.segment().metadata(kept.record()));
    } catch (IOException e) {
      folder.keeper().lose(kept.segment(), e);
      return Optional.empty();
    }
  }

  /// Keeps what is known about the file as a whole, if there is room.
  public void keep(byte[] bytes) {
    folder.writers().keep(key, name, bytes);
  }

  /// Writes what a reader decodes. What cannot be written is left out.
  public final class Recorder implements AutoCloseable {
    private final long[] columns;
    private @Nullable SegmentWriter writer;
    private boolean isOver;

    public Recorder(long[] columns) {
      this.columns = columns.clone();
    }

    /// Returns whether a column can be recorded as it is. If not, it has to be copied first, so
    /// that its memory has nothing else.
    public static boolean isCompact(ColumnSlice column) {
      return SliceRecord.isCompact(column);
    }

    /// Returns how many of some compact rows may be written at once, so that the cache has several
    /// records: at least 1, and all unless they are large.
    public int rowsMax(List<ColumnSlice> slices) {
      int rows = slices.getFirst().rowCount();
      double part = (double) folder.writers().recordBytesMax() / SegmentWriter.bytes(slices);
      return part >= 1 ? rows : Math.max(1, (int) (part * rows));
    }

    /// Writes rows, from the row `firstRow` of the file on: compact columns of the same length, in
    /// the order of the keys.
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

    private @Nullable SegmentWriter writer(List<ColumnSlice> slices) throws IOException {
      SegmentWriter open = writer;
      if (open != null && open.hasRoom(key, name, columns, slices)) {
        return open;
      }
      close();
      long bytes = SegmentWriter.bytes(name, columns, slices);
      if (!folder.writers().takes(bytes)) {
        return null;
      }
      writer = folder.writers().take(bytes, begun -> begun.hasRoom(key, name, columns, slices));
      isOver = writer == null;
      return writer;
    }

    private void fail(Exception cause) {
      SegmentWriter open = writer;
      writer = null;
      isOver = true;
      folder.writers().fail(open, cause);
    }

    @Override
    public void close() {
      SegmentWriter open = writer;
      if (open != null) {
        writer = null;
        folder.writers().give(open);
      }
    }
  }
}
