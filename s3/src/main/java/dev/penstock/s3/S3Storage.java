package dev.penstock.s3;

import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Set;

/// Files in Amazon S3 and compatible stores: `s3://bucket/key`.
///
/// The ETag identifies the version of a file. Folders are key prefixes that end in a slash.
public final class S3Storage implements RemoteStorage {
  /// Makes the store for `ServiceLoader`; [#with] returns the one to use.
  public S3Storage() {}

  @Override
  public List<String> schemes() {
    return List.of("s3", "s3a");
  }

  @Override
  public Set<String> ownOptionKeys() {
    return Set.of(
        "access-key-id",
        "anonymous",
        "endpoint",
        "path-style",
        "profile",
        "region",
        "requester-pays",
        "secret-access-key",
        "session-token");
  }

  /// Buckets are names at one service, which options choose, not locations.
  @Override
  public String origin(Location location, StorageOptions options) {
    return "s3";
  }

  @Override
  public RemoteRequests requests(StorageOptions options) {
    return new S3Requests(options);
  }
}
