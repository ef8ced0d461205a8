package dev.penstock.s3;

import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;

/// A place in a bucket.
///
/// @param scheme as it was given: `s3` or `s3a`
/// @param bucket the bucket
/// @param key the key, or a prefix of keys; empty for the whole bucket
record S3Path(String scheme, String bucket, String key) {
  static S3Path of(Location location) throws StorageException {
    String text = location.text();
    int start = text.indexOf("://") + 3;
    int slash = text.indexOf('/', start);
    String bucket = text.substring(start, slash < 0 ? text.length() : slash);
    if (bucket.isEmpty()) {
      throw new StorageException(
          StorageException.Kind.REFUSED, "it names no bucket. Write 's3://bucket/key'.", null);
    }
    return new S3Path(location.scheme(), bucket, slash < 0 ? "" : text.substring(slash + 1));
  }

  boolean isFolder() {
    return key.isEmpty() || key.endsWith("/");
  }

  /// Returns the common prefix of the keys of all files in this folder.
  String prefix() {
    return isFolder() ? key : key + "/";
  }

  Location file(String other) {
    return new Location(scheme + "://" + bucket + "/" + other);
  }
}
