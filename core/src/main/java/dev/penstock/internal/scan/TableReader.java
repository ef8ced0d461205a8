package dev.penstock.internal.scan;

import static dev.penstock.internal.memory.Raw.INT;
import static dev.penstock.internal.memory.Raw.LONG;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.LossyCastException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.cast.ConstantColumn;
import dev.penstock.internal.cast.Converter;
import dev.penstock.internal.cast.Converter.LostValueException;
import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.table.ColumnSource;
import dev.penstock.internal.table.SchemaRules;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.RowRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the columns of a table from one of its files.
///
/// A column whose type in the file is that of the table is passed through from the file's reader. A
/// file whose columns are all so is read by its own reader directly.
public final class TableReader implements SliceReader {
  private final TableFile file;
  private final SliceReader stored;
  private final List<Column> columns;
  private final @Nullable ColumnSlice[] slices;
  private final ReaderMemory memory; // of the columns
  private long row;

  /// A column of the table: one of the file, a constant, or the numbers of rows.
  ///
  /// @param path where the file has it; its own name if the file lacks it
  /// @param source the place of the file's column among those read from it; -1 if the file lacks it
  private record Column(
      Field field,
      String path,
      int source,
      @Nullable Converter converter,
      @Nullable ConstantColumn constant,
      @Nullable RowNumbers numbers) {
    static Column stored(Field field, String path, int source, @Nullable Converter converter) {
      return new Column(field, path, source, converter, null, null);
    }
  }

  private TableReader(
      TableFile file,
      SliceReader stored,
      List<Column> columns,
      long firstRow,
      ReaderMemory memory) {
    this.file = file;
    this.stored = stored;
    this.columns = columns;
    this.slices = new ColumnSlice[columns.size()];
    this.row = firstRow;
    this.memory = memory;
  }

  /// Opens rows of a file, counted from 0 in it. `opened` must stay open until the reader is
  /// closed, which does not close it.
  ///
  /// @param columns the columns of the table to read, or parts of structs, in the table's types
  /// @throws IOException if the file cannot be read or is malformed
  public static SliceReader open(
      TableFile file,
      StorageFile opened,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    ReaderMemory own = new ReaderMemory(memory);
    SchemaRules rules = file.columns().rules();
    Converter.Context context = new Converter.Context(rules.names(), rules::isLossy, own);
    Map<Field, Integer> wanted = new LinkedHashMap<>(); // by column, its place
    List<Column> made = new ArrayList<>();
    boolean asStored = true;
    for (Field field : columns.fields()) {
      switch (file.columns().source(field)) {
        case ColumnSource.Constant(Comparable<?> value) -> {
          ConstantColumn constant = ConstantColumn.of(field.type(), value, own);
          made.add(new Column(field, field.name(), -1, null, constant, null));
          asStored = false;
        }
        case ColumnSource.RowNumbers(long first) -> {
          DataType type = ColumnSource.RowNumbers.TYPE;
          Converter converter = Converter.of(field.name(), type, field.type(), context);
          RowNumbers numbers = new RowNumbers(first, file.live().orElse(null), own);
          made.add(new Column(field, field.name(), -1, converter, null, numbers));
          asStored = false;
        }
        case ColumnSource.Stored(String path, DataType type) -> {
          Field inFile = new Field(path, type, true);
          int source = wanted.computeIfAbsent(inFile, _ -> wanted.size());
          Converter converter = Converter.of(field.name(), type, field.type(), context);
          made.add(Column.stored(field, path, source, converter));
          asStored &= converter == null && source == made.size() - 1;
          asStored &= !NestedNulls.areRuledOut(type);
        }
        case ColumnSource.ListField(String path, DataType type, String part) -> {
          Field inFile = new Field(path, type, true);
          int source = wanted.computeIfAbsent(inFile, _ -> wanted.size());
          Converter converter =
              Converter.ofListField(field.name(), type, part, field.type(), context);
          made.add(Column.stored(field, path, source, converter));
          asStored = false;
        }
        case ColumnSource.VariantField(String path, String part) -> {
          Field inFile = new Field(path, new DataType.Variant(), true);
          int source = wanted.computeIfAbsent(inFile, _ -> wanted.size());
          Converter converter = Converter.ofField(field.name(), part, field.type(), context);
          made.add(Column.stored(field, path, source, converter));
          asStored = false;
        }
      }
    }
    Schema inFile = Schema.of(List.copyOf(wanted.keySet()));
    RowRange rows = new RowRange(firstRow, rowCount);
    SliceReader stored = LiveReader.open(file, opened, inFile, rows, memory);
    return asStored ? stored : new TableReader(file, stored, made, firstRow, own);
  }

  @Override
  public int next(int maxRows) throws IOException {
    int rows = stored.next(maxRows);
    for (int i = 0; i < slices.length; i++) {
      slices[i] = slice(columns.get(i), rows);
    }
    row += rows;
    return rows;
  }

  @Override
  public void skip(long rows) throws IOException {
    stored.skip(rows);
    row += rows;
    Arrays.fill(slices, null);
  }

