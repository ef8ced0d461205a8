package dev.penstock.storage;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// A place where files live. One implementation per kind of store, found by `ServiceLoader`.
///
/// **Threads.** May be called by any number of threads at once.
///
/// **Errors.** `IOException` with a sentence that names the location and what to do.
public interface Storage {
  /// Returns the schemes this store serves.
  ///
  /// @return lower-case schemes as in [Location#scheme()], for example `file`
  List<String> schemes();

  /// Looks at one location without opening it.
  ///
  /// @param location a file or folder
  /// @return what is there, or empty if nothing is
  /// @throws IOException if the store cannot tell
  Optional<FileEntry> stat(Location location) throws IOException;

  /// Lists all files below a folder, at any depth, in no particular order.
  ///
  /// Names are not filtered here: the loader skips `_`- and `.`-names, sorts, and matches globs.
  ///
  /// @param folder an existing folder
  /// @return its files, folders left out
  /// @throws IOException if a folder cannot be read; a part of a listing is never returned
  List<FileEntry> list(Location folder) throws IOException;

  /// Returns the one spelling of a file's location, so that a file that was named twice is noticed.
  ///
  /// @param file an existing file
  /// @return the location that all its spellings lead to; the location itself where a store has but
  ///   one for each file
  /// @throws IOException if the store cannot tell
  default Location canonical(Location file) throws IOException {
    return file;
  }

  /// Opens a file for reading.
  ///
  /// @param location an existing file
  /// @return the open file, to be closed by the caller
  /// @throws IOException if it cannot be opened
  StorageFile open(Location location) throws IOException;
}
