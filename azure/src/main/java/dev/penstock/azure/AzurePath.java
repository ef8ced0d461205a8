package dev.penstock.azure;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;

/// A place in a container.
///
/// @param root the location of the container, with a slash at its end
/// @param host the service that the location names, for example `account.blob.core.windows.net`;
///   empty if it names none
/// @param name the name of a blob, or a prefix of names; empty for the whole container
record AzurePath(String root, String host, String container, String name) {
  static AzurePath of(Location location) throws StorageException {
    String text = location.text();
    int start = text.indexOf("://") + 3;
    int slash = text.indexOf('/', start);
    String authority = text.substring(start, slash < 0 ? text.length() : slash);
    int at = authority.indexOf('@');
    String container = at < 0 ? authority : authority.substring(0, at);
    if (container.isEmpty()) {
      throw new StorageException(
          StorageException.Kind.REFUSED,
          "it names no container. Write 'az://container/path' or"
              + " 'abfs://container@account.dfs.core.windows.net/path'.",
          null);
    }
    return new AzurePath(
        text.substring(0, start) + authority + "/",
        at < 0 ? "" : host(authority.substring(at + 1)),
        container,
        slash < 0 ? "" : text.substring(slash + 1));
  }

  /// Returns the blob service's host, whose name differs from the Data Lake's.
  ///
  /// Credentials are sent to it, and locations may come from others than the user, so only Azure's
  /// own hosts are accepted.
  private static String host(String named) throws StorageException {
    String host = named.contains(".") ? named : named + ".dfs.core.windows.net";
    boolean isAzure =
        host.matches(
            "[a-z0-9-]+(\\.z[0-9]+)?\\.(blob|dfs)\\.(core\\.windows\\.net|core\\.chinacloudapi\\.cn"
                + "|core\\.usgovcloudapi\\.net|storage\\.azure\\.net|fabric\\.microsoft\\.com)");
    if (!isAzure) {
      throw new StorageException(
          StorageException.Kind.REFUSED,
          Advice.of(
              "'%s' is no account of Azure. Write 'container@account.dfs.core.windows.net', or set"
                  + " %s to the address of the service.",
              named, Remedy.storageOption("endpoint")),
          null);
    }
    return host.replaceFirst("\\.dfs\\.", ".blob.");
  }

  boolean isFolder() {
    return name.isEmpty() || name.endsWith("/");
  }

  /// Returns the common prefix of the names of all files in this folder.
  String prefix() {
    return isFolder() ? name : name + "/";
  }

  Location file(String other) {
    return new Location(root + other);
  }
}
