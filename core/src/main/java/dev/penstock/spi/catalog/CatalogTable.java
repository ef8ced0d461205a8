package dev.penstock.spi.catalog;

import dev.penstock.filter.Filter;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.util.Optional;

/// A table whose files a catalog lists, at one version: what a [dev.penstock.StructuredDataset]
/// reads instead of folders.
///
/// All it says stays the same as long as it lives, whatever happens to the table.
///
/// **Threads.** May be called by any number of threads at once.
public interface CatalogTable {
  /// Returns what the table is called.
  ///
  /// @return shown where others show locations, for example `db.flights`
  String name();

  /// Returns which table it is, and at which version.
  ///
  /// @return a text that differs where rows may differ; part of a `LoaderState`, and shown when a
  ///   state does not fit. Without secrets
  String version();

  /// Returns the columns of the table.
  ///
  /// @return the schema that all files are read with
  Schema schema();

  /// Returns what rows have in a column that their file lacks.
  ///
  /// @return nulls or one value for all rows
  default MissingColumns missingColumns() {
    return MissingColumns.nulls();
  }

  /// Lists the files that may have rows which a filter keeps. The filter is tested for each row
  /// afterwards: a list that is too long costs time, one that is too short loses rows.
  ///
  /// @param filter the filter; empty for all files. It looks at columns of [#schema()] alone, and
  ///   means their values in the table: what is said of columns that are read in another type is
  ///   left out
  /// @return the files
  /// @throws IOException if the catalog cannot tell
  CatalogFiles files(Optional<Filter> filter) throws IOException;
}
