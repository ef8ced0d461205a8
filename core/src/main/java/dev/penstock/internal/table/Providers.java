package dev.penstock.internal.table;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.checked.CheckedFormat;
import dev.penstock.internal.checked.CheckedStorage;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Services;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The formats and stores on the class or module path.
public final class Providers {
  private static final Services<FileFormat> FORMATS =
      Services.load(FileFormat.class, Providers::names);
  private static final List<FileFormat> CHECKED =
      FORMATS.all().stream().map(CheckedFormat::of).toList();
  private static final Services<Storage> STORES = Services.load(Storage.class, Providers::schemes);

  /// How many stores with options are kept to be shared. Credentials may change every hour.
  private static final int CONFIGURED_MAX = 256;

  private static final Map<Configured, Storage> CONFIGURED =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Configured, Storage> eldest) {
              return size() > CONFIGURED_MAX;
            }
          });

  private static final Pattern SCHEME_AS_FOLDER = Pattern.compile("(?<![^/])([a-z][a-z0-9]+):/*");

  private static final Map<String, String> MODULES =
      Map.of(
          "s3", "s3",
          "s3a", "s3",
          "gs", "gcs",
          "gcs", "gcs",
          "az", "azure",
          "abfs", "azure",
          "abfss", "azure");

  private Providers() {}

  static List<String> names(FileFormat format) {
    Services.given(format.magic(), "magic()");
    Services.given(format.extensions(), "extensions()")
        .forEach(extension -> Services.given(extension, "an extension"));
    return List.of(Services.given(format.name(), "name()"));
  }

  private static List<String> schemes(Storage store) {
    Services.given(store.optionKeys(), "optionKeys()");
    List<String> schemes = Services.given(store.schemes(), "schemes()");
    schemes.forEach(scheme -> Services.given(scheme, "a scheme"));
    return schemes;
  }

  static List<FileFormat> formats() {
    return CHECKED;
  }

  /// Returns the end of an error about a file that no format reads.
  static String leftOutFormats() {
    return leftOut(FORMATS);
  }

  /// Returns [Services#leftOut], and what to do where even core's own are missing.
  static String leftOut(Services<?> services) {
    boolean hasOwn =
        services.all().stream()
            .anyMatch(each -> each.getClass().getName().startsWith("dev.penstock.internal."));
    return hasOwn
        ? services.leftOut()
        : services.leftOut()
            + " Those of penstock-core are lost: merge META-INF/services in your fat jar.";
  }

  /// Returns the format of a name, for example `parquet`. Throws [IllegalArgumentException] if
  /// there is none.
  public static FileFormat format(String name) {
    return CHECKED.stream()
        .filter(format -> format.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            Advice.argumentError(
                "%s%s",
                ModuleFormats.byName(name)
                    .map(module -> module.absent("format '" + name + "'"))
                    .orElseGet(() -> unknownFormat(name)),
                leftOut(FORMATS)));
  }

  private static Advice unknownFormat(String name) {
    List<String> known = formats().stream().map(FileFormat::name).sorted().toList();
    return Advice.of(
        "Cannot read format '%s': no such format here. %s",
        name, Choices.listed("Formats", name, known));
  }

  /// Returns the store of a file or folder: the same instance for equal options, so that
  /// connections are shared.
  ///
  /// @throws IllegalArgumentException if no store serves the scheme, or an option is invalid
  public static Storage store(Location location, StorageOptions options) {
    Storage store = serving(location);
    Configured wanted = new Configured(store, options.only(store.optionKeys()));
    Storage known = CONFIGURED.get(wanted);
    if (known != null) {
      return known;
    }
    Storage made =
        CheckedStorage.of(store)
            .with(wanted.options()); // without the map's lock, as it may look at the environment
    Storage first = CONFIGURED.putIfAbsent(wanted, made);
    return first == null ? made : first;
  }

  /// Returns where the options of a location's store go, see [Storage#origin].
  ///
  /// @throws IllegalArgumentException if no store serves the scheme
  public static String origin(Location location, StorageOptions options) {
    return serving(location).origin(location, options);
  }

  private static Storage serving(Location location) {
    return STORES.all().stream()
        .filter(each -> each.schemes().contains(location.scheme()))
        .findFirst()
        .orElseThrow(() -> missing(location));
  }

  /// Returns the location that a path is which has the scheme of a store as a folder, as where one
  /// of the slashes behind it is missing.
  static Optional<String> withScheme(String path) {
    return SCHEME_AS_FOLDER
        .matcher(path)
        .results()
        .filter(found -> {
          String scheme = found.group(1);
          return MODULES.containsKey(scheme)
              || STORES.all().stream().anyMatch(store -> store.schemes().contains(scheme));
        })
        .map(found -> found.group(1) + "://" + path.substring(found.end()))
        .findFirst();
  }

  private static IllegalArgumentException missing(Location location) {
    String module = MODULES.get(location.scheme());
    return Advice.argumentError(
        "Cannot read '%s': no store serves '%s://'. %s%s",
        location,
        location.scheme(),
        module == null
            ? "Stores here serve: "
                + STORES.all().stream().flatMap(s -> s.schemes().stream()).sorted().toList()
                + "."
            : Remedy.module(module),
        leftOut(STORES));
  }

  /// Throws [IllegalArgumentException] if an option is not known to any store here.
  public static void requireKnown(StorageOptions options) {
    Set<String> known = new TreeSet<>();
    STORES.all().forEach(store -> known.addAll(store.optionKeys()));
    for (String key : options.keys()) {
      if (!known.contains(key)) {
        throw Advice.argumentError(
            "Cannot use %s: no store here takes it. Options are: %s; stores in modules bring"
                + " more.%s",
            Remedy.storageOption(key), known, leftOut(STORES));
      }
    }
  }

  private record Configured(Storage store, StorageOptions options) {}
}
