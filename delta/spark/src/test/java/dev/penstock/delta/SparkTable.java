package dev.penstock.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/// A table that Spark writes, and that Spark and Penstock read.
final class SparkTable {
  private static final Pattern COMMIT = Pattern.compile("(\\d{20})[.]json");

  /// A row as JSON, with nulls, and with all digits of times.
  private static final String AS_JSON =
      """
      to_json(struct(*), map(
        'ignoreNullFields', 'false',
        'timestampFormat', "%1$sXXX",
        'timestampNTZFormat', "%1$s"))\
      """
          .formatted(SparkJson.MICROS);

  private final SparkSession spark;
  private final Path folder;
  private final List<String> statements = new ArrayList<>();

  /// The rows that Spark read, sorted, by version.
  private final Map<Long, List<String>> rows = new TreeMap<>();

  /// Names a table.
  ///
  /// @param folder its folder, which does not exist yet
  SparkTable(SparkSession spark, Path folder) {
    this.spark = spark;
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  private String sqlName() {
    return "delta.`" + folder + "`";
  }

  /// Runs statements, and lets Spark read the version that the last one made. It would take Spark
  /// longer to read it when it is an old one.
  ///
  /// @param changes SQL, where `$t` is the table
  void sql(String... changes) {
    for (String statement : changes) {
      statements.add(statement);
      spark.sql(statement.replace("$t", sqlName())).count();
    }
    List<String> read = new ArrayList<>();
    for (Row row : select(AS_JSON)) {
      read.add(SparkJson.comparable(row.getString(0)));
    }
    read.sort(null);
    rows.put(versions().getLast(), read);
  }

  private List<Row> select(String columns) {
    return spark.sql("SELECT " + columns + " FROM " + sqlName()).collectAsList();
  }

  /// Returns the names and types of the columns of the newest version.
  StructType schema() {
    return spark.table(sqlName()).schema();
  }

  /// Returns the versions whose commits are in the log, in order.
  List<Long> versions() {
    try (Stream<Path> log = Files.list(folder.resolve("_delta_log"))) {
      return log.map(file -> COMMIT.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(name -> Long.valueOf(name.group(1)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  DeltaDataset version(long version) {
    return DeltaDataset.table(folder.toString()).version(version);
  }

  /// Returns the rows of the newest version for which Spark finds a filter true, sorted.
  ///
  /// @param filters conditions in SQL
  Map<String, List<String>> rows(List<String> filters) {
    Map<String, List<String>> kept = new HashMap<>();
    filters.forEach(filter -> kept.put(filter, new ArrayList<>()));
    String columns = filters.stream().map(each -> ", " + each).collect(Collectors.joining());
    for (Row row : select(AS_JSON + columns)) {
      for (int i = 0; i < filters.size(); i++) {
        if (!row.isNullAt(i + 1) && row.getBoolean(i + 1)) {
          Objects.requireNonNull(kept.get(filters.get(i)))
              .add(SparkJson.comparable(row.getString(0)));
        }
      }
    }
    kept.values().forEach(each -> each.sort(null));
    return kept;
  }

  /// Checks that Penstock reads the rows that Spark read: of each version, and in every way.
  ///
  /// @return the rows that Spark read, sorted, by version
  Map<Long, List<String>> assertSameRows() {
    rows.forEach((version, expected) ->
        assertThat(EveryWay.sorted(EveryWay.read(version(version).dataset())))
            .as("version %d of %s", version, statements)
            .isEqualTo(expected));
    return rows;
  }
}
