package dev.penstock.internal.csv;

import dev.penstock.internal.text.Swar;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which unquoted fields are null; an empty field always is.
record NullSpellings(List<byte[]> spellings, boolean stated) {
  /// The texts that pyarrow takes for null, without the spellings of NaN, which is a number.
  private static final List<String> USUAL =
      List.of("#N/A", "#N/A N/A", "#NA", "<NA>", "N/A", "NA", "NULL", "n/a", "null");

  static NullSpellings of(Optional<List<String>> stated) {
    return new NullSpellings(
        Stream.concat(Stream.of(""), stated.orElse(USUAL).stream())
            .map(spelling -> spelling.getBytes(StandardCharsets.UTF_8))
            .toList(),
        stated.isPresent());
  }

  boolean has(long from, long to) {
    for (byte[] spelling : spellings) {
      if (Swar.isText(from, to, spelling)) {
        return true;
      }
    }
    return false;
  }
}
