package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the newest metadata file of a table's folder in the layout of Hadoop tables:
/// `metadata/v3.metadata.json`, with the number also in `metadata/version-hint.text`.
public final class TableFolder {
  private static final Pattern VERSIONED =
      Pattern.compile("v([0-9]{1,9})(?:\\.gz)?\\.metadata\\.json(?:\\.gz)?");
  private static final int HINT_BYTES_MAX = 64;

  private TableFolder() {}

  /// Returns the metadata file for a user's location.
  public static String metadataFile(String name, TableFiles files) throws IOException {
    if (name.endsWith(".json") || name.endsWith(".json.gz")) {
      return name;
    }
    String folder = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    String metadata = folder + "/metadata";
    Location location = files.location(metadata);
    if (files.store(metadata).stat(location).filter(FileEntry::folder).isEmpty()) {
      throw new IOException(
          ("Cannot read table '%s': it is neither a metadata file (.metadata.json) nor a"
                  + " folder with 'metadata' in it. Correct the location.")
              .formatted(name));
    }
    List<FileEntry> all = files.store(metadata).list(location);
    long newest = hint(metadata, files).orElse(-1);
    String found = "";
    for (FileEntry entry : all) {
      Matcher matcher = VERSIONED.matcher(entry.location().name());
      // A commit writes the file before the hint.
      if (matcher.matches() && Long.parseLong(matcher.group(1)) >= newest) {
        newest = Long.parseLong(matcher.group(1));
        found = entry.location().name();
      }
    }
    if (found.isEmpty()) {
      throw new IOException(
          ("Cannot read table '%s': which of its %s metadata files is current stands in"
                  + " its catalog only. Name the table in its catalog, or one of the files.")
              .formatted(
                  name,
                  all.stream().filter(each -> each.location().name().endsWith(".json")).count()));
    }
    return metadata + "/" + found;
  }

  private static OptionalLong hint(String metadata, TableFiles files) throws IOException {
    String path = metadata + "/version-hint.text";
    Optional<FileEntry> hint = files.store(path).stat(files.location(path));
    if (hint.isEmpty()) {
      return OptionalLong.empty();
    }
    try (StorageFile file = files.open(path)) {
      byte[] bytes = file.bytes(0, (int) Math.min(file.size(), HINT_BYTES_MAX));
      String text = new String(bytes, StandardCharsets.UTF_8).strip();
      return text.matches("[0-9]{1,9}")
          ? OptionalLong.of(Long.parseLong(text))
          : OptionalLong.empty();
    }
  }
}
