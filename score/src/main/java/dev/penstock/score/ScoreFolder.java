package dev.penstock.score;

import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The folder that scores are written to, on this machine or in a store. A file is created whole or
/// not at all, and never replaced.
record ScoreFolder(Location location, Storage storage) {
  private static final long BYTES_MAX = Integer.MAX_VALUE - 8; // of an array

  static ScoreFolder of(String location, StorageOptions options) {
    if (location.isBlank()) {
      throw new IllegalArgumentException("Cannot write scores: the name of the folder is empty.");
    }
    Location folder = new Location(location.replaceFirst("(?<=[^/:])/+$", ""));
    return new ScoreFolder(folder, Installed.store(folder, options));
  }

  boolean isLocal() {
    return location.scheme().equals("file");
  }

  Location file(String name) {
    return new Location(location.text().replaceFirst("/$", "") + "/" + name);
  }

  /// Returns whether it created the file; false if there is one of its name.
  boolean create(String name, byte[] content) throws IOException {
    return storage.create(file(name), content);
  }

  /// Deletes the local files that a run was creating when it was killed. For who has the folder
  /// alone.
  void deleteDrafts() throws IOException {
    Path folder = Location.local(location.text());
    try (DirectoryStream<Path> drafts = Files.newDirectoryStream(folder, ".penstock-*.tmp")) {
      for (Path draft : drafts) {
        Files.deleteIfExists(draft);
      }
    }
  }

  /// Returns the contents of a file; empty if there is none.
  Optional<byte[]> read(String name) throws IOException {
    Location file = file(name);
    if (storage.stat(file).isEmpty()) {
      return Optional.empty();
    }
    try (StorageFile open = storage.open(file)) {
      long size = open.size();
      if (size > BYTES_MAX) {
        throw new IOException(
            "Cannot read '"
                + file
                + "': it has "
                + size
                + " bytes but expected at most "
                + BYTES_MAX
                + ", as files of scores have. Name another folder.");
      }
      return Optional.of(open.bytes(0, (int) size));
    }
  }

  /// Returns the files directly in the folder, by name; none if it does not exist.
  TreeMap<String, FileEntry> files() throws IOException {
    TreeMap<String, FileEntry> files = new TreeMap<>();
    Optional<FileEntry> there = storage.stat(location);
    if (there.isPresent() && !there.get().folder()) {
      throw new IOException(
          "Cannot write scores to '" + location + "': it is a file. Name a folder.");
    }
    if (there.isPresent()) {
      String start = file("").text();
      for (FileEntry file : storage.list(location)) {
        String text = file.location().text();
        if (text.startsWith(start) && text.indexOf('/', start.length()) < 0) {
          files.put(text.substring(start.length()), file);
        }
      }
    }
    return files;
  }

  /// Returns the names of files that a reader of the folder would take for scores, and that are not
  /// expected there.
  List<String> strangers(Set<String> expected) throws IOException {
    List<String> strangers = new ArrayList<>();
    for (String name : files().keySet()) {
      if (!name.startsWith("_") && !name.startsWith(".") && !expected.contains(name)) {
        strangers.add(name);
      }
    }
    return strangers;
  }
}
