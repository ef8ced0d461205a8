package dev.penstock.internal.table;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.Concurrency.Outcome;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.PartitionValue;
import dev.penstock.storage.Location;
import dev.penstock.storage.Printable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Lists the data files of a dataset: folders at any depth, files, globs; sorted by path.
///
/// Names that start with `_` or `.`, plans, and the files of a cache, are skipped below a folder; a
/// file that is named itself is always taken. Files that are of no data format are left out where a
/// location leads to data as well. A table of a table format in or below a folder is an error,
/// unless the format of its files is named. Every rank that lists the same store gets the same
/// list.
public final class Discovery {
  /// The extension of plans: a plan may be beside its files.
  public static final String PLAN_EXTENSION = ".penstock-plan";

  private static final int EXAMPLES_MAX = 3;
  private static final String HUB = "hf";

  private static final String HOME =
      "A leading ~ is the home folder to a shell, where it is not in quotes, and to nobody else:"
          + " write the path in full.";

  private final Providers providers;
  private final Optional<FileFormat> wanted;
  private final StorageOptions options;

  /// Whether there is more than one location, so that a file may be found in two spellings.
  private final boolean several;

  private final Map<String, Set<String>> namesByExtension = new HashMap<>();
  private final Map<Location, String> foundBy = new HashMap<>();
  private final List<FoundFile> found = new ArrayList<>();
  private final Map<String, List<Location>> others = new TreeMap<>();
  private final Set<String> leadToData = new HashSet<>(); // locations
  private final Set<String> leadToOthers = new HashSet<>();

  private final boolean hive;

  private Discovery(
      Providers providers,
      Optional<FileFormat> wanted,
      boolean hive,
      StorageOptions options,
      boolean several) {
    this.providers = providers;
    this.wanted = wanted;
    this.options = options;
    this.hive = hive;
    this.several = several;
    for (FileFormat format : providers.formats().all()) {
      for (String end : format.extensions()) {
        namesByExtension.computeIfAbsent(end, _ -> new LinkedHashSet<>()).add(format.name());
      }
    }
  }

  /// What was found.
  ///
  /// @param files at least one, all of one format, sorted by path
  /// @param warning says which files were left out, if the user did not name the format
  public record Listing(List<FoundFile> files, Optional<Advice> warning) {
    /// Nothing was looked for.
    public static final Listing NONE = new Listing(List.of(), Optional.empty());
  }

  /// Lists the files.
  ///
  /// @param locations folders, files or globs
  /// @param providers the formats and stores that there are
  /// @param wanted the only format to take, or empty to detect it from the files
  /// @param hive whether `key=value` folders are partitions: those below a folder that is a
  ///   location, and all in the path of a file that is named or matches a glob
  /// @param concurrency looks at many locations at once
  /// @throws IOException if nothing is found, formats are mixed, or a folder cannot be read
  public static Listing list(
      List<String> locations,
      Providers providers,
      Optional<FileFormat> wanted,
      boolean hive,
      StorageOptions options,
      Concurrency concurrency)
      throws IOException {
    Discovery discovery = new Discovery(providers, wanted, hive, options, locations.size() > 1);
    List<Listed> listed = new ArrayList<>();
    for (Outcome<List<Listed>> look : concurrency.each(locations, discovery::look)) {
      listed.addAll(look.get());
    }
    discovery.takeAll(listed, concurrency);
    discovery.requireOneFormat(locations);
    discovery.found.sort(Comparator.comparing(file -> file.entry().location()));
    return new Listing(List.copyOf(discovery.found), discovery.warning());
  }

  /// A file that the location `by` led to, and whether that names the file itself; the folders of
  /// `path` may be partitions.
  private record Listed(FileEntry file, Storage store, String by, boolean named, String path) {}

  private List<Listed> look(String text) throws IOException {
    Location location = new Location(text);
    Storage store = providers.store(location, options);
    Optional<FileEntry> entry = store.stat(location);
    if (entry.isPresent() && !entry.get().folder()) {
      return List.of(new Listed(entry.get(), store, text, true, location.text()));
    }
    if (entry.isPresent()) {
      return below(store, entry.get().location(), text, Optional.empty());
    }
    if (Glob.hasWildcard(location.text())) {
      return matches(location, store);
    }
    throw new IOException(
        Sentence.of("Cannot read '%s': no such file or folder. %s", location, check(location)));
  }

  /// Returns what to look at where nothing is at a location.
  private String check(Location location) {
    String text = location.text();
    if (text.startsWith("~")) {
      return HOME;
    }
    return switch (location.scheme()) {
      case "file" ->
          providers
              .withScheme(text)
              .map(meant -> "Did you mean '" + new Location(meant) + "'?")
              .orElse("Check the path; relative paths start at the working directory.");
      case "http", "https" ->
          "The server has nothing there (404). Check the URL: upper and lower case differ.";
      case HUB -> "Check the path and the revision: upper and lower case differ.";
      default -> "Check the bucket and the key: upper and lower case differ.";
    };
  }

