package dev.penstock.gcs;

import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;

/// A place in a bucket.
///
/// @param scheme as it was given: `gs` or `gcs`
/// @param bucket the bucket
/// @param name the name of an object, or a prefix of names; empty for the whole bucket
record GcsPath(String scheme, String bucket, String name) {
  static GcsPath of(Location location) throws StorageException {
    String text = location.text();
    int start = text.indexOf("://") + 3;
    int slash = text.indexOf('/', start);
    String bucket = text.substring(start, slash < 0 ? text.length() : slash);
    if (bucket.isEmpty()) {
      throw new StorageException(
          StorageException.Kind.REFUSED, "it names no bucket. Write 'gs://bucket/path'.", null);
    }
    return new GcsPath(location.scheme(), bucket, slash < 0 ? "" : text.substring(slash + 1));
  }

  boolean isFolder() {
    return name.isEmpty() || name.endsWith("/");
  }

  /// Returns the common prefix of the names of all files in this folder.
  String prefix() {
    return isFolder() ? name : name + "/";
  }

  Location file(String other) {
    return new Location(scheme + "://" + bucket + "/" + other);
  }
}
