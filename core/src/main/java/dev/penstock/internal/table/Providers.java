package dev.penstock.internal.table;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.checked.CheckedFormat;
import dev.penstock.internal.checked.CheckedStorage;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.ServiceLookup;
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

/// The formats and stores that a thread sees on the class or module path, and those that were given
/// to a dataset.
public record Providers(Services<FileFormat> formats, Services<Storage> stores) {
  private static final ServiceLookup<FileFormat> FORMATS =
      new ServiceLookup<>(FileFormat.class, Providers::names);
  private static final ServiceLookup<Storage> STORES =
      new ServiceLookup<>(Storage.class, Providers::schemes);

  /// How many stores of a class with options are kept to be shared. Credentials may change every
  /// hour.
  private static final int CONFIGURED_MAX = 256;

  /// By the class of the stores, with which they can be unloaded.
  private static final ClassValue<Map<Configured, Storage>> CONFIGURED =
      new ClassValue<>() {
        @Override
        protected Map<Configured, Storage> computeValue(Class<?> type) {
          return Collections.synchronizedMap(
              new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Configured, Storage> eldest) {
                  return size() > CONFIGURED_MAX;
                }
              });
        }
      };

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

  /// Returns those that this thread sees.
  public static Providers here() {
    return new Providers(FORMATS.here(), STORES.here());
  }

  /// Returns the same with a format that the user made.
  ///
  /// @throws IllegalArgumentException if another class has its name
  public Providers with(FileFormat given) {
    return new Providers(formats.with(given), stores);
  }

  /// Returns the same with a store that the user made.
  ///
  /// @throws IllegalArgumentException if another class serves one of its schemes
  public Providers with(Storage given) {
    return new Providers(formats, stores.with(given));
  }

  private static List<String> names(FileFormat format) {
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

  List<String> formatNames() {
    return formats.all().stream().map(FileFormat::name).distinct().sorted().toList();
  }

  /// Returns the end of an error about a file that no format reads.
  String leftOutFormats() {
    return leftOut(formats);
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

  /// Returns the format of a name, for example `parquet`.
  ///
  /// @throws IllegalArgumentException if there is none, or two
  public FileFormat format(String name) {
    return formats
        .named(name)
        .map(CheckedFormat::of)
        .orElseThrow(() ->
            Advice.argumentError(
                "%s%s",
                ModuleFormats.byName(name)
                    .map(module -> module.absent("format '" + name + "'"))
                    .orElseGet(() -> unknownFormat(name)),
                leftOutFormats()));
  }

  private Advice unknownFormat(String name) {
    return Advice.of(
        "Cannot read format '%s': no such format here. %s",
        name, Choices.listed("Formats", name, formatNames()));
  }

  /// Returns the store of a file or folder: the same instance for equal options, so that
  /// connections are shared.
  ///
  /// @throws IllegalArgumentException if no store serves the scheme, or two, or an option is
  ///   invalid
  public Storage store(Location location, StorageOptions options) {
    Storage own = serving(location);
    Map<Configured, Storage> all = CONFIGURED.get(own.getClass());
    Configured wanted = new Configured(own, options.only(own.optionKeys()));
    Storage known = all.get(wanted);
    if (known != null) {
      return known;
    }
    Storage store = CheckedStorage.of(own);
    Storage made =
        store.with(wanted.options()); // without the map's lock, as it may look at the environment
    Storage first = made.equals(store) ? null : all.putIfAbsent(wanted, made);
    return first == null ? made : first;
  }

  /// Returns where the options of a location's store go, see [Storage#origin].
  ///
  /// @throws IllegalArgumentException if no store serves the scheme, or two
  public String origin(Location location, StorageOptions options) {
    return CheckedStorage.of(serving(location)).origin(location, options);
  }

  private Storage serving(Location location) {
    return stores.named(location.scheme()).orElseThrow(() -> missing(location));
  }

  /// Returns the location that a path is which has the scheme of a store as a folder, as where one
  /// of the slashes behind it is missing.
  Optional<String> withScheme(String path) {
    return SCHEME_AS_FOLDER
        .matcher(path)
        .results()
        .filter(found -> {
          String scheme = found.group(1);
          return MODULES.containsKey(scheme) || schemes().contains(scheme);
        })
        .map(found -> found.group(1) + "://" + path.substring(found.end()))
        .findFirst();
  }

  private List<String> schemes() {
    return stores.all().stream().flatMap(each -> each.schemes().stream()).sorted().toList();
  }

  private IllegalArgumentException missing(Location location) {
    String module = MODULES.get(location.scheme());
    return Advice.argumentError(
        "Cannot read '%s': no store serves '%s://'. %s%s",
        location,
        location.scheme(),
        module == null ? "Stores here serve: " + schemes() + "." : Remedy.module(module),
        leftOut(stores));
  }

  /// Throws [IllegalArgumentException] if an option is not known to any store here.
  public void requireKnown(StorageOptions options) {
    Set<String> known = new TreeSet<>();
    stores.all().forEach(store -> known.addAll(store.optionKeys()));
    for (String key : options.keys()) {
      if (!known.contains(key)) {
        throw Advice.argumentError(
            "Cannot use %s: no store here takes it. Options are: %s; stores in modules bring"
                + " more.%s",
            Remedy.storageOption(key), known, leftOut(stores));
      }
    }
  }

  private record Configured(Storage store, StorageOptions options) {}
}
