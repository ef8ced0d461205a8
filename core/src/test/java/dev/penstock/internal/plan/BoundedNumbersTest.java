package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.math.BigInteger;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedNumbersTest {
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  /// The rule with the JDK's generator and numbers of any size.
  private static int[] expected(int size, long state) {
    SplittableRandom generator = new SplittableRandom(state);
    int[] numbers = new int[size];
    for (int i = 0; i < size; i++) {
      BigInteger bound = BigInteger.valueOf(i + 1L);
      BigInteger product;
      do {
        long bits = generator.nextLong();
        product = new BigInteger(Long.toUnsignedString(bits)).multiply(bound);
      } while (product.mod(TWO_TO_64).compareTo(TWO_TO_64.mod(bound)) < 0);
      numbers[i] = product.shiftRight(64).intValueExact();
    }
    return numbers;
  }

  private static void check(int size, long state) {
    int[] drawn = new int[size + 1];
    drawn[size] = -7;
    BoundedNumbers.draw(drawn, size, state);
    assertThat(drawn).startsWith(expected(size, state)).endsWith(-7);
  }

  @Seeded(runs = 100)
  void numbersAreThoseOfTheRule(Random random) {
    check(random.nextInt(1 + random.nextInt(5000)), random.nextLong());
  }

  /// The lower half of one of the first 700 products has nothing in its upper 32 bits; found by
  /// trying some 10^10 numbers.
  @ParameterizedTest
  @ValueSource(longs = {17_427_296_986_766L, 47_641_073_939_624L, 205_074_641_927_432L})
  void numbersThatMayHaveToBeDrawnAgainAreThoseOfTheRule(long state) {
    check(2000, state);
  }
}
