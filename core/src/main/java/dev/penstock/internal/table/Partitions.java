package dev.penstock.internal.table;

import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.split.PartitionValue;
import dev.penstock.storage.Location;
import dev.penstock.storage.Printable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The columns from the `key=value` folders of a dataset, known before any file is opened.
///
/// A column is an `int64` if all its values are integers, a date if all are of the form
/// `2001-01-31`, else a string, unless the user declared or cast it. Values are of the class that
/// [dev.penstock.spi.format.Bound] names for the type. Immutable; share it freely among threads.
///
/// @param columns in the order in which their keys are found; nullable where a file has null or no
///   value
public record Partitions(Names names, List<Field> columns) {
  public static final Partitions NONE = new Partitions(new Names(true), List.of());

  private static final String NULL = "__HIVE_DEFAULT_PARTITION__";
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,19}");
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

  public Partitions {
    columns = List.copyOf(columns);
  }

  /// Finds the columns and their types; none unless Hive partitions are enabled.
  ///
  /// @throws SchemaMismatchException if a value is not of the type that was declared
  public static Partitions of(List<FoundFile> files, SchemaRules rules)
      throws SchemaMismatchException {
    Names names = rules.names();
    Map<String, DataType> declared = rules.hive().orElse(Map.of());
    Map<String, List<FoundFile>> filesByKey = new LinkedHashMap<>();
    Map<String, String> spelling = new LinkedHashMap<>();
    for (FoundFile file : rules.hive().isPresent() ? files : List.<FoundFile>of()) {
      for (PartitionValue value : file.partition()) {
        spelling.putIfAbsent(names.key(value.key()), value.key());
        filesByKey.computeIfAbsent(names.key(value.key()), _ -> new ArrayList<>()).add(file);
      }
    }
    List<Field> columns = new ArrayList<>();
    for (Map.Entry<String, List<FoundFile>> entry : filesByKey.entrySet()) {
      String name = spelling.getOrDefault(entry.getKey(), entry.getKey());
      DataType type =
          declared.entrySet().stream()
              .filter(each -> names.same(each.getKey(), name))
              .map(Map.Entry::getValue)
              .findFirst()
              .or(() -> rules.cast(name).map(CastRule::type))
              .or(() -> rules.given().flatMap(given -> names.find(given, name)).map(Field::type))
              .orElse(null);
      columns.add(column(name, type, entry.getValue(), names));
    }
    for (String key : declared.keySet()) {
      if (names.indexOf(columns, key) < 0) {
        throw new SchemaMismatchException(
            Sentence.of(
                "Cannot read partition column '%s': there is no folder '%s=...' below a location,"
                    + " nor in the path of a file or glob. Partition columns are: %s.",
                key, key, columns.stream().map(Field::name).toList()));
      }
    }
    return new Partitions(names, columns);
  }

  /// Throws [IllegalArgumentException] if a folder's name cannot be a value of the declared type.
  static void requireReadable(String key, DataType type) {
    if (!Constants.isParsed(type)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot read partition column '%s' as %s: folders name booleans, numbers, strings and"
                  + " dates.",
              key, type));
    }
  }

  private static Field column(
      String name, @Nullable DataType declared, List<FoundFile> files, Names names)
      throws SchemaMismatchException {
    boolean nullable = false;
    boolean any = false;
    boolean integers = true;
    boolean dates = true;
    for (FoundFile file : files) {
      String text = find(file.partition(), name, names).map(PartitionValue::text).orElse(null);
      if (text == null) {
        nullable = true;
        continue;
      }
      any = true;
      integers &= isValue(DataType.int64(), INTEGER, text);
      dates &= isValue(DataType.date(), DATE, text);
      if (declared != null) {
        requireValue(name, declared, text, file);
      }
    }
    DataType inferred =
        any && integers ? DataType.int64() : any && dates ? DataType.date() : DataType.string();
    return new Field(name, declared == null ? inferred : declared, nullable);
  }

  private static void requireValue(String name, DataType type, String text, FoundFile file)
      throws SchemaMismatchException {
    try {
      Constants.parse(type, text);
    } catch (IllegalArgumentException e) {
      SchemaMismatchException refused =
          new SchemaMismatchException(
              Sentence.of(
                  "Cannot read partition column '%s': %s, which was declared. Declare another type."
                      + " [%s]",
                  name, e.getMessage(), file.entry().location()));
      refused.initCause(e);
      throw refused;
    }
  }

  private static boolean isValue(DataType type, Pattern form, String text) {
    if (!form.matcher(text).matches()) {
      return false;
    }
    try {
      Constants.parse(type, text);
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static Optional<PartitionValue> find(
      List<PartitionValue> partition, String column, Names names) {
    return partition.stream().filter(value -> names.same(value.key(), column)).findFirst();
  }

  public boolean has(String column) {
    return names.indexOf(columns, column) >= 0;
  }

  /// Returns whether a partition column has exactly this name.
  boolean names(String column) {
    return columns.stream().anyMatch(field -> field.name().equals(column));
  }

  /// Returns whether the folders of a file give a column a value, which may be null.
  public boolean isGiven(List<PartitionValue> partition, String column) {
    return find(partition, column, names).isPresent();
  }

  /// Returns the value that all rows of a file have in a column, of the class that
  /// [dev.penstock.spi.format.Bound] names for its type; null if the folder states null, or if
  /// there is no such folder.
  public @Nullable Comparable<?> value(List<PartitionValue> partition, String column) {
    String text = find(partition, column, names).map(PartitionValue::text).orElse(null);
    int index = names.indexOf(columns, column);
    return text == null || index < 0 ? null : Constants.parse(columns.get(index).type(), text);
  }

  /// Returns the partition values of the folders in a path, outermost first; two of one key are an
  /// error.
  static List<PartitionValue> values(Location file, String path) throws IOException {
    List<PartitionValue> values = new ArrayList<>();
    for (String name : folders(path)) {
      int equals = name.indexOf('=');
      if (equals <= 0) {
        continue;
      }
      String key = decoded(name.substring(0, equals));
      String text = decoded(name.substring(equals + 1));
      if (values.stream().anyMatch(value -> value.key().equals(key))) {
        throw new IOException(
            Sentence.of(
                "Cannot read the partitions of %s: two of its folders are named '%s=...'. Rename"
                    + " one, or name a folder between them instead of the file.",
                file, Printable.of(key)));
      }
      values.add(new PartitionValue(key, text.equals(NULL) ? null : text));
    }
    return values;
  }

  /// Returns the folders that a file is in: not those that a `..` leaves again.
  private static Deque<String> folders(String path) {
    Deque<String> folders = new ArrayDeque<>();
    String[] names = path.split("/", -1);
    for (int i = 0; i < names.length - 1; i++) {
      if (names[i].equals("..")) {
        folders.pollLast();
      } else if (!names[i].equals(".")) {
        folders.addLast(names[i]);
      }
    }
    return folders;
  }

  /// Decodes escapes like `%41` as UTF-8. A plus, and a percent without two hexadecimal digits,
  /// stay as they are.
  static String decoded(String name) {
    if (name.indexOf('%') < 0) {
      return name;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] == '%'
          && i + 2 < encoded.length
          && HexFormat.isHexDigit(encoded[i + 1])
          && HexFormat.isHexDigit(encoded[i + 2])) {
        bytes.write(
            HexFormat.fromHexDigit(encoded[i + 1]) << 4 | HexFormat.fromHexDigit(encoded[i + 2]));
        i += 2;
      } else {
        bytes.write(encoded[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
