package dev.penstock.gcs;

import dev.penstock.storage.StorageOptions;
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
    List<Access> wanted =
        Stream.of(values())
            .filter(each -> options.get(each.option).isPresent())
            .filter(each -> each != ANONYMOUS || options.isOn("anonymous"))
            .toList();
    if (wanted.size() > 1) {
      throw new IllegalArgumentException(
          "Cannot use storage options '"
              + wanted.get(0).option
              + "' and '"
              + wanted.get(1).option
              + "' together: set one of them.");
    }
    return wanted.isEmpty() ? FOUND : wanted.get(0);
  }
}
