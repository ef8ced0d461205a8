package dev.penstock.azure;

import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import java.util.List;
import java.util.Set;

/// Files in Azure Blob Storage and Data Lake Storage: `az://container/path` and
/// `abfs://container@account.dfs.core.windows.net/path`.
///
/// The ETag identifies the version of a file. Folders are name prefixes that end in a slash.
public final class AzureStorage implements RemoteStorage {
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

  @Override
  public RemoteRequests requests(StorageOptions options) {
    return new AzureRequests(options);
  }
}
