package dev.penstock.spi.storage;

import java.util.List;
import java.util.Optional;

/// Some files of a folder: what a store lists with one request.
///
/// @param files the files, in no particular order, and what marks folders as
///   [FileEntry#folder(dev.penstock.storage.Location)]; there may be none
/// @param next what [RemoteRequests#list] takes to go on; empty behind the last page
public record FilePage(List<FileEntry> files, Optional<String> next) {
  /// Keeps the files unmodifiable.
  public FilePage {
    files = List.copyOf(files);
  }

  /// Makes the last page.
  ///
  /// @param files its files
  /// @return the page
  public static FilePage last(List<FileEntry> files) {
    return new FilePage(files, Optional.empty());
  }
}
