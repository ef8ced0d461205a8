package dev.penstock.split;

import org.jspecify.annotations.Nullable;

/// The value that a `key=value` folder gives to every row of the files below it.
///
/// @param key the name of the partition column, decoded
/// @param text the value as text, decoded; null for `__HIVE_DEFAULT_PARTITION__`
public record PartitionValue(String key, @Nullable String text) {
  @Override
  public String toString() {
    return key + "=" + text;
  }
}
