package dev.penstock.spi.catalog;

import dev.penstock.filter.Filter;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.util.Optional;

/// A table whose files a catalog lists, at one version: what a [dev.penstock.StructuredDataset]
/// reads instead of folders.
///
/// An instance always returns the same values, whatever happens to the table.
///
/// **Threads.** May be called by any number of threads at once.
public interface CatalogTable {
  /// {@return the name of the table, shown in place of a location: `db.flights`}
  String name();

  /// {@return the identity and version of the table: a text that differs if rows may differ. It is
  /// part of a `LoaderState`, shown when a state does not fit, and contains no secrets}
  String version();

  /// {@return the columns of the table: the schema for reading all files}
  Schema schema();

  /// {@return the values of a column that a file lacks: nulls or one value for all rows}
  default MissingColumns missingColumns() {
    return MissingColumns.nulls();
  }

  /// {@return the files that may have rows that a filter keeps} The filter is later tested for each
  /// row: too many files cost time, too few lose rows.
  ///
  /// @param filter the filter; empty for all files. It uses only columns of [#schema()], with their
  ///   values in the table; conditions on columns that are cast to another type are left out
  /// @throws IOException if the catalog cannot list them
  CatalogFiles files(Optional<Filter> filter) throws IOException;
}
