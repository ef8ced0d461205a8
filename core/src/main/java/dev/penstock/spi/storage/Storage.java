package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// A place where files live.
///
/// One implementation per kind of store, found by `ServiceLoader`, also with the context class
/// loader of the thread that makes a dataset; or given to [dev.penstock.StructuredDataset#storage].
/// One that cannot be made, or with a scheme that is null, is left out with a warning. Two classes
/// for one scheme are an error where the scheme is used.
///
/// **Threads.** May be called by any number of threads at once.
///
/// **Errors.** `IOException` with a sentence that names the location and what to do.
public interface Storage {
  /// {@return the schemes this store serves, lower-case as in [Location#scheme()], for example
  /// `file`}
  List<String> schemes();

  /// {@return the storage options that the store takes: keys as in [StorageOptions]}
  default Set<String> optionKeys() {
    return Set.of();
  }

  /// {@return the store with options applied; this one if it has no options} The result is kept for
  /// equal options, unless many others were used since. A [RemoteStorage] closes connections that
  /// are not used.
  ///
  /// @param options may include options of other stores
  /// @throws IllegalArgumentException if the value of an option is invalid; the message contains no
  ///   secret
  default Storage with(StorageOptions options) {
    return this;
  }

  /// {@return the origin of a location: where requests for it go, and with them the options, which
  /// may have credentials} Locations of one origin have equal texts; by default those with the same
  /// scheme and host. Options that were given for one location are used for another, which a
  /// table's metadata names, only if both have the same origin.
  ///
  /// @param location a file or folder
  /// @param options the options
  default String origin(Location location, StorageOptions options) {
    String text = location.text();
    int start = text.indexOf("://") + 3;
    int end = text.indexOf('/', start);
    return start < 3
        ? location.scheme()
        : location.scheme() + "://" + text.substring(start, end < 0 ? text.length() : end);
  }

  /// {@return what is at a location, without opening it; empty if nothing is}
  ///
  /// @param location a file or folder
  /// @throws IOException if the store cannot tell
  Optional<FileEntry> stat(Location location) throws IOException;

  /// {@return all files below a folder, at any depth, in no particular order, folders left out}
  ///
  /// Names are not filtered here: the loader skips `_`- and `.`-names, sorts, and matches globs.
  ///
  /// @param folder an existing folder
  /// @throws IOException if a folder cannot be read; a part of a listing is never returned
  List<FileEntry> list(Location folder) throws IOException;

  /// {@return the wanted files below a folder, and maybe others} A store that reads one folder
  /// after another skips folders with nothing wanted, and any errors in them.
  ///
  /// @param folder an existing folder
  /// @param wanted tells whether a file, or anything below a folder, is wanted
  /// @throws IOException if a folder cannot be read
  default List<FileEntry> list(Location folder, Predicate<Location> wanted) throws IOException {
    return list(folder);
  }

  /// {@return the canonical location of a file, the same for all its spellings, so that a file
  /// named twice is noticed; the given location if the store has only one per file}
  ///
  /// @param file an existing file
  /// @throws IOException if the store cannot tell
  default Location canonical(Location file) throws IOException {
    return file;
  }

  /// {@return a file open for reading, to be closed by the caller}
  ///
  /// @param location an existing file
  /// @throws IOException if it cannot be opened
  StorageFile open(Location location) throws IOException;

  /// {@return a file that was already looked up, open for reading, to be closed by the caller} A
  /// network store need not be asked again: then the first read fails if the file is gone or has
  /// changed.
  ///
  /// @param file the entry from [#stat], [#list] or an open file
  /// @throws IOException if it cannot be opened
  default StorageFile open(FileEntry file) throws IOException {
    return open(file.location());
  }

  /// Creates a file, with its folders, unless there is one of its name. Nobody sees a part of it;
  /// of several who create it at once, one does.
  ///
  /// @param file its name
  /// @param content its bytes
  /// @return whether it was created; false also if the answer to a first attempt was lost, so that
  ///   a second one met the file
  /// @throws IOException if it can neither be created nor is there; by default, as the store only
  ///   reads
  default boolean create(Location file, byte[] content) throws IOException {
    throw new IOException(
        "Cannot create '"
            + file
            + "': the store only reads. Name a place in another store, or on this machine.");
  }
}
