package dev.penstock.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.testing.Seeded;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class MomentsTest {
  private static final MathContext EXACT = new MathContext(60);

  @Seeded(runs = 200)
  void mergedBlocksAgreeWithExactArithmetic(Random random) {
    double offset = random.nextInt(3) == 0 ? 0 : Math.pow(10, random.nextInt(12));
    double scale = Math.pow(10, random.nextInt(7) - 3);
    Moments moments = Moments.NONE;
    double[] all = {};
    for (int block = random.nextInt(6); block >= 0; block--) {
      double[] values = new double[random.nextInt(60)];
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextInt(9) == 0 ? Double.NaN : offset + scale * random.nextGaussian();
      }
      moments = moments.and(Moments.of(values));
      all = DoubleStream.concat(Arrays.stream(all), Arrays.stream(values)).toArray();
    }
    double[] numbers = Arrays.stream(all).filter(value -> !Double.isNaN(value)).toArray();
    assertThat(moments.count()).isEqualTo(numbers.length);
    if (numbers.length == 0) {
      return;
    }
    BigDecimal count = BigDecimal.valueOf(numbers.length);
    BigDecimal mean =
        Arrays.stream(numbers)
            .mapToObj(BigDecimal::new)
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .divide(count, EXACT);
    BigDecimal variance =
        Arrays.stream(numbers)
            .mapToObj(value -> new BigDecimal(value).subtract(mean).pow(2))
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .divide(count, EXACT);
    double deviation = variance.sqrt(EXACT).doubleValue();
    // A few units in the last place of the largest number, whatever the offset.
    double ulp = Math.ulp(offset + scale);
    assertThat(moments.mean()).isCloseTo(mean.doubleValue(), within(8 * ulp));
    assertThat(moments.deviation()).isCloseTo(deviation, within(8 * ulp + 1e-13 * deviation));
    assertThat(moments.min()).isEqualTo(Arrays.stream(numbers).min().orElseThrow());
    assertThat(moments.max()).isEqualTo(Arrays.stream(numbers).max().orElseThrow());
  }

  @Test
  void spreadFarFromZeroIsNotLost() {
    Moments moments = Moments.NONE;
    for (int from = 0; from < 1000; from += 100) {
      double[] values = new double[100];
      for (int i = 0; i < values.length; i++) {
        values[i] = 1e9 + (from + i) * 7919 % 1000 / 1024.0;
      }
      moments = moments.and(Moments.of(values));
    }
    // By Python's fractions. The sum of squares less the square of the sum would have no digit.
    assertThat(moments.mean()).isCloseTo(1000000000.487793, within(2e-7));
    assertThat(moments.deviation()).isCloseTo(0.28190917017305617, within(1e-9));
  }

  @Test
  void equalNumbersHaveExactlyThatMeanAndNoSpread() {
    for (double value : new double[] {0.1, -1e300, 7, 1e-310}) {
      double[] values = new double[77];
      Arrays.fill(values, value);
      Moments block = Moments.of(values);
      Moments moments = block.and(block).and(Moments.of(new double[] {value})).and(block);
      assertThat(moments).isEqualTo(new Moments(232, value, 0, value, value));
    }
  }

  @Test
  void nothingAddsNothing() {
    Moments some = Moments.of(new double[] {1, 2, Double.NaN});
    assertThat(some.and(Moments.of(new double[] {Double.NaN}))).isEqualTo(some);
    assertThat(Moments.NONE.and(some)).isEqualTo(some);
    assertThat(Moments.of(new double[0])).isEqualTo(Moments.NONE);
  }
}
