package dev.penstock.internal.http;

import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import java.util.List;
import java.util.Set;

/// Files of web servers that answer ranges. HTTP has no folders: each file is named by its URL.
///
/// A file is of one version by its strong `ETag`, else by the time of its last change.
public final class HttpStorage implements RemoteStorage {
  /// Makes the store as `ServiceLoader` wants it; [#with] gives the one to use.
  public HttpStorage() {}

  @Override
  public List<String> schemes() {
    return List.of("http", "https");
  }

  @Override
  public Set<String> ownOptionKeys() {
    return Set.of("username", "password", "bearer-token", "query");
  }

  @Override
  public RemoteRequests requests(StorageOptions options) {
    return new HttpRequests(options);
  }
}
