package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

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

  /// Returns the storage options that the store takes.
  ///
  /// @return keys as in [StorageOptions]
  default Set<String> optionKeys() {
    return Set.of();
  }

  /// Returns the store as options want it. Asked once for the same options; what it gives, with its
  /// connections, is kept until the process ends.
  ///
  /// @param options may hold options of other stores, too
  /// @return the store to use; this one where it has no options
  /// @throws IllegalArgumentException if the value of an option is none; the message holds no
  ///   secret
  default Storage with(StorageOptions options) {
    return this;
  }

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

  /// Lists the files below a folder that are wanted, and maybe others. A store that reads one
  /// folder after another leaves out those in which nothing is wanted, and what is wrong with them.
  ///
  /// @param folder an existing folder
  /// @param wanted tells whether a file or folder is wanted, or anything below it
  /// @return the files
  /// @throws IOException if a folder cannot be read
  default List<FileEntry> list(Location folder, Predicate<Location> wanted) throws IOException {
    return list(folder);
  }

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

  /// Opens a file that is known already. A store that is asked over a network need not be asked
  /// again: then it is the first read that fails if the file is gone, or is no longer the same.
  ///
  /// @param file what [#stat], [#list] or an open file said of it
  /// @return the open file, to be closed by the caller
  /// @throws IOException if it cannot be opened
  default StorageFile open(FileEntry file) throws IOException {
    return open(file.location());
  }
}
