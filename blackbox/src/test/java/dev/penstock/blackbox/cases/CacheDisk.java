package dev.penstock.blackbox.cases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The folder of a cache as it is on the disk.
///
/// @param folder the folder, which need not exist
record CacheDisk(Path folder) {
  private List<Path> files(String extension) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(extension)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the segments that are whole.
  List<Path> segments() {
    return files(".segment");
  }

  /// Returns the segments that are being written, or were when their process ended.
  List<Path> parts() {
    return files(".part");
  }

  /// Returns the size of all files together.
  long bytes() {
    return files("").stream().mapToLong(CacheDisk::size).sum();
  }

  /// Returns the size of the largest segment that is being written.
  long partBytes() {
    return parts().stream().mapToLong(CacheDisk::size).max().orElse(0);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0; // It was deleted or renamed meanwhile.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the contents of all segments, by name.
  Map<String, byte[]> contents() throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    for (Path segment : segments()) {
      contents.put(segment.getFileName().toString(), Files.readAllBytes(segment));
    }
    return contents;
  }

  /// Makes the folder have these segments and nothing else.
  void restore(Map<String, byte[]> contents) throws IOException {
    for (Path file : files("")) {
      Files.delete(file);
    }
    for (Map.Entry<String, byte[]> segment : contents.entrySet()) {
      Files.write(folder.resolve(segment.getKey()), segment.getValue());
    }
  }
}
