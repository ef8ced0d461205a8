package dev.penstock.internal.dataset;

import dev.penstock.internal.fetch.VirtualThreads;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.Concurrency.Outcome;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Looks up the versions of a catalog's files, as catalogs do not know them. A file that cannot be
/// opened is left without: whoever reads it meets the error.
final class FileVersions {
  /// A folder with as many files of the table is listed, 1,000 files a request; others are opened,
  /// many at once, which takes a request each.
  private static final int LISTED_MIN = 100;

  private FileVersions() {}

  /// Returns the files in the versions and with the sizes that their stores tell.
  static List<FoundFile> of(List<FoundFile> files) throws IOException {
    Map<String, List<FoundFile>> folders = new LinkedHashMap<>();
    for (FoundFile file : files) {
      if (file.entry().version().isEmpty()) {
        folders.computeIfAbsent(folder(file), _ -> new ArrayList<>()).add(file);
      }
    }
    List<List<FoundFile>> large =
        folders.values().stream().filter(each -> each.size() >= LISTED_MIN).toList();
    Concurrency threads = new VirtualThreads();
    Map<Location, FileEntry> found = new HashMap<>();
    for (Outcome<List<FileEntry>> listing : threads.each(large, FileVersions::listed)) {
      listing.get().forEach(entry -> found.put(entry.location(), entry));
    }
    List<FoundFile> others =
        folders.values().stream()
            .flatMap(List::stream)
            .filter(file -> !found.containsKey(file.entry().location()))
            .toList();
    for (Outcome<Optional<FileEntry>> entry : threads.each(others, FileVersions::lookedUp)) {
      entry.get().ifPresent(each -> found.put(each.location(), each));
    }
    return files.stream()
        .map(file -> {
          FileEntry entry = found.get(file.entry().location());
          return entry == null ? file : file.with(entry);
        })
        .toList();
  }

  private static String folder(FoundFile file) {
    String text = file.entry().location().text();
    return text.substring(0, text.lastIndexOf('/') + 1);
  }

  private static List<FileEntry> listed(List<FoundFile> folder) {
    Set<Location> wanted = new HashSet<>();
    folder.forEach(file -> wanted.add(file.entry().location()));
    FoundFile first = folder.getFirst();
    try {
      return first.storage().list(new Location(folder(first)), wanted::contains).stream()
          .filter(entry -> wanted.contains(entry.location()) && !entry.version().isEmpty())
          .toList();
    } catch (IOException | RuntimeException _) { // one may read what one may not list
      return List.of();
    }
  }

  private static Optional<FileEntry> lookedUp(FoundFile file) {
    Location location = file.entry().location();
    try (StorageFile opened = file.storage().open(location)) {
      return Optional.of(new FileEntry(location, opened.size(), false, opened.version()));
    } catch (IOException | RuntimeException _) {
      return Optional.empty();
    }
  }
}
