package dev.penstock.internal.csv;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.csv.FieldSplitter.MalformedRecordException;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.text.FieldPlaces;
import dev.penstock.internal.text.LineRecords;
import dev.penstock.internal.text.TextColumn;
import dev.penstock.internal.text.TextReader;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ReadRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decodes a run of records: cut into fields first, then column by column, each value from its
/// bytes straight into the column.
final class CsvReader extends TextReader {
  /// A slice has about this many fields, so that its text, the places of its fields and their
  /// values stay in the second-level cache, but enough rows to make a call for each column cheap.
  private static final int FIELDS = 16 << 10;

  private static final int ROWS_MIN = 64;
  private static final int FIELDS_MAX = 1 << 20;
  private static final int ROWS_MAX = 8192;
  private static final int SHOWN_MAX = 60;

  private final CsvMetadata metadata;
  private final NullSpellings nulls;
  private final CopiedText unescaped;
  private final FieldSplitter splitter;
  private final List<Column> columns;
  private long at;
  private boolean opened;

  /// A column that is read.
  ///
  /// @param slot its place among the kept fields
  /// @param values parses texts in the usual spelling
  /// @param spelling the spelling in the file, or null if usual
  private record Column(
      Field field, int slot, TextColumn values, @Nullable Spelling spelling, CopiedText copy) {
    boolean set(int row, long from, long to) {
      return spelling == null
          ? values.set(row, from, to)
          : Spellings.copyUsual(spelling, from, to, copy) && values.set(row, copy.from, copy.to);
    }
  }

  CsvReader(Run run, CsvMetadata metadata, CsvOptions options) throws IOException {
    CopiedText copy = new CopiedText(run.memory());
    List<Column> read = new ArrayList<>();
    int[] slots = new int[metadata.schema().size()];
    Arrays.fill(slots, -1);
    int kept = 0;
    for (Field field : run.columns().fields()) {
      FilePlace named = new FilePlace(run.file().location(), "column '" + field.name() + "'");
      ReadRequest.requireReadable(named, "CSV", metadata.schema(), field);
      int place = metadata.schema().indexOf(field.name());
      if (slots[place] < 0) {
        slots[place] = kept++;
      }
      Field stored = metadata.schema().fields().get(place);
      read.add(
          new Column(
              stored,
              slots[place],
              TextColumn.of(stored.type(), run.memory()),
              options.spellings().of(stored.type()),
              copy));
    }
    int rowsMin = Math.clamp(FIELDS_MAX / Math.max(1, kept), 1, ROWS_MIN);
    int rowsMax = Math.clamp(FIELDS / Math.max(1, kept), rowsMin, ROWS_MAX);
    super(run, metadata.form(), metadata.groups(), rowsMax);
    this.metadata = metadata;
    this.nulls = options.nulls();
    this.unescaped = new CopiedText(run.memory());
    this.columns = read;
    this.splitter = new FieldSplitter(metadata.dialect(), slots, options.dialect().fill());
  }

  @Override
  protected int decode(int most) throws IOException {
    int rows = split(most);
    while (rows == 0) {
      if (window.isLast()) {
        throw window.fail(
            at,
            "",
            "Corrupt CSV file: " + rowsLeft() + " more rows were there when it was planned.");
      }
      move();
      rows = split(most);
    }
    for (Column column : columns) {
      decode(column, rows);
    }
    return rows;
  }

  private void move() throws IOException {
    window.move(opened ? at : window.from());
    opened = true;
    at = window.from();
  }

  private int split(int most) throws IOException {
    if (!opened) {
      return 0;
    }
    try {
      int rows = splitter.split(at, window.to(), window.isLast(), most);
      at = splitter.next;
      return rows;
    } catch (MalformedRecordException e) {
      throw window.fail(e.address, "", e.advice());
    }
  }

