package dev.penstock.internal.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.parquet.column.values.bloomfilter.XxHash;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XxHash64Test {
  /// The values that xxHash tests itself with, for the first bytes of its own generator.
  @ParameterizedTest
  @CsvSource({
    "0, EF46DB3751D8E999",
    "1, E934A84ADB052768",
    "4, 9136A0DCA57457EE",
    "14, 8282DCC4994E35C8",
    "222, B641AE8CB691C174"
  })
  void givesTheOfficialValues(int length, String expected) {
    byte[] bytes = new byte[length];
    long generator = 2_654_435_761L;
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (generator >>> 56);
      generator *= 0x9E3779B185EBCA8DL;
    }
    assertThat(XxHash64.hash(bytes)).isEqualTo(Long.parseUnsignedLong(expected, 16));
  }

  @ParameterizedTest
  @CsvSource({"a, D24EC4F1A98C6E5B", "abc, 44BC2CF5AD770999"})
  void givesTheKnownValuesOfText(String text, String expected) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    assertThat(XxHash64.hash(bytes)).isEqualTo(Long.parseUnsignedLong(expected, 16));
  }

  @Seeded(runs = 20)
  void givesWhatParquetJavaHashes(Random random) {
    byte[] bytes = new byte[300];
    random.nextBytes(bytes);
    XxHash theirs = new XxHash();
    for (int length = 0; length <= bytes.length; length++) {
      byte[] some = Arrays.copyOf(bytes, length);
      assertThat(XxHash64.hash(some)).isEqualTo(theirs.hashBytes(some));
      int start = random.nextInt(300 - length + 1);
      byte[] part = Arrays.copyOfRange(bytes, start, start + length);
      assertThat(XxHash64.hash(MemorySegment.ofArray(bytes), start, length))
          .isEqualTo(theirs.hashBytes(part));
    }
  }

  @Seeded(runs = 50)
  void piecesHashAsTheWhole(Random random) {
    XxHash64Stream stream = new XxHash64Stream();
    StringBuilder whole = new StringBuilder();
    int pieces = random.nextInt(60);
    for (int i = 0; i < pieces; i++) {
      String piece = "\u00e4b\ud83d\ude00".repeat(random.nextInt(1 << random.nextInt(12)));
      stream.add(piece);
      whole.append(piece);
    }
    byte[] bytes = whole.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(stream.hash()).isEqualTo(XxHash64.hash(bytes));
  }
}
