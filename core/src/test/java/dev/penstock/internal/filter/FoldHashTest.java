package dev.penstock.internal.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.filter.Fold;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoldHashTest {
  /// Computed by the function of Python on the page of filters, with the package xxhash 4.1.0.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "17 | 10 | 7 | 9",
        "-1 | 10 | 7 | 7",
        "9223372036854775808 | 1000 | -5 | 714",
        "'ORD' | 10 | 7 | 6",
        "'Zürich' 3 | 10 | 7 | 2",
        "null | 10 | 7 | 3",
        "17 null | 10 | 7 | 8",
        "null 'a' | 7 | 0 | 1",
        "xcafe | 100 | 9223372036854775807 | 28",
        "'part-0.parquet' 0 | 10 | 7 | 6",
        "'part-0.parquet' 1 | 10 | 7 | 9",
        "'' | 10 | 7 | 3",
      },
      quoteCharacter = '`')
  void isWhatPythonComputes(String key, int k, long seed, int expected) {
    FoldHash hash = new FoldHash(new Fold(List.of("a"), k, seed));
    for (String part : key.split(" ", -1)) {
      switch (part.charAt(0)) {
        case 'n' -> hash.addNull();
        case 'x' -> hash.add(HexFormat.of().parseHex(part.substring(1)));
        case '\'' ->
            hash.add(part.substring(1, part.length() - 1).getBytes(StandardCharsets.UTF_8));
        default -> hash.add(new java.math.BigInteger(part).longValue());
      }
    }
    assertThat(hash.fold()).isEqualTo(expected);
  }
}
