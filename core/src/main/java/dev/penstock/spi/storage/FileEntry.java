package dev.penstock.spi.storage;

import dev.penstock.storage.Location;

/// What a store knows about a file or folder without opening it.
///
/// @param location where it is
/// @param bytes its size in bytes; 0 for a folder
/// @param folder whether it is a folder
/// @param version a token that changes with the contents, as [StorageFile#version]; empty if the
///   store knows it only for an open file
public record FileEntry(Location location, long bytes, boolean folder, String version) {
  /// Makes the entry of a store without versions.
  ///
  /// @param location where it is
  /// @param bytes its size in bytes; 0 for a folder
  /// @param folder whether it is a folder
  public FileEntry(Location location, long bytes, boolean folder) {
    this(location, bytes, folder, "");
  }

  /// Makes the entry of an object that a store has listed. Objects that mark a folder are not
  /// files: a name that ends in a slash, and the empty `name_$folder$` that EMR and older Hadoop
  /// tools leave.
  ///
  /// @param location where it is
  /// @param bytes its size in bytes
  /// @param version a token that changes with the contents
  /// @return its entry
  public static FileEntry listed(Location location, long bytes, String version) {
    String text = location.text();
    boolean marksFolder = text.endsWith("/") || (bytes == 0 && text.endsWith("_$folder$"));
    return marksFolder ? folder(location) : new FileEntry(location, bytes, false, version);
  }

  /// Makes the entry of a folder.
  ///
  /// @param location where it is
  /// @return its entry
  public static FileEntry folder(Location location) {
    return new FileEntry(location, 0, true, "");
  }
}
