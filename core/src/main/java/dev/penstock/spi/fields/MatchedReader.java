package dev.penstock.spi.fields;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.variant.VariantException;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads columns of a file under the table's names.
final class MatchedReader implements SliceReader {
  private final SliceReader stored;
  private final Location file;
  private final List<Source> sources;
  private final @Nullable ColumnSlice[] slices;
  private final ReaderMemory memory; // of what makes the table's columns
  private long row;

  /// The source of a column.
  ///
  /// @param column the table's name for it
  /// @param place the index of the file's column; -1 for none
  /// @param changed its conversion; null if it stays unchanged
  /// @param way the path of parts from there to the column
  /// @param counted computes the column, else null
  private record Source(
      String column,
      int place,
      @Nullable MatchedSlice changed,
      List<Integer> way,
      @Nullable CountedSlice counted) {}

  private MatchedReader(
      SliceReader stored, Location file, List<Source> sources, long firstRow, ReaderMemory memory) {
    this.file = file;
    this.stored = stored;
    this.sources = sources;
    this.slices = new ColumnSlice[sources.size()];
    this.row = firstRow;
    this.memory = memory;
  }

  /// Opens a run of rows, see [FileFormat#openReader].
  ///
  /// @param format the file's own format
  static SliceReader open(
      FileFormat format,
      StorageFile file,
      MatchedMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    ReaderMemory own = new ReaderMemory(memory);
    Map<String, Field> wanted = new LinkedHashMap<>();
    List<Source> sources = new ArrayList<>();
    boolean asStored = true;
    for (Field column : columns.fields()) {
      Source source = source(metadata, column, wanted, own);
      asStored &=
          source.changed == null && source.counted == null && source.place == sources.size();
      sources.add(source);
    }
    Schema read = Schema.of(List.copyOf(wanted.values()));
    SliceReader stored =
        format.openReader(file, metadata.stored(), read, firstRow, rowCount, memory);
    return asStored ? stored : new MatchedReader(stored, file.location(), sources, firstRow, own);
  }

  private static Source source(
      MatchedMetadata metadata, Field column, Map<String, Field> wanted, ScratchMemory memory) {
    Optional<CountedColumn> counted = metadata.counted(column.name());
    if (counted.isPresent()) {
      Optional<StoredField> kept = StoredField.find(metadata.storedFields(), counted.get().id());
      return new Source(
          column.name(),
          kept.map(field -> add(wanted, field)).orElse(-1),
          null,
          List.of(),
          new CountedSlice(counted.get(), memory));
    }
    List<Match> way =
        metadata
            .find(column.name())
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "Cannot read column '"
                        + column.name()
                        + "': the file has no such column. Columns are: "
                        + metadata.schema().names()
                        + "."));
    StoredField read = MatchedMetadata.readable(way);
    int depth = MatchedMetadata.depth(way);
    Match match = way.get(depth);
    List<Integer> rest = new ArrayList<>();
    for (int i = depth + 1; i < way.size(); i++) {
      rest.add(way.get(i - 1).parts().indexOf(way.get(i)));
    }
    boolean same = rest.isEmpty() && match.isSame();
    return new Source(
        column.name(),
        add(wanted, read),
        same ? null : new MatchedSlice(match, memory),
        rest,
        null);
  }

  /// Returns the index of a column among those read, adding it if missing.
  private static int add(Map<String, Field> wanted, StoredField field) {
    String path = String.valueOf(field.path());
    wanted.putIfAbsent(path, new Field(path, field.field().type(), true));
    return List.copyOf(wanted.keySet()).indexOf(path);
  }

  @Override
  public int next(int maxRows) throws IOException {
    int rows = stored.next(maxRows);
    for (int i = 0; i < slices.length; i++) {
      slices[i] = slice(sources.get(i), rows);
    }
    row += rows;
    return rows;
  }

  private ColumnSlice slice(Source source, int rows) throws IOException {
    ColumnSlice slice = source.place < 0 ? null : stored.column(source.place);
    if (source.counted != null) {
      return source.counted.of(slice, row, rows);
    }
    if (slice == null) {
      throw new IllegalStateException("A column without a source.");
    }
    if (source.changed != null && rows > 0) {
      slice = changed(source, source.changed, slice, rows);
      for (int part : source.way) {
        slice = slice.children().get(part);
      }
    }
    return slice;
  }

  private ColumnSlice changed(Source source, MatchedSlice change, ColumnSlice slice, int rows)
      throws MalformedFileException {
    try {
      return change.of(slice, 0, rows);
    } catch (VariantException e) {
      throw new FilePlace(file, "column '" + source.column + "'")
          .fail(-1, String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void skip(long rows) throws IOException {
    stored.skip(rows);
    row += rows;
  }

  @Override
  public ColumnSlice column(int index) {
    return ReadRequest.given(slices[index]);
  }

  @Override
  public void close() {
    try {
      stored.close();
    } finally {
      memory.close();
    }
  }
}
