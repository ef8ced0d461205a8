package dev.penstock.internal.plan;

import dev.penstock.format.FileFormat;
import dev.penstock.split.PartitionValue;
import dev.penstock.storage.FileEntry;
import dev.penstock.storage.FilePage;
import dev.penstock.storage.Location;
import dev.penstock.storage.Storage;
import dev.penstock.storage.StorageFile;
import dev.penstock.storage.StorageOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Lists the data files of a dataset: folders at any depth, files, globs; sorted by path.
///
/// Names that start with `_` or `.` are skipped below a folder; a file named outright is always
/// taken. Every rank that lists the same store gets the same list.
public final class Discovery {
  private static final int EXAMPLES_MAX = 3;

  private final Optional<FileFormat> wanted;
  private final StorageOptions options;

  /// Whether there is more than one location, so that a file may be found in two spellings.
  private final boolean several;

  private final Map<Location, String> foundBy = new HashMap<>();
  private final List<FoundFile> found = new ArrayList<>();
  private final Map<String, List<Location>> others = new TreeMap<>();

  private final boolean hive;

  private Discovery(
      Optional<FileFormat> wanted, boolean hive, StorageOptions options, boolean several) {
    this.wanted = wanted;
    this.options = options;
    this.hive = hive;
    this.several = several;
  }

  /// Lists the files.
  ///
  /// @param locations folders, files or globs
  /// @param wanted the only format to take, or empty to tell it from the files
  /// @param hive whether `key=value` folders below a location are partitions
  /// @param options what stores are told
  /// @return the files, all of one format, sorted by path; at least one
  /// @throws IOException if nothing is found, formats are mixed, or a folder cannot be read
  public static List<FoundFile> list(
      List<String> locations, Optional<FileFormat> wanted, boolean hive, StorageOptions options)
      throws IOException {
    Discovery discovery = new Discovery(wanted, hive, options, locations.size() > 1);
    for (String location : locations) {
      discovery.add(location);
    }
    discovery.requireOneFormat(locations);
    discovery.found.sort(Comparator.comparing(file -> file.entry().location()));
    return List.copyOf(discovery.found);
  }

  private void add(String text) throws IOException {
    Location location = new Location(text);
    Storage store = Providers.store(location, options);
    Optional<FileEntry> entry = store.stat(location);
    if (entry.isPresent() && !entry.get().folder()) {
      take(entry.get(), store, text, true, "");
    } else if (entry.isPresent()) {
      String root = entry.get().location().text();
      forEachFile(
          store,
          entry.get().location(),
          file -> {
            String below = file.location().text().substring(root.length());
            if (!isHidden(below)) {
              take(file, store, text, false, below);
            }
          });
    } else if (Glob.hasWildcard(location.text())) {
      addMatches(location, store);
    } else {
      throw new IOException(
          "Cannot read '"
              + text
              + "': no such file or folder. Check the path; relative paths start at the working"
              + " directory.");
    }
  }

  private void addMatches(Location location, Storage store) throws IOException {
    Glob glob = Glob.parse(location.text());
    Location folder = new Location(glob.folder());
    if (store.stat(folder).isEmpty()) {
      throw new IOException(
          "Cannot read '" + location + "': there is no folder '" + folder + "' to look in.");
    }
    forEachFile(
        store,
        folder,
        file -> {
          String text = file.location().text();
          String below = text.substring(glob.folder().length());
          if (glob.pattern().matcher(text).matches() && !isHidden(below)) {
            take(file, store, location.text(), false, below);
          }
        });
  }

  /// What is done with a listed file.
  private interface Taker {
    void take(FileEntry file) throws IOException;
  }

  private static void forEachFile(Storage store, Location folder, Taker taker) throws IOException {
    Optional<String> from = Optional.of("");
    while (from.isPresent()) {
      FilePage page = store.list(folder, from.get());
      for (FileEntry file : page.files()) {
        taker.take(file);
      }
      from = page.next();
    }
  }

  private static boolean isHidden(String path) {
    return path.startsWith("_")
        || path.startsWith(".")
        || path.contains("/_")
        || path.contains("/.");
  }

