package dev.penstock.internal.plan;

import dev.penstock.format.FileFormat;
import dev.penstock.storage.Location;
import dev.penstock.storage.Storage;
import java.util.List;
import java.util.ServiceLoader;

/// The formats and stores on the class or module path, found by `ServiceLoader`.
public final class Providers {
  private static final List<FileFormat> FORMATS = load(FileFormat.class);
  private static final List<Storage> STORES = load(Storage.class);

  private Providers() {}

  private static <T> List<T> load(Class<T> type) {
    return ServiceLoader.load(type, Providers.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  static List<FileFormat> formats() {
    return FORMATS;
  }

  /// Returns the format of a name.
  ///
  /// @param name for example `parquet`
  /// @return the format
  /// @throws IllegalArgumentException if there is none
  public static FileFormat format(String name) {
    return FORMATS.stream()
        .filter(format -> format.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "Cannot read format '"
                    + name
                    + "': no such format here. Formats are: "
                    + FORMATS.stream().map(FileFormat::name).sorted().toList()
                    + "."));
  }

  static Storage store(Location location) {
    return STORES.stream()
        .filter(store -> store.schemes().contains(location.scheme()))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "Cannot read '"
                    + location
                    + "': no store serves '"
                    + location.scheme()
                    + "://'. Stores here serve: "
                    + STORES.stream().flatMap(s -> s.schemes().stream()).sorted().toList()
                    + "."));
  }
}
