package dev.penstock.blackbox.cases;

import dev.penstock.StructuredDataset;
import dev.penstock.blackbox.files.CsvFiles;
import dev.penstock.blackbox.files.JsonRows;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.TableWriter;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.tck.Values;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The tables of the recorded cases. Their files are test resources, written once: a later version
/// of a writer would write other bytes, and a state says how many there are.
enum RecordedTable {
  /// Row groups of all sizes, one without rows.
  PLAIN(new ParquetFiles(), "part-0 120 80", "part-1 0 40 60", "part-2 200"),
  SMALL(new ParquetFiles(), "part-0 9 41"),
  /// Many small row groups, all with statistics.
  WIDE(
      ParquetFiles.prunable(),
      "a/part-0 25 60 33",
      "a/part-1 70 12 90",
      "b/part-2 100",
      "b/part-3 48 48 48 48",
      "c/part-4 1 2 3 160",
      "part-5 75 150"),
  LINES(new CsvFiles(), "part-0 50 50 30", "part-1 50 50 50 11"),
  RECORDS(new JsonRows(true), "part-0 40 40 25", "part-1 40 15"),
  /// In folders that are columns.
  PARTS(
      ParquetFiles.prunable(),
      "region=a/part-0 30 30",
      "region=b/part-1 45",
      "region=b/part-2 10",
      "region=c/part-3 20 20"),
  /// Files without rows.
  NONE(new ParquetFiles(), "part-0 0", "part-1");

  private static final FileTime WRITTEN = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
  private static final DataType INT = new DataType.Int(32, true);

  /// The columns that all tables have.
  static final List<String> COMMON = List.of("id", "pick", "key", "text", "score", "weight");

  /// The columns that only files with lists have.
  static final List<String> FURTHER = List.of("tokens", "marks", "price", "at", "flag");

  @SuppressWarnings("ImmutableEnumChecker") // writers have no state
  private final TableWriter writer;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> files;

  RecordedTable(TableWriter writer, String... files) {
    this.writer = writer;
    this.files = List.of(files);
  }

  static RecordedTable named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  String folder() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean hasLists() {
    return writer.nesting() > 0;
  }

  int rows() {
    return files.stream().flatMapToInt(RecordedTable::groups).sum();
  }

  private static IntStream groups(String file) {
    return Arrays.stream(file.split(" ", -1)).skip(1).mapToInt(Integer::parseInt);
  }

  private Schema schema() {
    List<Field> fields =
        new ArrayList<>(
            List.of(
                new Field("id", new DataType.Int(64, true), false),
                new Field("pick", INT, false),
                new Field("key", new DataType.Utf8(), false),
                new Field("text", new DataType.Utf8(), true),
                new Field("score", new DataType.Floating(64), true),
                new Field("weight", new DataType.Floating(64), false)));
    if (hasLists()) {
      fields.addAll(
          List.of(
              new Field("tokens", new DataType.List(INT, false), false),
              new Field("marks", new DataType.List(new DataType.Floating(64), true), true),
              new Field("price", new DataType.Decimal(9, 2), true),
              new Field("at", new DataType.Timestamp(TimeUnit.MICROS, true), true),
              new Field("flag", new DataType.Bool(), true)));
    }
    return Schema.of(fields);
  }

  /// Returns the files below a folder as a dataset, with what has to be stated of text.
  StructuredDataset open(Path root) {
    String location = root.resolve(folder()).toString();
    if (writer.saysTypes()) {
      return new StructuredDataset(location);
    }
    List<List<Object>> rows = // as many as a row group has
        IntStream.range(0, groups(files.getFirst()).findFirst().orElse(1))
            .mapToObj(_ -> List.<Object>of())
            .toList();
    return writer.open(
        location, new Table(schema(), List.of(new Table.DataFile("", List.of(rows)))));
  }

  // --- Files

  /// Copies the files of all tables, each with the same time: a state says when they were written.
  static void copyAll(Path resources, Path root) throws IOException {
    try (Stream<Path> all = Files.walk(resources)) {
      for (Path each : all.toList()) {
        Path copy = root.resolve(resources.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(each, copy);
          Files.setLastModifiedTime(copy, WRITTEN);
        }
      }
    }
  }

  /// Writes the files of all tables anew.
  @SuppressWarnings("EnumOrdinal") // the tables were made with it
  static void writeAll(Path resources) throws IOException {
    for (RecordedTable each : values()) {
      each.writer.write(resources.resolve(each.folder()), each.made(), new Random(each.ordinal()));
    }
  }

  @SuppressWarnings("EnumOrdinal") // as above
  private Table made() {
    Draws draws = new Draws(ordinal());
    List<Table.DataFile> made = new ArrayList<>();
    Group group = new Group();
    for (String file : files) {
      List<List<List<Object>>> groups =
          groups(file)
              .mapToObj(rows ->
                  IntStream.range(0, rows).mapToObj(_ -> row(group.next(draws), draws)).toList())
              .toList();
      made.add(new Table.DataFile(file.split(" ", -1)[0], groups));
    }
    return new Table(schema(), made);
  }

  /// Counts rows, and the groups of 1 to 9 rows that have one key.
  private static final class Group {
    private long id = -1;
    private int key;
    private int left;

    Group next(Draws draws) {
      if (left == 0) {
        key++;
        left = draws.from(1, 9);
      }
      left--;
      id++;
      return this;
    }
  }

  /// Makes a row. Of `pick`, small values come alone, in clumps, and not at all for long.
  private List<Object> row(Group of, Draws draws) {
    List<Object> row = new ArrayList<>();
    row.add(of.id);
    row.add((int) (of.id / 40 % 3 == 0 ? 9 : of.id * of.id % 7));
    row.add(String.format(Locale.ROOT, "k%04d", of.key));
    row.add(draws.once(7) ? null : draws.of("ant", "bee", "cat", "dog", "äöü", "") + of.id % 5);
    row.add(draws.once(6) ? null : (Object) (draws.from(-1000, 1000) / 256.0));
    row.add(draws.once(5) ? 0.0 : draws.from(1, 16) / 4.0);
    if (hasLists()) {
      int length = draws.once(8) ? 0 : draws.from(1, 24);
      row.add(IntStream.range(0, length).mapToObj(i -> (Object) (int) (of.id * 100 + i)).toList());
      row.add(
          draws.once(6)
              ? null
              : Values.list(
                  draws.below(4), () -> draws.once(5) ? null : (Object) (draws.below(99) / 4.0)));
      row.add(draws.once(9) ? null : BigDecimal.valueOf(draws.from(-9999, 9999), 2));
      row.add(draws.once(9) ? null : Instant.ofEpochSecond(draws.from(0, 1 << 30), 1000));
      row.add(draws.once(9) ? null : (Object) draws.once(2));
    }
    return row;
  }
}
