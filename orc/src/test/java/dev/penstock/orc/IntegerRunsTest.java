package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The examples of the ORC specification, and runs that lie.
class IntegerRunsTest {
  private static StoredStream stream(String hex) {
    byte[] bytes = HexFormat.ofDelimiter(" ").parseHex(hex);
    StoredStream stream = new StoredStream(new BytesFile(bytes), 1, null, new TestMemory(1 << 20));
    stream.open(new StripeStreams.Place(0, bytes.length));
    return stream;
  }

  private static long[] integers(String hex, boolean signed, boolean second, int count)
      throws IOException {
    IntegerRuns runs = new IntegerRuns(stream(hex), signed);
    runs.open(new StripeStreams.Place(0, (hex.length() + 1) / 3), second);
    long[] values = new long[count];
    runs.read(values, count);
    return values;
  }

  @Test
  void runsOfTheFirstVersionAreThoseOfTheSpecification() throws IOException {
    long[] sevens = new long[100];
    Arrays.fill(sevens, 7);
    assertThat(integers("61 00 07", false, false, 100)).isEqualTo(sevens);
    assertThat(integers("61 ff 64", false, false, 100))
        .isEqualTo(LongStream.range(0, 100).map(i -> 100 - i).toArray());
    assertThat(integers("fb 02 03 06 07 0b", false, false, 5)).containsExactly(2, 3, 6, 7, 11);
  }

  @Test
  void runsOfTheSecondVersionAreThoseOfTheSpecification() throws IOException {
    assertThat(integers("0a 27 10", false, true, 5))
        .containsExactly(10000, 10000, 10000, 10000, 10000);
    assertThat(integers("5e 03 5c a1 ab 1e de ad be ef", false, true, 4))
        .containsExactly(23713, 43806, 57005, 48879);
    assertThat(integers("c6 09 02 02 22 42 42 46", false, true, 10))
        .containsExactly(2, 3, 5, 7, 11, 13, 17, 19, 23, 29);
    assertThat(
            integers(
                "8e 13 2b 21 07 d0 1e 00 14 70 28 32 3c 46 50 5a 64 6e 78 82 8c 96 a0 aa b4 be fc"
                    + " e8",
                false,
                true,
                20))
        .containsExactly(
            2030, 2000, 2020, 1000000, 2040, 2050, 2060, 2070, 2080, 2090, 2100, 2110, 2120, 2130,
            2140, 2150, 2160, 2170, 2180, 2190);
  }

  @Test
  void bytesAndBitsAreThoseOfTheSpecification() throws IOException {
    byte[] bytes = new byte[102];
    ByteRuns runs = new ByteRuns(stream("61 00 fe 44 45"));
    runs.open(new StripeStreams.Place(0, 5));
    runs.read(bytes, 102);
    byte[] expected = new byte[102];
    expected[100] = 0x44;
    expected[101] = 0x45;
    assertThat(bytes).isEqualTo(expected);

    BitRuns bits = new BitRuns(stream("ff 80"));
    bits.open(new StripeStreams.Place(0, 2));
    long[] words = new long[BitRuns.wordsFor(8)];
    assertThat(bits.read(words, 8)).isEqualTo(1);
    assertThat(words[0]).isEqualTo(1);
  }

  @Test
  void runsThatEndTooEarlyHaveNoValues() {
    String[] cut = {
      "",
      "0a",
      "0a 27",
      "5e",
      "5e 03 5c a1 ab 1e de ad be",
      "c6 09 02",
      "c6 09 02 02 22 42 42",
      "8e 13 2b",
      "8e 13 2b 21 07 d0 1e 00 14 70 28 32 3c 46 50 5a 64 6e 78 82 8c 96 a0 aa b4 be fc"
    };
    for (String hex : cut) {
      assertThatThrownBy(() -> integers(hex, true, true, 1))
          .as(hex)
          .isInstanceOf(IOException.class)
          .hasMessageMatching("a stream has \\d+ more bytes but \\d+ of them are needed");
    }
    for (String hex : new String[] {"61", "61 00", "61 00 ff", "fb", "fb ff ff"}) {
      assertThatThrownBy(() -> integers(hex, true, false, 1))
          .as(hex)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("a stream has 0 more bytes");
    }
  }

  @Test
  void runsThatContradictThemselvesAreRefused() {
    assertThatThrownBy(() -> integers("c6 00 02 02", false, true, 1))
        .hasMessage("a run of 1 value has differences");
    assertThatThrownBy(() -> integers("61 00" + " ff".repeat(11), false, false, 1))
        .hasMessage("a number has more than 10 bytes");
    // A patch for value 9 of 4.
    assertThatThrownBy(() -> integers("8e 03 2b 81 07 d0 01 02 03 04 48 00 80", false, true, 1))
        .hasMessage("a run of 4 values of 8 bits has a patch for value 9");
    assertThatThrownBy(() -> integers("8e 03 3f e1 07 d0", false, true, 1))
        .hasMessage("a run has patches of 64 bits with gaps of 8 bits");
  }
}
