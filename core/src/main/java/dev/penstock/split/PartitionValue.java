package dev.penstock.split;

import org.jspecify.annotations.Nullable;

/// What the name of a `key=value` folder says of every row of the files below it.
///
/// @param key the name of the partition column, decoded
/// @param text the value as text, decoded; null for `__HIVE_DEFAULT_PARTITION__`
public record PartitionValue(String key, @Nullable String text) {
  /// Returns the folder's name, not encoded.
  @Override
  public String toString() {
    return key + "=" + text;
  }
}
