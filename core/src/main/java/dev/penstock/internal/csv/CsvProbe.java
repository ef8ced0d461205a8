package dev.penstock.internal.csv;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.csv.FieldSplitter.MalformedRecordException;
import dev.penstock.internal.memory.ArenaScratch;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.text.FieldPlaces;
import dev.penstock.internal.text.TextBuffer;
import dev.penstock.internal.text.TextForm;
import dev.penstock.internal.text.TextGroups;
import dev.penstock.internal.text.TextPlace;
import dev.penstock.internal.text.TextTypes;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Detects what is in a CSV file: the names of its columns from the first record, their types from
/// the next ones, then where all records are.
final class CsvProbe {
  private static final long BYTES_MAX = 16 << 20; // the most text that types are detected from
  private static final int ROWS_AT_ONCE = 1024;
  private static final int FIELDS_AT_ONCE = 1 << 18;

  private final CsvOptions options;
  private final StorageFile file;
  private final Dialect dialect;
  private final TextBuffer window;
  private final CopiedText copy;
  private long at;
  private long start; // of the last record

  private CsvProbe(
      CsvOptions options,
      StorageFile file,
      Dialect dialect,
      TextBuffer window,
      ScratchMemory memory) {
    this.options = options;
    this.file = file;
    this.dialect = dialect;
    this.window = window;
    this.copy = new CopiedText(memory);
  }

  static CsvMetadata read(StorageFile file, CsvOptions options, Concurrency parts)
      throws IOException {
    TextBuffer.expectSample(file);
    TextForm form = TextForm.of(file, options.form());
    Dialect dialect = options.dialect().withUsual(delimiter(file));
    Schema schema;
    Optional<Advice> otherDelimiter;
    long first;
    try (ArenaScratch memory = new ArenaScratch();
        TextBuffer window = new TextBuffer(file, form, form.start(), Long.MAX_VALUE >> 1, memory)) {
      CsvProbe sample = new CsvProbe(options, file, dialect, window, memory);
      window.move(window.from());
      sample.at = window.from();
      sample.skipLines(options.heading().skipRows());
      List<String> names = sample.names();
      otherDelimiter = names.size() == 1 ? sample.otherDelimiter() : Optional.empty();
      first = window.position(sample.at);
      schema = sample.schema(names);
      window.expectSampleAgain();
    }
    TextPlace start =
        form.isPlain() ? new TextPlace(first, first, first) : new TextPlace(first, 0, 0);
    TextGroups groups =
        TextGroups.count(file, form, start, dialect.records(), options.cuts(), parts);
    return new CsvMetadata(schema, otherDelimiter, form, dialect, groups);
  }

  private static byte delimiter(StorageFile file) {
    String name = file.location().name().toLowerCase(Locale.ROOT);
    return (byte) (name.contains(".tsv") ? '\t' : ',');
  }

  /// Skips lines, whatever is in them: a quote has no meaning there.
  private void skipLines(long count) throws IOException {
    boolean returned = false; // whether a line feed still belongs to the last line end
    for (long left = count; left > 0 || returned; ) {
      if (at == window.to()) {
        if (window.isLast()) {
          return;
        }
        more();
        continue;
      }
      byte b = Raw.ALL.get(Raw.BYTE, at);
      if (returned && b != '\n' && left == 0) {
        break;
      }
      boolean ends = b == '\r' || (b == '\n' && !returned);
      left -= ends && left > 0 ? 1 : 0;
      returned = b == '\r';
      at++;
    }
    if (count > 0 && !window.isLast()) {
      more(); // the header is at the front, where it stays
    }
  }

  private void more() throws IOException {
    window.move(at);
    at = window.from();
  }

