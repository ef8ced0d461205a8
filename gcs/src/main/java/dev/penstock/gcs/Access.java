package dev.penstock.gcs;

import dev.penstock.spi.storage.StorageOptions;
import java.util.List;
import java.util.stream.Stream;

/// How a request shows who asks.
enum Access {
  /// By storage option `bearer-token`.
  TOKEN("bearer-token"),

  /// By storage option `credentials-file`.
  FILE("credentials-file"),

  /// Not at all: storage option `anonymous`.
  ANONYMOUS("anonymous"),

  /// By what the SDK finds.
  FOUND("");

  private final String option;

  Access(String option) {
    this.option = option;
  }

  /// Finds out which one options want.
  ///
  /// @throws IllegalArgumentException if they want several
  static Access of(StorageOptions options) {
    List<String> keys = Stream.of(values()).map(each -> each.option).toList();
    String wanted = options.oneOf(keys).orElse("");
    return values()[keys.indexOf(wanted)];
  }
}
