package dev.penstock.azure;

import dev.penstock.spi.storage.StorageOptions;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/// How requests authenticate.
enum Access {
  /// By storage option `account-key`.
  KEY("account-key"),

  /// By storage option `sas-token`.
  SAS("sas-token"),

  /// By storage option `connection-string`, which holds one of the two.
  CONNECTION_STRING("connection-string"),

  /// By storage option `bearer-token`.
  TOKEN("bearer-token"),

  /// Not at all: storage option `anonymous`.
  ANONYMOUS("anonymous"),

  /// With the credentials that the SDK finds.
  IDENTITY("");

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
    if (wanted.equals(KEY.option)) {
      requireBase64(options);
    }
    return values()[keys.indexOf(wanted)];
  }

  private static void requireBase64(StorageOptions options) {
    try {
      Base64.getDecoder().decode(options.get(KEY.option).orElse(""));
    } catch (IllegalArgumentException _) {
      throw options.unfit(KEY.option, "an account's key, which is a text in Base64");
    }
  }
}
