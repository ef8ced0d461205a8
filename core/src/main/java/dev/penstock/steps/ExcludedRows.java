package dev.penstock.steps;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Rows that are never delivered: by the values of their keys, or by file and row number. At most
/// 10,000 keys and rows, as every state has them; of more, write a table without them.
///
/// Immutable.
public final class ExcludedRows {
  private static final int ENTRIES_MAX = 10_000;
  private static final int COLUMNS_MAX = 16;
  private static final int TEXT_MAX = 4_096;

  private static final String EXPECTED =
      " Expected the values of a key, as {\"id\": 17}, or a row as it is stored, as"
          + " {\"file\": \"part-1.parquet\", \"row\": 5}.";

  /// What each line has that `penstock rows --json` prints.
  private static final Set<String> OF_STEPS =
      Set.of("epoch", "step", "rank", "place", "file", "row");

  /// Some of them.
  public sealed interface Entry {}

  /// All rows whose columns have these values.
  ///
  /// @param values by column, 1 to 16: a `String` of at most 4,096 characters, `Long`, `Double` or
  ///   `Boolean`, compared as a [dev.penstock.filter.Filter] compares them; so text is compared
  ///   with a date, a time, a timestamp or a UUID in ISO form
  public record Key(SortedMap<String, Object> values) implements Entry {
    /// Checks the values. Other numbers of Java become `Long` or `Double`.
    ///
    /// @throws IllegalArgumentException if there are none, too many, or one is of another kind
    public Key {
      if (values.isEmpty() || values.size() > COLUMNS_MAX) {
        throw new IllegalArgumentException(
            "A key must have 1 to " + COLUMNS_MAX + " columns, got " + values.size() + ".");
      }
      SortedMap<String, Object> checked = new TreeMap<>();
      values.forEach((column, value) -> checked.put(column, checked(column, value)));
      values = Collections.unmodifiableSortedMap(checked);
    }

    private static Object checked(String column, Object value) {
      requireName("name of a key's column", column);
      return switch (value) {
        case String text when text.length() <= TEXT_MAX -> text;
        case String text -> throw refuse(column, "a text of " + text.length() + " characters");
        case Boolean truth -> truth;
        case Long number -> number;
        case Integer number -> number.longValue();
        case Short number -> number.longValue();
        case Byte number -> number.longValue();
        case Float number when Float.isFinite(number) -> Double.valueOf(number.toString());
        case Double number when Double.isFinite(number) -> number;
        case null -> throw refuse(column, "null");
        default -> throw refuse(column, value.getClass().getSimpleName() + " " + value);
      };
    }

    private static IllegalArgumentException refuse(String column, String found) {
      return new IllegalArgumentException(
          Sentence.of(
              "Cannot exclude rows by column '%s': the value is %s but expected a text of at most"
                  + " %s characters, a whole number of 64 bits, a finite double, or a boolean.",
              column, found, TEXT_MAX));
    }
  }

  /// One row.
  ///
  /// @param file the file's location, or the end of it from behind a `/` on where that tells it
  ///   from all others
  /// @param row the row as it is stored, counted from 0 in the file, deleted rows included
  public record Place(String file, long row) implements Entry {
    /// Checks the values.
    ///
    /// @throws IllegalArgumentException if the file is blank or the row negative
    public Place {
      requireName("file of a row", file);
      if (row < 0) {
        throw new IllegalArgumentException(
            "The row of '" + file + "' must be at least 0, got " + row + ".");
      }
    }
  }

  private final List<Entry> entries;