  private List<String> names() throws IOException {
    CsvOptions.Heading heading = options.heading();
    boolean isNeeded = heading.isThere() || heading.names().isEmpty();
    start = at;
    List<String> record = isNeeded ? record() : List.of();
    if (record.isEmpty() && isNeeded) {
      throw new MalformedFileException(
          file.location(),
          -1,
          "",
          Advice.of(
              "Truncated CSV file: it has no %s. Leave the file out, or name the columns by %s.",
              heading.isThere() ? "header" : "record", Remedy.formatOption("names")),
          null);
    }
    if (!heading.isThere()) {
      at = start;
    }
    List<String> names =
        !heading.names().isEmpty()
            ? heading.names()
            : heading.isThere()
                ? record
                : IntStream.range(0, record.size()).mapToObj(i -> "f" + i).toList();
    Set<String> distinct = new HashSet<>();
    for (String name : names) {
      Advice problem =
          !distinct.add(name)
              ? Advice.of(
                  "the header has column '%s' twice. Name the columns by %s, and set 'header' to"
                      + " 'true' to leave the header out",
                  name, Remedy.formatOption("names"))
              : name.indexOf('\0') >= 0
                  ? Advice.of(
                      "the header has a byte 0. State the encoding, for example %s",
                      Remedy.formatOption("encoding", "utf-16"))
                  : name.indexOf('\ufffd') >= 0
                      ? Advice.of(
                          "the header is not UTF-8. State the encoding, for example %s",
                          Remedy.formatOption("encoding", "latin-1"))
                      : null;
      if (problem != null) {
        throw window.fail(start, "", Advice.of("Corrupt CSV file: %s.", problem));
      }
    }
    return names;
  }

  /// Reads the next record; returns an empty list at the end of the text.
  private List<String> record() throws IOException {
    FieldSplitter splitter = new FieldSplitter(dialect, new int[0], true);
    while (split(splitter, 1) == 0) {
      if (window.isLast()) {
        return List.of();
      }
      at = splitter.next;
      more();
    }
    start = at;
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < splitter.fields; i++) {
      FieldPlaces places = splitter.places;
      long from = places.from(0, i);
      byte[] bytes = Raw.ALL.asSlice(from, places.to(0, i) - from).toArray(Raw.BYTE);
      int marks = places.marks(0, i);
      if ((marks & FieldPlaces.ESCAPED) != 0) {
        bytes = splitter.unescaped(bytes, (marks & FieldPlaces.QUOTED) != 0);
      }
      fields.add(new String(bytes, StandardCharsets.UTF_8));
    }
    at = splitter.next;
    return fields;
  }

  /// Returns that another delimiter is likely meant, where the user has stated neither the
  /// delimiter nor the columns.
  private Optional<Advice> otherDelimiter() {
    boolean isStated =
        options.dialect().delimiter().isPresent() || !options.heading().names().isEmpty();
    return isStated
        ? Optional.empty()
        : LikelyDelimiter.of(dialect, start, window.to(), window.isLast());
  }

  private int split(FieldSplitter splitter, int most) throws IOException {
    try {
      return splitter.split(at, window.to(), window.isLast(), most);
    } catch (MalformedRecordException e) {
      throw window.fail(e.address, "", e.advice());
    }
  }

  private Schema schema(List<String> names) throws IOException {
    DataType[] types = new DataType[names.size()];
    Arrays.fill(types, TextTypes.UNKNOWN);
    int[] slots = IntStream.range(0, names.size()).toArray();
    FieldSplitter splitter = new FieldSplitter(dialect, slots, options.dialect().fill());
    int most = Math.clamp(FIELDS_AT_ONCE / Math.max(1, types.length), 1, ROWS_AT_ONCE);
    int left = options.sampleRows();
    long start = window.position(at);
    while (left > 0 && window.position(at) - start < BYTES_MAX) {
      int rows = split(splitter, Math.min(left, most));
      for (int column = 0; column < types.length; column++) {
        for (int row = 0; row < rows; row++) {
          types[column] = joined(types[column], splitter.places, column, row);
        }
      }
      left -= rows;
      at = splitter.next;
      if (rows == 0) {
        if (window.isLast()) {
          break;
        }
        more();
      }
    }
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      fields.add(new Field(names.get(i), types[i], true));
    }
    return Schema.of(fields);
  }

  private DataType joined(DataType type, FieldPlaces places, int column, int row) {
    if (type.equals(DataType.string())) {
      return type;
    }
    long from = places.from(column, row);
    long to = places.to(column, row);
    boolean quoted = (places.marks(column, row) & FieldPlaces.QUOTED) != 0;
    boolean isNull = quoted ? from == to : options.nulls().has(from, to);
    DataType found = isNull ? TextTypes.UNKNOWN : options.spellings().typeOf(from, to, copy);
    return TextTypes.joined(type, found);
  }
}