  /// @param below the part of the location that is below the folder which was listed
  private void take(FileEntry file, Storage store, String by, boolean named, String below)
      throws IOException {
    Optional<FileFormat> format = formatOf(file, store);
    if (wanted.isPresent() && (named || format.equals(wanted))) {
      format = wanted;
    }
    if (wanted.isEmpty() && format.isEmpty()) {
      requireNoModule(file, store);
    }
    if (format.isEmpty() || (wanted.isPresent() && !format.equals(wanted))) {
      others.computeIfAbsent(kind(file), _ -> new ArrayList<>()).add(file.location());
      return;
    }
    Location one = several ? store.canonical(file.location()) : file.location();
    String before = foundBy.put(one, by);
    if (before != null) {
      throw new IOException(
          "Cannot read '"
              + file.location()
              + "' twice: it is found by '"
              + before
              + "' and by '"
              + by
              + "'. Name it once.");
    }
    List<PartitionValue> partition = hive ? HiveFolders.of(file.location(), below) : List.of();
    found.add(new FoundFile(file, store, format.get(), partition));
  }

  private static Optional<FileFormat> formatOf(FileEntry file, Storage store) throws IOException {
    String name = file.location().name().toLowerCase(Locale.ROOT);
    for (FileFormat format : Providers.formats()) {
      if (format.extensions().stream().anyMatch(extension -> name.endsWith("." + extension))) {
        return Optional.of(format);
      }
    }
    return byMagic(file, store);
  }

  private static Optional<FileFormat> byMagic(FileEntry file, Storage store) throws IOException {
    int length =
        Providers.formats().stream().mapToInt(format -> format.magic().length).max().orElse(0);
    if (file.bytes() < length || length == 0) {
      return Optional.empty();
    }
    byte[] bytes = head(file, store, length);
    return Providers.formats().stream()
        .filter(format -> format.magic().length > 0 && startsWith(bytes, format.magic()))
        .findFirst();
  }

  /// Refuses a file of a format whose module is absent.
  private static void requireNoModule(FileEntry file, Storage store) throws IOException {
    Optional<ModuleFormats> module = ModuleFormats.byExtension(extension(file));
    if (module.isEmpty() && file.bytes() > 0) {
      int length = (int) Math.min(file.bytes(), ModuleFormats.MAGIC_BYTES);
      module = ModuleFormats.byMagic(head(file, store, length));
    }
    if (module.isPresent()) {
      throw new IOException(module.get().absent("'" + file.location() + "'"));
    }
  }

  private static byte[] head(FileEntry file, Storage store, int length) throws IOException {
    try (Arena arena = Arena.ofConfined();
        StorageFile open = store.open(file)) {
      MemorySegment head = arena.allocate(length);
      open.read(0, head);
      return head.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static boolean startsWith(byte[] bytes, byte[] magic) {
    return Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
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
              + Providers.formats().stream().map(FileFormat::name).sorted().toList()
              + ")";
      throw new IOException(
          "Cannot find any data in "
              + quoted(locations)
              + ": looked for "
              + looked
              + " but found "
              + (others.isEmpty() ? "no files" : describe(others))
              + ". Names that start with '_' or '.' are skipped.");
    }
    if (wanted.isEmpty() && (kinds.size() > 1 || !others.isEmpty())) {
      kinds.putAll(others);
      throw new IOException(
          "Cannot read "
              + quoted(locations)
              + " as one dataset: found "
              + describe(kinds)
              + ". Choose one format, or a glob that leaves the others out.");
    }
  }

  private static String quoted(List<String> locations) {
    return locations.stream()
        .map(location -> "'" + location + "'")
        .reduce((a, b) -> a + ", " + b)
        .orElse("no location");
  }

  private static String describe(Map<String, List<Location>> kinds) {
    List<String> parts = new ArrayList<>();
    kinds.forEach((kind, files) -> {
      List<String> names = files.stream().map(Location::name).sorted().limit(EXAMPLES_MAX).toList();
      parts.add(
          files.size()
              + " "
              + kind
              + " ("
              + String.join(", ", names)
              + (files.size() > EXAMPLES_MAX ? ", ..." : "")
              + ")");
    });
    return String.join(", ", parts);
  }
}