  private ExcludedRows(Set<Entry> entries) {
    if (entries.size() > ENTRIES_MAX) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot exclude more than %s keys and rows, as every state has them. Write a table"
                  + " without them.",
              ENTRIES_MAX));
    }
    this.entries = List.copyOf(entries);
  }

  private static void requireName(String what, String name) {
    if (name.isBlank() || name.length() > TEXT_MAX) {
      throw new IllegalArgumentException(
          Sentence.of(
              "The %s must have 1 to %s characters, got %s.",
              what, TEXT_MAX, name.isBlank() ? "a blank one" : name.length()));
    }
  }

  /// Returns the rows with one of some values in a column.
  ///
  /// @param column the column
  /// @param values the values, see [Key]
  /// @return the rows
  /// @throws IllegalArgumentException if a value is null or of another kind
  public static ExcludedRows keys(String column, List<?> values) {
    Set<Entry> keys = new LinkedHashSet<>();
    for (Object value : values) {
      SortedMap<String, Object> key = new TreeMap<>();
      key.put(column, value);
      keys.add(new Key(key));
    }
    return new ExcludedRows(keys);
  }

  /// Returns the rows whose columns have these values.
  ///
  /// @param values by column, see [Key]
  /// @return the rows
  /// @throws IllegalArgumentException if a value is null or of another kind
  public static ExcludedRows key(Map<String, ?> values) {
    return of(List.of(new Key(new TreeMap<>(values))));
  }

  /// Returns one row.
  ///
  /// @param file see [Place]
  /// @param row see [Place]
  /// @return the row
  public static ExcludedRows row(String file, long row) {
    return of(List.of(new Place(file, row)));
  }

  /// Returns rows of steps; of packs all of whose rows there are parts.
  ///
  /// @param rows the rows, at most 10,000
  /// @return the rows
  public static ExcludedRows rows(List<StepRow> rows) {
    Set<Entry> places = new LinkedHashSet<>();
    rows.forEach(row -> addPlaces(places, row.file().text(), row.row(), row.endRow()));
    return new ExcludedRows(places);
  }

  private static void addPlaces(Set<Entry> places, String file, long from, long to) {
    for (long row = from; row < to && places.size() <= ENTRIES_MAX; row++) {
      places.add(new Place(file, row));
    }
  }

  /// Returns the rows of entries; those that come again count once.
  ///
  /// @param entries the entries
  /// @return the rows
  /// @throws IllegalArgumentException if there are more than 10,000
  public static ExcludedRows of(List<? extends Entry> entries) {
    return new ExcludedRows(new LinkedHashSet<>(entries));
  }

  /// Reads rows from a text: in each line a JSON object, either with the values of a key by column,
  /// or with exactly `file` and `row`, see [Place], or as `penstock rows --json` prints it. Blank
  /// lines are left out.
  ///
  /// @param text the lines
  /// @return the rows
  /// @throws IllegalArgumentException if a line is another, which the message names by its number
  public static ExcludedRows parse(String text) {
    Set<Entry> entries = new LinkedHashSet<>();
    Iterator<String> lines = text.lines().iterator();
    for (long number = 1; lines.hasNext() && entries.size() <= ENTRIES_MAX; number++) {
      String line = lines.next();
      if (!line.isBlank()) {
        add(entries, "line " + number + " of the rows to exclude", line);
      }
    }
    return new ExcludedRows(entries);
  }

  private static void add(Set<Entry> entries, String line, String text) {
    try {
      JsonFields fields = JsonTree.read(line, text);
      List<String> names = fields.names();
      if (Set.of("file", "row").equals(Set.copyOf(names)) || names.containsAll(OF_STEPS)) {
        Place first = new Place(fields.text("file"), fields.whole("row", 0, Long.MAX_VALUE));
        entries.add(first);
        if (names.contains("endRow")) {
          long end = fields.whole("endRow", first.row(), Long.MAX_VALUE);
          addPlaces(entries, first.file(), first.row(), end);
        }
        return;
      }
      SortedMap<String, Object> values = new TreeMap<>();
      names.forEach(name -> values.put(name, fields.scalar(name)));
      entries.add(new Key(values));
    } catch (IllegalArgumentException e) {
      String met = Objects.toString(e.getMessage());
      String where = met.contains(line) ? "" : "Cannot read " + line + ": ";
      throw new IllegalArgumentException(where + met + EXPECTED, e);
    }
  }

  /// Returns these and others.
  ///
  /// @param others the others
  /// @return all of them
  /// @throws IllegalArgumentException if there are more than 10,000
  public ExcludedRows and(ExcludedRows others) {
    Set<Entry> all = new LinkedHashSet<>(entries);
    all.addAll(others.entries);
    return new ExcludedRows(all);
  }

  /// Returns these without others.
  ///
  /// @param others the others
  /// @return what is left, maybe nothing
  public ExcludedRows without(ExcludedRows others) {
    Set<Entry> left = new LinkedHashSet<>(entries);
    left.removeAll(Set.copyOf(others.entries));
    return new ExcludedRows(left);
  }

  /// Returns what they are given by.
  ///
  /// @return the entries, in the order given, each once; unmodifiable
  public List<Entry> entries() {
    return entries;
  }

  /// Compares the entries, whatever their order.
  @Override
  public boolean equals(Object other) {
    return other instanceof ExcludedRows rows
        && Set.copyOf(rows.entries).equals(Set.copyOf(entries));
  }

  @Override
  public int hashCode() {
    return Set.copyOf(entries).hashCode();
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
