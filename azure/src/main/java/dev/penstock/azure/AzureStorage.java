package dev.penstock.azure;

import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import java.util.List;
import java.util.Set;

/// Files in Azure Blob Storage and Data Lake Storage: `az://container/path` and
/// `abfs://container@account.dfs.core.windows.net/path`.
///
/// A file is of one version by its ETag. Folders are what names have in common up to a slash.
public final class AzureStorage implements RemoteStorage {
  /// Makes the store as `ServiceLoader` wants it; [#with] gives the one to use.
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
