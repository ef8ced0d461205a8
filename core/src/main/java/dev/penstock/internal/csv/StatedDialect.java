package dev.penstock.internal.csv;

import dev.penstock.internal.text.FormatOptions;
import java.util.Optional;

/// The user's options for special bytes, before a file is opened; see [Dialect].
///
/// @param delimiter empty to choose it by the extension
/// @param fill whether fields that are missing at the end of a record are null
record StatedDialect(
    Optional<Byte> delimiter, int quote, int escape, int comment, boolean trailing, boolean fill) {
  static StatedDialect of(FormatOptions options) {
    StatedDialect made =
        new StatedDialect(
            options.has("delimiter")
                ? Optional.of((byte) options.character("delimiter", -1, false))
                : Optional.empty(),
            options.character("quote", '"', true),
            options.character("escape", -1, true),
            options.character("comment", -1, true),
            options.flag("trailing-delimiter", false),
            options.choice("ragged", "error", "fill").equals("fill"));
    made.requireDistinct();
    return made;
  }

  private void requireDistinct() {
    int[] bytes = {delimiter.map(Byte::intValue).orElse((int) ','), quote, escape, comment};
    String[] keys = {"delimiter", "quote", "escape", "comment"};
    for (int i = 0; i < bytes.length; i++) {
      for (int j = 0; j < i; j++) {
        if (bytes[i] >= 0 && bytes[i] == bytes[j]) {
          throw FormatOptions.wrong(
              keys[i],
              String.valueOf((char) bytes[i]),
              "another character than option '" + keys[j] + "'");
        }
      }
    }
  }

  /// Returns the dialect of a file, with the usual delimiter if none was stated.
  Dialect withUsual(byte usual) {
    return new Dialect(delimiter.orElse(usual), quote, escape, comment, trailing);
  }
}