  @Override
  protected void skipRecords(long count) throws IOException {
    LineRecords records = metadata.dialect().records();
    for (long left = count; left > 0; left -= records.records()) {
      if (!opened || at == window.to()) {
        if (opened && window.isLast()) {
          throw window.fail(at, "", "Corrupt CSV file: rows that were planned are not there.");
        }
        at = window.to();
        move();
      }
      at = records.scan(at, window.to(), left);
    }
  }

  private void decode(Column column, int rows) throws IOException {
    TextColumn values = column.values();
    FieldPlaces places = splitter.places;
    int slot = column.slot();
    boolean text = values.type() instanceof DataType.Utf8;
    values.begin(rows);
    for (int row = 0; row < rows; row++) {
      if (!nulls.stated() && column.spelling() == null) {
        row = values.setPlain(places, slot, row, rows);
        if (row == rows) {
          break;
        }
      }
      long from = places.from(slot, row);
      long to = places.to(slot, row);
      int marks = places.marks(slot, row);
      if (marks != 0) {
        quoted(column, row, from, to, marks);
      } else if (isNull(from, to, text) || !column.set(row, from, to)) {
        absent(column, row, from, to);
      }
    }
    if (values.nulls() > 0 && !column.field().nullable()) {
      throw refuseNull(column, rows);
    }
  }

  /// Returns whether a text is null before it is tried as a value.
  private boolean isNull(long from, long to, boolean text) {
    return nulls.stated() ? nulls.has(from, to) : text && from == to;
  }

  private void absent(Column column, int row, long from, long to) throws IOException {
    boolean text = column.values().type() instanceof DataType.Utf8;
    if (isNull(from, to, text) || (!text && !nulls.stated() && nulls.has(from, to))) {
      column.values().setNull(row);
    } else {
      throw refuse(column, from, to);
    }
  }

  private void quoted(Column column, int row, long from, long to, int marks) throws IOException {
    boolean isQuoted = (marks & FieldPlaces.QUOTED) != 0;
    if ((marks & FieldPlaces.ESCAPED) != 0) {
      byte[] written = Raw.ALL.asSlice(from, to - from).toArray(Raw.BYTE);
      byte[] meant = splitter.unescaped(written, isQuoted);
      unescaped.set(meant);
      if (!column.set(row, unescaped.from, unescaped.to)) {
        throw refuse(column, from, to);
      }
    } else if (!column.set(row, from, to)) {
      // Some writers quote everything: an empty number is null then.
      if (from == to) {
        column.values().setNull(row);
      } else {
        throw refuse(column, from, to);
      }
    }
  }

  private MalformedFileException refuse(Column column, long from, long to) throws IOException {
    String text = TextColumn.text(from, Math.min(to, from + SHOWN_MAX));
    Field field = column.field();
    return window.fail(
        from,
        "column '" + field.name() + "'",
        Advice.of(
            "Cannot read column '%s' as %s: '%s%s' is %s%s",
            field.name(),
            field.type(),
            text,
            to - from > SHOWN_MAX ? "..." : "",
            column.values().refusal(from, to),
            field.type() instanceof DataType.Utf8
                ? Advice.of(
                    ". State the encoding if it is another, for example %s; else mend the text.",
                    Remedy.formatOption("encoding", "latin-1"))
                : Advice.of(
                    ". Cast the column to another type with %s, take a larger sample with %s, or"
                        + " state the text as null with 'null'.",
                    Remedy.CAST, Remedy.formatOption("sample-rows"))));
  }

  private MalformedFileException refuseNull(Column column, int rows) throws IOException {
    int row = 0;
    ColumnSlice slice = column.values().slice(rows);
    MemorySegment validity = slice.validity();
    while (validity != null
        && row < rows - 1
        && (validity.get(Raw.BYTE, row >> 3) >> (row & 7) & 1) != 0) {
      row++;
    }
    String name = column.field().name();
    return window.fail(
        splitter.places.from(column.slot(), row),
        "column '" + name + "'",
        "Cannot read column '" + name + "': it is null here but was stated not to be.");
  }

  @Override
  public ColumnSlice column(int index) {
    return columns.get(index).values().slice(sliceRows());
  }
}
