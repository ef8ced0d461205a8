package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WholeTextTest {
  private static final MemorySegment MEMORY = Arena.global().allocate(4096);
  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  private static void check(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, MEMORY, 0, bytes.length);
    MEMORY.asSlice(bytes.length, 64).fill((byte) '7'); // What is behind a number is not of it.
    long from = MEMORY.address();
    long to = from + bytes.length;
    long found = WholeText.signed(from, to);
    boolean isNumber = found != WholeText.NONE || !WholeText.isNone(from, to);
    BigInteger value = text.matches("[+-]?[0-9]+") ? new BigInteger(text) : null;
    if (value == null || value.compareTo(LEAST) < 0 || value.compareTo(MOST) > 0) {
      assertThat(isNumber).as(text).isFalse();
    } else {
      assertThat(isNumber).as(text).isTrue();
      assertThat(found).as(text).isEqualTo(value.longValueExact());
    }
  }

  @Seeded(runs = 5)
  void everyNumberIsTheOneThatJavaReads(Random random) {
    for (int i = 0; i < 20_000; i++) {
      String text = Long.toString(random.nextLong() >> random.nextInt(64));
      check(text);
      check("+" + text.replace("-", ""));
      check("0".repeat(random.nextInt(30)) + text.replace("-", ""));
      StringBuilder wrong = new StringBuilder(text);
      wrong.setCharAt(random.nextInt(text.length()), (char) random.nextInt(128));
      check(wrong.toString());
    }
  }

  @Test
  void theEndsOfTheRangeAreNumbersAndWhatIsBehindThemIsNone() {
    for (BigInteger end : new BigInteger[] {LEAST, MOST, MOST.shiftLeft(1), MOST.shiftLeft(3)}) {
      for (int i = -3; i <= 3; i++) {
        check(end.add(BigInteger.valueOf(i)).toString());
      }
    }
    for (String digits : new String[] {"9223372036854775808", "9223372036854775809"}) {
      check("-00000000000000000" + digits);
      check("-0" + digits);
      check("-1" + digits);
      check("+0" + digits);
      check("0" + digits);
    }
    check("");
    check("-");
    check("+");
    check("--1");
  }
}
