package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What every catalog has to do for a table of 100 rows, `db.t`.
public abstract class CatalogContract {
  @TempDir private Path folder;
  private AvroTable table;

  /// Lets the catalog have a table in its namespace `db`.
  ///
  /// @param name the table
  /// @param parameters what the catalog says of it
  protected abstract void put(String name, Map<String, String> parameters);

  /// Asks the catalog for a table.
  ///
  /// @param name the table, with its namespace
  /// @return it
  protected abstract IcebergDataset open(String name);

  /// Returns what the catalog was asked so far.
  ///
  /// @return the names of the calls
  protected abstract Iterable<String> calls();

  /// Returns the call that asks for a table.
  ///
  /// @return its name
  protected abstract String callForTable();

  @BeforeEach
  void write() {
    table = new AvroTable(folder);
    table.append(0, 100);
    commit();
  }

  private void commit() {
    put("t", Map.of("table_type", "ICEBERG", "metadata_location", table.metadataFile()));
  }

  private static List<Long> range(long to) {
    return LongStream.range(0, to).boxed().toList();
  }

  @Test
  void tableIsReadByItsName() {
    IcebergDataset before = open("db.t");
    assertThat(AvroTable.ids(before)).isEqualTo(range(100));
    table.append(100, 150);
    commit();
    assertThat(AvroTable.ids(before)).isEqualTo(range(100));
    assertThat(AvroTable.ids(open("db.t"))).isEqualTo(range(150));
    assertThat(calls()).contains(callForTable());
  }

  @Test
  void missingTablesAndTablesOfOtherKindsAreErrors() {
    for (String name : new String[] {"db.none", "other.t"}) {
      assertThatThrownBy(() -> open(name).dataset())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage(
              "Cannot read table '" + name + "': the catalog has no such table. Check the name.");
    }
    put("text", Map.of("EXTERNAL", "TRUE"));
    assertThatThrownBy(() -> open("db.text").dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("Cannot read table 'db.text': ");
  }
}
