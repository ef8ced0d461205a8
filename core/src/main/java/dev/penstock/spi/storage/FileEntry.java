package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/// What a store knows about a file or folder without opening it.
///
/// Equality leaves out the time of writing: the version tells contents apart.
///
/// @param location where it is
/// @param bytes its size in bytes; 0 for a folder
/// @param folder whether it is a folder
/// @param version a token that changes with the contents, as [StorageFile#version]; empty if the
///   store knows it only for an open file
/// @param modified when the file was last written; empty if unknown, as many stores tell it only in
///   lists, and some never
public record FileEntry(
    Location location, long bytes, boolean folder, String version, Optional<Instant> modified) {
  /// Makes the entry of a file or folder that was not listed.
  ///
  /// @param location where it is
  /// @param bytes its size in bytes; 0 for a folder
  /// @param folder whether it is a folder
  /// @param version a token that changes with the contents
  public FileEntry(Location location, long bytes, boolean folder, String version) {
    this(location, bytes, folder, version, Optional.empty());
  }

  /// Makes the entry of a store without versions.
  ///
  /// @param location where it is
  /// @param bytes its size in bytes; 0 for a folder
  /// @param folder whether it is a folder
  public FileEntry(Location location, long bytes, boolean folder) {
    this(location, bytes, folder, "");
  }

  /// {@return the entry of an object that a store has listed} Objects that mark a folder are not
  /// files: a name that ends in a slash, and the empty `name_$folder$` that EMR and older Hadoop
  /// tools leave.
  ///
  /// @param location where it is
  /// @param bytes its size in bytes
  /// @param version a token that changes with the contents
  /// @param modified when it was last written; empty if the list does not tell
  public static FileEntry listed(
      Location location, long bytes, String version, Optional<Instant> modified) {
    String text = location.text();
    boolean marksFolder = text.endsWith("/") || (bytes == 0 && text.endsWith("_$folder$"));
    return marksFolder
        ? folder(location)
        : new FileEntry(location, bytes, false, version, modified);
  }

  /// {@return the entry of a folder}
  ///
  /// @param location where it is
  public static FileEntry folder(Location location) {
    return new FileEntry(location, 0, true, "");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileEntry entry
        && location.equals(entry.location)
        && bytes == entry.bytes
        && folder == entry.folder
        && version.equals(entry.version);
  }

  @Override
  public int hashCode() {
    return Objects.hash(location, bytes, folder, version);
  }
}