  private ColumnSlice slice(Column column, int rows) throws IOException {
    if (column.constant != null) {
      return column.constant.slice(rows);
    }
    ColumnSlice slice =
        column.numbers == null ? stored.column(column.source) : column.numbers.slice(row, rows);
    Converter converter = column.converter;
    String name = column.field.name();
    String missing = NestedNulls.find(slice, column.path);
    if (missing != null) {
      // A slice that fails is read again row by row, so the first row is the one at fault.
      throw new MalformedFileException(
          file.location(),
          -1,
          "row " + row + ", column '" + name + "'",
          "Cannot read column '"
              + name
              + "': '"
              + missing
              + "' is null here but the schema says that it never is.",
          null);
    }
    if (converter == null || rows == 0) {
      return slice;
    }
    try {
      return converter.convert(slice, 0, rows);
    } catch (LostValueException e) {
      // In lists, the index is that of an element. A slice that fails is read again row by row, so
      // then the single row is the one at fault.
      boolean flat = !slice.type().isNested();
      throw new LossyCastException(
          file.location(),
          row + (flat ? e.index() : 0),
          Advice.of(
              "Cannot read column '%s' as %s: %s. Choose another type%s.",
              name,
              column.field.type(),
              e.getMessage(),
              Remedy.call("castLossy").within(", or take the nearest value with ", "")),
          e);
    }
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

  /// The numbers of rows, as a column.
  private static final class RowNumbers {
    private final long first;
    private final @Nullable RowSet live;
    private final Buffer values;
    private int[] offsets = {};

    /// `first` is the number of the file's first row; all rows are live if nothing says which.
    RowNumbers(long first, @Nullable RowSet live, ScratchMemory memory) {
      this.first = first;
      this.live = live;
      this.values = new Buffer(memory);
    }

    /// Returns the numbers of live rows, from `row` on, counted among these; they are there until
    /// the next call.
    ColumnSlice slice(long row, int count) {
      MemorySegment target = values.ensure(8L * count);
      if (live == null || count == 0) {
        for (int i = 0; i < count; i++) {
          target.set(LONG, 8L * i, first + row + i);
        }
      } else {
        long start = live.row(row);
        int stored = (int) (live.row(row + count - 1) + 1 - start);
        if (offsets.length < stored + RowSet.ROOM) {
          offsets = new int[stored + RowSet.ROOM];
        }
        live.between(start, start + stored, offsets);
        for (int i = 0; i < count; i++) {
          target.set(LONG, 8L * i, first + start + offsets[i]);
        }
      }
      return ColumnSlice.fixed(ColumnSource.RowNumbers.TYPE, count, 0, null, target);
    }
  }

  /// Finds nulls in lists, maps and structs whose types rule them out: the results made from such a
  /// value have no place for a null and would take it for a 0.
  private static final class NestedNulls {
    private NestedNulls() {}

    static boolean areRuledOut(DataType type) {
      return switch (type) {
        case DataType.List(DataType element, boolean nullable) -> !nullable || areRuledOut(element);
        case DataType.Map _ -> true; // keys are never null
        case DataType.Struct(List<Field> fields) ->
            fields.stream().anyMatch(field -> !field.nullable() || areRuledOut(field.type()));
        default -> false;
      };
    }

    /// Returns a part of a column that is null in some row although its type rules that out.
    static @Nullable String find(ColumnSlice slice, String name) {
      return find(slice, 0, slice.rowCount(), name);
    }

    private static @Nullable String find(ColumnSlice slice, int from, int to, String name) {
      if (from == to) {
        return null;
      }
      return switch (slice.type()) {
        case DataType.List(DataType _, boolean nullable) -> {
          ColumnSlice element = slice.children().getFirst();
          int first = offset(slice, from);
          int end = offset(slice, to);
          yield part(null, element, nullable, first, end, name + ".element");
        }
        case DataType.Map(DataType _, DataType _, boolean nullable) -> {
          List<ColumnSlice> entry = slice.children().getFirst().children();
          int first = offset(slice, from);
          int end = offset(slice, to);
          String found = part(null, entry.getFirst(), false, first, end, name + ".key");
          yield found != null
              ? found
              : part(null, entry.getLast(), nullable, first, end, name + ".value");
        }
        case DataType.Struct(List<Field> fields) -> {
          String found = null;
          for (int i = 0; i < fields.size() && found == null; i++) {
            Field field = fields.get(i);
            ColumnSlice child = slice.children().get(i);
            found = part(slice, child, field.nullable(), from, to, name + "." + field.name());
          }
          yield found;
        }
        default -> null;
      };
    }

    private static int offset(ColumnSlice slice, int row) {
      MemorySegment offsets = slice.offsets();
      return offsets == null ? 0 : offsets.get(INT, 4L * row);
    }

    /// @param whole the slice that the part belongs to, if its rows may be null
    private static @Nullable String part(
        @Nullable ColumnSlice whole,
        ColumnSlice part,
        boolean nullable,
        int from,
        int to,
        String name) {
      if (!nullable && part.nullCount() > 0) {
        for (int row = from; row < to; row++) {
          if (isNull(part, row) && (whole == null || !isNull(whole, row))) {
            return name;
          }
        }
      }
      return find(part, from, to, name);
    }

    private static boolean isNull(ColumnSlice slice, int row) {
      MemorySegment bits = slice.validity();
      return bits != null && (bits.get(ValueLayout.JAVA_BYTE, row >> 3) >> (row & 7) & 1) == 0;
    }
  }
}
