package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;

/// The bucket and the object that a location such as `s3://bucket/name` names, for stores whose
/// folders are only common beginnings of names.
///
/// @param scheme as it was given, for example `s3` or `s3a`
/// @param bucket the bucket
/// @param name the name of an object, or a prefix of names; empty for the whole bucket
public record BucketPath(String scheme, String bucket, String name) {
  /// {@return the place that a location names}
  ///
  /// @param location the location
  /// @param form how such locations are written, for the error
  /// @throws StorageException if it names no bucket
  public static BucketPath of(Location location, String form) throws StorageException {
    String text = location.text();
    int start = text.indexOf("://") + 3;
    int slash = text.indexOf('/', start);
    String bucket = text.substring(start, slash < 0 ? text.length() : slash);
    if (bucket.isEmpty()) {
      throw new StorageException(
          StorageException.Kind.REFUSED, "it names no bucket. Write '" + form + "'.", null);
    }
    return new BucketPath(location.scheme(), bucket, slash < 0 ? "" : text.substring(slash + 1));
  }

  /// {@return whether the name can only be that of a folder}
  public boolean isFolder() {
    return name.isEmpty() || name.endsWith("/");
  }

  /// {@return the common prefix of the names of all files in this folder}
  public String prefix() {
    return isFolder() ? name : name + "/";
  }

  /// {@return where another object of the bucket is}
  ///
  /// @param other its name
  public Location file(String other) {
    return new Location(scheme + "://" + bucket + "/" + other);
  }
}
