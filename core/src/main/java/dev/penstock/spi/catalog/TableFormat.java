package dev.penstock.spi.catalog;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// Opens tables of a format; found by `ServiceLoader`.
///
/// **Threads.** May be called by any number of threads at once.
public interface TableFormat {
  /// Which table, and at which version.
  ///
  /// @param location its folder or metadata; with a catalog its name there
  /// @param catalog the options of the catalog; empty if the table is in none
  /// @param version its version or snapshot; empty for the current one
  /// @param asOf the time whose version is meant, if any
  /// @param ref the branch or tag, if any
  /// @param moves where a moved table's files are: a prefix in its metadata to that in its place
  /// @param storage the options of the stores
  record Choice(
      String location,
      Map<String, String> catalog,
      OptionalLong version,
      Optional<Instant> asOf,
      Optional<String> ref,
      Map<String, String> moves,
      Map<String, String> storage) {}

  /// {@return which kind of table it opens}
  TableKind kind();

  /// {@return what opens a table: `get()` finds its version, and throws
  /// [java.io.UncheckedIOException] if it cannot be read} Nothing is read before.
  ///
  /// @param choice which table
  /// @throws IllegalArgumentException if this format has no such choice
  Supplier<CatalogTable> table(Choice choice);
}