  private List<Listed> matches(Location location, Storage store) throws IOException {
    Glob glob = Glob.parse(location.text());
    // In the Hub the name of a data set without a slash is its Parquet export.
    String end = location.scheme().equals(HUB) ? "/" : "";
    Location named = new Location(glob.folder() + end);
    Optional<FileEntry> stated = store.stat(named);
    if (stated.isEmpty()) {
      throw new IOException(
          Sentence.of(
              "Cannot read '%s': there is no folder '%s' to look in. %s",
              location, named, check(location)));
    }
    Location folder = stated.get().location(); // for files, the slashes of a//b may be collapsed
    return below(store, folder, location.text(), Optional.of(glob.in(folder.text())));
  }

  private List<Listed> below(Storage store, Location folder, String by, Optional<Glob> glob)
      throws IOException {
    List<Listed> files = new ArrayList<>();
    List<FoundTable> tables = new ArrayList<>();
    int root = folder.text().length();
    Predicate<Location> mayHold =
        at -> {
          String below = at.text().substring(root);
          note(folder, below, glob, tables);
          return !isSkipped(below) && (glob.isEmpty() || glob.get().mayHold(at.text()));
        };
    for (FileEntry file : store.list(folder, mayHold)) {
      String text = file.location().text();
      String below = text.substring(root);
      note(folder, below, glob, tables);
      if (!isSkipped(below) && (glob.isEmpty() || glob.get().matches(text))) {
        files.add(new Listed(file, store, by, false, glob.isEmpty() ? below : text));
      }
    }
    if (wanted.isEmpty()) {
      // The Hub counts requests, so nobody looks beside a folder there.
      if (tables.isEmpty() && !folder.scheme().equals(HUB)) {
        FoundTable.around(store, folder.text()).ifPresent(tables::add);
      }
      if (!tables.isEmpty()) {
        throw tables.getFirst().error(by);
      }
    }
    return files;
  }

  /// Notes the table that a file or folder belongs to, unless a glob leaves the table out.
  private static void note(
      Location folder, String below, Optional<Glob> glob, List<FoundTable> tables) {
    FoundTable.of(folder.text(), below)
        .filter(table ->
            table.below().isEmpty() || glob.isEmpty() || glob.get().mayHold(table.folder()))
        .ifPresent(tables::add);
  }

  private static boolean isSkipped(String path) {
    return path.startsWith("_")
        || path.startsWith(".")
        || path.contains("/_")
        || path.contains("/.")
        || path.endsWith(PLAN_EXTENSION)
        || CacheFolder.isOwn(path.substring(path.lastIndexOf('/') + 1));
  }

  private void takeAll(List<Listed> listed, Concurrency concurrency) throws IOException {
    Map<FileEntry, Optional<FileFormat>> looked = new HashMap<>();
    List<Listed> unknown = listed.stream().filter(file -> known(file).isEmpty()).toList();
    List<Outcome<Optional<FileFormat>>> formats =
        concurrency.each(unknown, file -> byMagic(file.file(), file.store()));
    for (int i = 0; i < unknown.size(); i++) {
      looked.put(unknown.get(i).file(), formats.get(i).get());
    }
    for (Listed each : listed) {
      take(each, known(each).or(() -> looked.getOrDefault(each.file(), Optional.empty())));
    }
  }

  /// Returns the format that the user chose, for a file that is named itself, else the format of
  /// the file's extension.
  private Optional<FileFormat> known(Listed file) {
    return file.named() && wanted.isPresent() ? wanted : byName(file.file());
  }

  private void take(Listed listed, Optional<FileFormat> format) throws IOException {
    FileEntry file = listed.file();
    Storage store = listed.store();
    if (wanted.isEmpty() && format.isEmpty()) {
      requireNoModule(file, store);
    }
    if (format.isEmpty() || (wanted.isPresent() && !format.equals(wanted))) {
      others.computeIfAbsent(kind(file), _ -> new ArrayList<>()).add(file.location());
      leadToOthers.add(listed.by());
      return;
    }
    Location one = several ? store.canonical(file.location()) : file.location();
    String before = foundBy.put(one, listed.by());
    if (before != null) {
      throw new IOException(
          Sentence.of(
              "Cannot read '%s' twice: it is found by '%s' and by '%s'. Name it once.",
              file.location(), before, listed.by()));
    }
    List<PartitionValue> partition =
        hive ? Partitions.values(file.location(), listed.path()) : List.of();
    found.add(new FoundFile(file, store, format.get(), partition));
    leadToData.add(listed.by());
  }

