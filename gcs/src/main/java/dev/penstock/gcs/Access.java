package dev.penstock.gcs;

import dev.penstock.spi.storage.StorageOptions;
import java.util.List;
import java.util.stream.Stream;

/// How requests authenticate.
enum Access {
  /// By storage option `bearer-token`.
  TOKEN("bearer-token"),

  /// By storage option `credentials-file`.
  FILE("credentials-file"),

  /// Not at all: storage option `anonymous`.
  ANONYMOUS("anonymous"),

  /// With the credentials that the SDK finds.
  FOUND("");

  private final String option;

  Access(String option) {
    this.option = option;
  }

  /// Returns the one that options choose.
  ///
  /// @throws IllegalArgumentException if they choose several
  static Access of(StorageOptions options) {
    List<String> keys = Stream.of(values()).map(each -> each.option).toList();
    String wanted = options.oneOf(keys).orElse("");
    return values()[keys.indexOf(wanted)];
  }
}
