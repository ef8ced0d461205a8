package dev.penstock.blackbox.files;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;

/// A format whose files are rows that the test has in memory: what is delivered can be checked
/// without any decoder, and slices can be as odd as the contract of [SliceReader] allows.
///
/// A file has four magic bytes, the number of its rows' place in memory, and the number's hash
/// code.
public final class RowsFormat implements FileFormat, TableWriter {
  private static final List<Contents> FILES = Collections.synchronizedList(new ArrayList<>());
  private static final String MAGIC = "ROWS";

  /// What a file holds.
  private record Contents(Schema schema, List<List<List<Object>>> groups, long seed)
      implements FileMetadata {
    @Override
    public List<RowGroup> rowGroups() {
      return groups.stream().map(rows -> new RowGroup(rows.size(), 100L * rows.size())).toList();
    }

    @Override
    public OptionalLong valueCount(int rowGroup, String column) {
      DataType type = schema.find(column).orElseThrow().type();
      return OptionalLong.of(
          groups.get(rowGroup).stream().mapToLong(row -> count(type, value(row, column))).sum());
    }

    /// Counts as Parquet does: a null and an empty list are one value.
    private static long count(DataType type, Object value) {
      return switch (type) {
        case DataType.List(DataType element, boolean _) when value != null ->
            Math.max(1, ((List<?>) value).stream().mapToLong(each -> count(element, each)).sum());
        case DataType.Map(DataType key, DataType item, boolean _) when value != null ->
            Math.max(
                2,
                ((List<?>) value)
                    .stream()
                        .map(each -> (Map.Entry<?, ?>) each)
                        .mapToLong(each -> count(key, each.getKey()) + count(item, each.getValue()))
                        .sum());
        case DataType.Struct(List<Field> fields) ->
            fields.stream()
                .mapToLong(field ->
                    count(
                        field.type(), value == null ? null : ((Map<?, ?>) value).get(field.name())))
                .sum();
        default -> 1;
      };
    }

    List<List<Object>> rows() {
      return groups.stream().flatMap(List::stream).toList();
    }

    /// Returns the value of a column or of a part of it.
    Object value(List<Object> row, String column) {
      int index = schema.indexOf(column);
      if (index >= 0) {
        return row.get(index);
      }
      for (int i = 0; i < schema.size(); i++) {
        String start = schema.fields().get(i).name() + ".";
        if (column.startsWith(start)) {
          return part(schema.fields().get(i), row.get(i), column.substring(start.length()));
        }
      }
      throw new AssertionError(column);
    }

    private static Object part(Field field, Object value, String path) {
      if (value == null || !(field.type() instanceof DataType.Struct(List<Field> parts))) {
        return null;
      }
      List<Object> values = new ArrayList<>(((Map<?, ?>) value).values());
      return new Contents(Schema.of(parts), List.of(), 0).value(values, path);
    }
  }

  @Override
  public String name() {
    return "rows";
  }

  @Override
  public List<String> extensions() {
    return List.of("rows");
  }

  @Override
  public byte[] magic() {
    return MAGIC.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public FileFormat format() {
    return this;
  }

  @Override
  public String extension() {
    return ".rows";
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    synchronized (FILES) {
      String number = Integer.toString(FILES.size());
      Files.writeString(path, MAGIC + number + " " + number.hashCode());
      FILES.add(new Contents(schema, groups, layout.nextLong()));
    }
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    String[] words = new String(read(file), StandardCharsets.ISO_8859_1).split(" ", -1);
    String number = words[0].substring(Math.min(4, words[0].length()));
    if (words.length != 2 || !words[1].equals(Integer.toString(number.hashCode()))) {
      throw new FilePlace(file.location(), "").fail("Corrupt file: its number is '" + number + "'");
    }
    return FILES.get(Integer.parseInt(number));
  }

  private static byte[] read(StorageFile file) throws IOException {
    MemorySegment bytes = Arena.ofAuto().allocate(file.size());
    file.read(0, bytes);
    return bytes.toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory) {
    Contents contents = (Contents) metadata;
    List<List<Object>> values = new ArrayList<>();
    for (String column : columns.names()) {
      values.add(
          contents.rows().stream()
              .skip(firstRow)
              .limit(rowCount)
              .map(row -> contents.value(row, column))
              .toList());
    }
    return new Reader(file, columns, values, (int) rowCount, new Random(contents.seed + firstRow));
  }

  /// Gives slices of any size, each in memory that is gone when the next is asked for.
  private static final class Reader implements SliceReader {
    private final StorageFile file;
    private final Schema columns;
    private final List<List<Object>> values;
    private final int rowCount;
    private final Random random;
    private int done;
    private int rows;
    private Arena arena = Arena.ofShared();

    Reader(
        StorageFile file, Schema columns, List<List<Object>> values, int rowCount, Random random) {
      this.file = file;
      this.columns = columns;
      this.values = values;
      this.rowCount = rowCount;
      this.random = random;
    }

    @Override
    public int next(int maxRows) throws IOException {
      read(file);
      FaultStorage.decoding(file.location());
      close();
      arena = Arena.ofShared();
      done += rows;
      int most = Math.min(maxRows, rowCount - done);
      rows = most > 1 && random.nextBoolean() ? 1 + random.nextInt(most) : most;
      return rows;
    }

    @Override
    public dev.penstock.spi.format.ColumnSlice column(int index) {
      return new Slices(random, arena)
          .of(columns.fields().get(index).type(), values.get(index).subList(done, done + rows));
    }

    @Override
    public void close() {
      if (arena.scope().isAlive()) {
        arena.close();
      }
    }
  }
}
