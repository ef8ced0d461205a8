package dev.penstock.internal.http;

import dev.penstock.storage.FetchAdvice;
import dev.penstock.storage.FileEntry;
import dev.penstock.storage.Location;
import dev.penstock.storage.Pace;
import dev.penstock.storage.RemoteFile;
import dev.penstock.storage.Retries;
import dev.penstock.storage.RetryPolicy;
import dev.penstock.storage.Storage;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageFile;
import dev.penstock.storage.StorageOptions;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Files of web servers that answer ranges. HTTP has no folders: each file is named by its URL.
///
/// A file is of one version by its strong `ETag`, else by the time of its last change.
public final class HttpStorage implements Storage {
  private static final Set<String> KEYS = Set.of("username", "password", "bearer-token", "query");

  private final @Nullable HttpRequests requests; // null until it is told its options
  private final Retries retries;
  private final FetchAdvice advice;

  /// Makes the store as `ServiceLoader` wants it; [#with] gives the one to use.
  public HttpStorage() {
    this(null, StorageOptions.NONE);
  }

  private HttpStorage(@Nullable HttpRequests requests, StorageOptions options) {
    this.requests = requests;
    this.retries = new Retries(RetryPolicy.of(options), Pace.SYSTEM);
    this.advice = FetchAdvice.of(options);
  }

  @Override
  public List<String> schemes() {
    return List.of("http", "https");
  }

  @Override
  public Set<String> optionKeys() {
    Set<String> keys = new HashSet<>(StorageOptions.COMMON);
    keys.addAll(KEYS);
    return keys;
  }

  @Override
  public Storage with(StorageOptions options) {
    return new HttpStorage(new HttpRequests(options), options);
  }

  private HttpRequests requests() {
    if (requests == null) {
      throw new IllegalStateException("Cannot read: the store was not told its options.");
    }
    return requests;
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    if (location.text().endsWith("/")) {
      return Optional.of(FileEntry.folder(location));
    }
    Optional<FileEntry> file =
        retries.call("look at '" + location + "'", () -> requests().stat(location));
    if (file.isEmpty() && location.text().matches(".*[*\\[{].*")) {
      throw noFolders(location);
    }
    return file;
  }

  @Override
  public List<FileEntry> list(Location folder) throws IOException {
    throw noFolders(folder);
  }

  private static IOException noFolders(Location folder) {
    return new IOException(
        "Cannot list '" + folder + "': HTTP has no folders. Name each file by its URL.");
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    FileEntry file =
        stat(location)
            .orElseThrow(() ->
                new StorageException(
                    StorageException.Kind.MISSING,
                    "Cannot read '"
                        + location
                        + "': it is gone. List the dataset again, or restore the file.",
                    null));
    return open(file);
  }

  @Override
  public StorageFile open(FileEntry file) {
    return new RemoteFile(
        file, (offset, length) -> requests().open(file, offset, length), retries, advice);
  }
}
