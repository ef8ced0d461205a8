package dev.penstock.internal.http;

import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Set;

/// Files of web servers that support range requests. HTTP has no folders: each file is named by its
/// URL.
///
/// The version of a file is its strong `ETag`, else the time of its last change.
public final class HttpStorage implements RemoteStorage {
  @Override
  public List<String> schemes() {
    return List.of("http", "https");
  }

  @Override
  public Set<String> ownOptionKeys() {
    return Set.of("username", "password", "bearer-token", "query");
  }

  @Override
  public String origin(Location location, StorageOptions options) {
    return HttpRequests.origin(location);
  }

  @Override
  public RemoteRequests requests(StorageOptions options) {
    return new HttpRequests(options);
  }
}
