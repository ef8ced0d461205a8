package dev.penstock.internal.hub;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// The Parquet files that the Hub makes of a data set, `CONFIG/SPLIT/0000.parquet` in a branch of
/// their own, of one config and one split.
///
/// Of a large data set the Hub may export only the first part, in `partial-SPLIT`; a split of many
/// files lies in `SPLIT-part0`, `SPLIT-part1` and so on.
final class HubExport {
  private static final String PARTIAL = "partial-";

  private HubExport() {}

  /// Refuses storage options that choose a config or a split where none is chosen.
  static void refuseChoice(StorageOptions options, Location location) throws IOException {
    for (String key : List.of("config", "split")) {
      if (options.get(key).isPresent()) {
        throw Advice.ioError(
            "Cannot use %s for '%s': it chooses from a data set that is named alone, as"
                + " 'hf://datasets/OWNER/NAME'. Leave it out, or what is behind the name.",
            Remedy.storageOption(key), location);
      }
    }
  }

  /// Lists the files of the chosen split.
  ///
  /// @param root the root of the export, with a slash at its end
  static List<FileEntry> of(Location root, StorageOptions options, Storage requests)
      throws IOException {
    Optional<String> config = options.get("config");
    List<FileEntry> all;
    try {
      all = requests.list(config.isEmpty() ? root : new Location(root + config.get() + "/"));
    } catch (StorageException e) {
      if (config.isEmpty() || e.kind() != StorageException.Kind.MISSING) {
        throw e;
      }
      all = requests.list(root); // for the error
    }
    Map<String, Map<String, List<FileEntry>>> configs = new TreeMap<>();
    for (FileEntry file : all) {
      String[] names = file.location().text().substring(root.text().length()).split("/", -1);
      if (names.length == 3 && names[2].endsWith(".parquet")) {
        configs
            .computeIfAbsent(names[0], _ -> new TreeMap<>())
            .computeIfAbsent(names[1].replaceFirst("-part[0-9]+$", ""), _ -> new ArrayList<>())
            .add(file);
      }
    }
    Map<String, List<FileEntry>> splits =
        Objects.requireNonNull(configs.get(chosen(root, "config", config, configs.keySet())));
    List<String> names = splits.keySet().stream().map(HubExport::whole).distinct().toList();
    String split = chosen(root, "split", options.get("split"), names);
    List<FileEntry> files = splits.get(split);
    if (files == null) {
      throw Advice.ioError(
          "Cannot read split '%s' of '%s': the Hub's Parquet export has only the first part of it."
              + " Read the files of the repository, as in 'hf://datasets/OWNER/NAME/PATH', or that"
              + " part as '%s'.",
          split, root, folder(Objects.requireNonNull(splits.get(PARTIAL + split)).getFirst()));
    }
    return files;
  }

  private static String whole(String split) {
    return split.startsWith(PARTIAL) ? split.substring(PARTIAL.length()) : split;
  }

  private static String folder(FileEntry file) {
    String text = file.location().text();
    return text.substring(0, text.lastIndexOf('/') + 1);
  }

  private static String chosen(
      Location root, String what, Optional<String> wanted, Collection<String> there)
      throws IOException {
    if (wanted.isPresent() && there.contains(wanted.get())) {
      return wanted.get();
    }
    if (wanted.isEmpty() && there.size() == 1) {
      return there.iterator().next();
    }
    if (there.isEmpty()) {
      throw Advice.ioError(
          "Cannot read '%s': the Hub's Parquet export has no files. Name files of the repository,"
              + " as in 'hf://datasets/OWNER/NAME/PATH'.",
          root);
    }
    throw Advice.ioError(
        "Cannot read '%s': %s. Choose one of %s with %s.",
        root,
        wanted.isPresent()
            ? "it has no " + what + " '" + wanted.get() + "'"
            : "it has several " + what + "s",
        List.copyOf(there),
        Remedy.storageOption(what));
  }
}
