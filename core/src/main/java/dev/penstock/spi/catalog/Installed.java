package dev.penstock.spi.catalog;

import dev.penstock.internal.table.Providers;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;

/// The formats and stores that the calling thread finds, for a module that lists files: those on
/// the class or module path, and those of its context class loader.
public final class Installed {
  private Installed() {}

  /// {@return the format of a name}
  ///
  /// @param name its name, for example `parquet`
  /// @throws IllegalArgumentException if it is not installed; the message names the module that
  ///   provides it
  public static FileFormat format(String name) {
    return Providers.here().format(name);
  }

  /// {@return the store that holds a file, the same for the same options}
  ///
  /// @param location the file
  /// @param options the options of the store
  /// @throws IllegalArgumentException if no store serves the scheme, or an option is unknown to it;
  ///   the message names the module that provides the store
  public static Storage store(Location location, StorageOptions options) {
    return Providers.here().store(location, options);
  }
}
