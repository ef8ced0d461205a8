package dev.penstock.spi.storage;

import java.util.List;
import java.util.Optional;

/// Some files of a folder, as a store lists them in one request.
///
/// @param files the files, in no particular order, and folder markers as
///   [FileEntry#folder(dev.penstock.storage.Location)]; there may be none
/// @param next the argument for [RemoteRequests#list] to get the next page; empty after the last
///   page
public record FilePage(List<FileEntry> files, Optional<String> next) {
  /// Copies the list.
  public FilePage {
    files = List.copyOf(files);
  }

  /// {@return the last page}
  ///
  /// @param files its files
  public static FilePage last(List<FileEntry> files) {
    return new FilePage(files, Optional.empty());
  }
}
