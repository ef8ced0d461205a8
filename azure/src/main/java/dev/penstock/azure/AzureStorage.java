package dev.penstock.azure;

import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/// Files in Azure Blob Storage and Data Lake Storage: `az://container/path` and
/// `abfs://container@account.dfs.core.windows.net/path`.
///
/// The ETag identifies the version of a file. Folders are name prefixes that end in a slash.
public final class AzureStorage implements RemoteStorage {
  /// Options that name the service: no other gets a request.
  private static final Set<String> OF_SERVICE = Set.of("account", "connection-string", "endpoint");

  /// Makes the store for `ServiceLoader`; [#with] returns the one to use.
  public AzureStorage() {}

  @Override
  public List<String> schemes() {
    return List.of("az", "abfs", "abfss");
  }

  @Override
  public Set<String> ownOptionKeys() {
    return Set.of(
        "account",
        "account-key",
        "anonymous",
        "bearer-token",
        "connection-string",
        "endpoint",
        "sas-token");
  }

  /// The service of an account, unless options choose one for all locations.
  @Override
  public String origin(Location location, StorageOptions options) {
    try {
      String host = AzurePath.of(location).host();
      return host.isEmpty() || !Collections.disjoint(options.keys(), OF_SERVICE) ? "az" : host;
    } catch (StorageException _) {
      return location.text(); // Reading it will say why.
    }
  }

  @Override
  public RemoteRequests requests(StorageOptions options) {
    return new AzureRequests(options);
  }
}
