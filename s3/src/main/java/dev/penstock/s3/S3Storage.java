package dev.penstock.s3;

import dev.penstock.storage.FetchAdvice;
import dev.penstock.storage.FileEntry;
import dev.penstock.storage.FilePage;
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

/// Files in Amazon S3 and in what speaks its protocol: `s3://bucket/key`.
///
/// A file is of one version by its ETag. Folders are what keys have in common up to a slash.
public final class S3Storage implements Storage {
  private static final Set<String> KEYS =
      Set.of(
          "access-key-id",
          "anonymous",
          "endpoint",
          "path-style",
          "profile",
          "region",
          "secret-access-key",
          "session-token");

  private final @Nullable S3Requests requests; // null until it is told its options
  private final Retries retries;
  private final FetchAdvice advice;

  /// Makes the store as `ServiceLoader` wants it; [#with] gives the one to use.
  public S3Storage() {
    this(null, StorageOptions.NONE);
  }

  private S3Storage(@Nullable S3Requests requests, StorageOptions options) {
    this.requests = requests;
    this.retries = new Retries(RetryPolicy.of(options), Pace.SYSTEM);
    this.advice = FetchAdvice.of(options);
  }

  @Override
  public List<String> schemes() {
    return List.of("s3", "s3a");
  }

  @Override
  public Set<String> optionKeys() {
    Set<String> keys = new HashSet<>(StorageOptions.COMMON);
    keys.addAll(KEYS);
    return keys;
  }

  @Override
  public Storage with(StorageOptions options) {
    return new S3Storage(new S3Requests(options), options);
  }

  private S3Requests requests() {
    if (requests == null) {
      throw new IllegalStateException("Cannot read: the store was not told its options.");
    }
    return requests;
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    S3Path path = S3Path.of(location);
    String what = "look at '" + location + "'";
    if (!path.key().equals(path.prefix())) {
      Optional<FileEntry> file = retries.call(what, () -> requests().stat(path, location));
      if (file.isPresent()) {
        return file;
      }
    }
    return retries.call(what, () -> requests().hasFiles(path))
        ? Optional.of(FileEntry.folder(location))
        : Optional.empty();
  }

  @Override
  public List<FileEntry> list(Location folder) throws IOException {
    return Storage.listAll(this, folder);
  }

  @Override
  public FilePage list(Location folder, String from) throws IOException {
    S3Path path = S3Path.of(folder);
    return retries.call("list '" + folder + "'", () -> requests().list(path, from));
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    S3Path path = S3Path.of(location);
    Optional<FileEntry> file =
        retries.call("look at '" + location + "'", () -> requests().stat(path, location));
    return open(
        file.orElseThrow(() ->
            new StorageException(
                StorageException.Kind.MISSING,
                "Cannot read '"
                    + location
                    + "': it is gone. List the dataset again, or restore the file.",
                null)));
  }

  @Override
  public StorageFile open(FileEntry file) throws IOException {
    S3Path path = S3Path.of(file.location());
    return new RemoteFile(
        file,
        (offset, length) -> requests().open(path, file.version(), offset, length),
        retries,
        advice);
  }
}