  /// Returns the format of the longest extension of a file, the chosen one before others.
  private Optional<FileFormat> byName(FileEntry file) {
    String name = file.location().name().toLowerCase(Locale.ROOT);
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      Set<String> formats = namesByExtension.getOrDefault(name.substring(dot + 1), Set.of());
      if (wanted.isPresent() && formats.contains(wanted.get().name())) {
        return wanted;
      }
      if (formats.size() > 1 && wanted.isEmpty()) {
        throw Advice.argumentError(
            "Cannot tell the format of '%s': files of formats %s have such names. Choose one with"
                + " %s.",
            file.location(), formats, Remedy.FORMAT);
      }
      if (!formats.isEmpty()) {
        return Optional.of(providers.format(formats.iterator().next()));
      }
    }
    return Optional.empty();
  }

  private Optional<FileFormat> byMagic(FileEntry file, Storage store) throws IOException {
    int length =
        providers.formats().all().stream()
            .mapToInt(format -> format.magic().length)
            .max()
            .orElse(0);
    if (file.bytes() == 0 || length == 0) {
      return Optional.empty();
    }
    byte[] bytes = head(file, store, (int) Math.min(file.bytes(), length));
    return providers.formats().all().stream()
        .filter(format -> format.magic().length > 0 && startsWith(bytes, format.magic()))
        .findFirst()
        .map(format -> providers.format(format.name()));
  }

  /// Rejects a file of a format whose module is absent.
  private void requireNoModule(FileEntry file, Storage store) throws IOException {
    Optional<ModuleFormats> module = ModuleFormats.byExtension(extension(file));
    if (module.isEmpty() && file.bytes() > 0) {
      int length = (int) Math.min(file.bytes(), ModuleFormats.MAGIC_BYTES);
      module = ModuleFormats.byMagic(head(file, store, length));
    }
    if (module.isPresent()) {
      throw Advice.ioError(
          "%s%s", module.get().absent("'" + file.location() + "'"), providers.leftOutFormats());
    }
  }

  private static byte[] head(FileEntry file, Storage store, int length) throws IOException {
    try (StorageFile open = store.open(file)) {
      return open.bytes(0, length);
    }
  }

  private static boolean startsWith(byte[] bytes, byte[] magic) {
    int length = magic.length;
    return bytes.length >= length && Arrays.equals(bytes, 0, length, magic, 0, length);
  }

  private static String extension(FileEntry file) {
    String name = file.location().name();
    return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }

  private static String kind(FileEntry file) {
    String name = file.location().name();
    return name.indexOf('.') < 0 ? "no extension" : "." + extension(file);
  }

  private void requireOneFormat(List<String> locations) throws IOException {
    Map<String, List<Location>> kinds = new TreeMap<>();
    for (FoundFile file : found) {
      kinds
          .computeIfAbsent(file.format().name(), _ -> new ArrayList<>())
          .add(file.entry().location());
    }
    if (kinds.isEmpty()) {
      String looked =
          wanted.map(format -> format.name() + " files").orElse("data files")
              + " (formats here: "
              + providers.formatNames()
              + ")";
      throw Advice.ioError(
          "Cannot find any data in %s: looked for %s but found %s. Names that start with '_' or"
              + " '.' are skipped%s%s",
          quoted(locations),
          looked,
          others.isEmpty() ? "no files" : describe(others),
          others.isEmpty()
              ? "."
              : Advice.of(
                  "; a file with another extension is read where it is named itself, with %s.",
                  Remedy.FORMAT),
          providers.leftOutFormats());
    }
    if (wanted.isEmpty() && (kinds.size() > 1 || !leadToData.containsAll(leadToOthers))) {
      kinds.putAll(others);
      throw Advice.ioError(
          "Cannot read %s as one dataset: found %s. Choose one with %s, or a glob that"
              + " leaves the others out.%s",
          quoted(locations), describe(kinds), Remedy.FORMAT, providers.leftOutFormats());
    }
  }

  private Optional<Advice> warning() {
    return wanted.isPresent() || others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Advice.of(
                "Left out files that have neither the extension nor the first bytes of a data"
                    + " format: %s. One is read where it is named itself, with %s.",
                describe(others), Remedy.FORMAT));
  }

  private static String quoted(List<String> locations) {
    return locations.stream()
        .map(location -> "'" + Printable.of(location) + "'")
        .reduce((a, b) -> a + ", " + b)
        .orElse("no location");
  }

  private static String describe(Map<String, List<Location>> kinds) {
    List<String> parts = new ArrayList<>();
    kinds.forEach((kind, files) -> {
      List<String> names = files.stream().map(Location::name).sorted().limit(EXAMPLES_MAX).toList();
      parts.add(
          Sentence.of(
              "%s %s (%s%s)",
              files.size(),
              kind,
              String.join(", ", names),
              files.size() > EXAMPLES_MAX ? ", ..." : ""));
    });
    return String.join(", ", parts);
  }
}
