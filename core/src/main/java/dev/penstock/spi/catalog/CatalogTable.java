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
  /// Returns the name of the table.
  ///
  /// @return shown in place of a location, for example `db.flights`
  String name();

  /// Returns the identity and version of the table.
  ///
  /// @return a text that differs if rows may differ; part of a `LoaderState`, and shown when a
  ///   state does not fit. Contains no secrets
  String version();

  /// Returns the columns of the table.
  ///
  /// @return the schema for reading all files
  Schema schema();

  /// Returns the values of a column that a file lacks.
  ///
  /// @return nulls or one value for all rows
  default MissingColumns missingColumns() {
    return MissingColumns.nulls();
  }

  /// Lists the files that may have rows that a filter keeps. The filter is later tested for each
  /// row: too many files cost time, too few lose rows.
  ///
  /// @param filter the filter; empty for all files. It uses only columns of [#schema()], with their
  ///   values in the table; conditions on columns that are cast to another type are left out
  /// @return the files
  /// @throws IOException if the catalog cannot list them
  CatalogFiles files(Optional<Filter> filter) throws IOException;
}
