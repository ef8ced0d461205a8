package dev.penstock.gcs;

import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Set;

/// Files in Google Cloud Storage: `gs://bucket/path`.
///
/// The generation identifies the version of a file. Folders are name prefixes that end in a slash.
public final class GcsStorage implements RemoteStorage {
  /// Makes the store for `ServiceLoader`; [#with] returns the one to use.
  public GcsStorage() {}

  @Override
  public List<String> schemes() {
    return List.of("gs", "gcs");
  }

  @Override
  public Set<String> ownOptionKeys() {
    return Set.of("anonymous", "bearer-token", "credentials-file", "endpoint", "project");
  }

  /// Buckets are names at one service, which options choose, not locations.
  @Override
  public String origin(Location location, StorageOptions options) {
    return "gs";
  }

  @Override
  public RemoteRequests requests(StorageOptions options) {
    return new GcsRequests(options);
  }
}
