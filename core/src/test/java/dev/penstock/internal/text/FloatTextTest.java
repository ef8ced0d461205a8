package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloatTextTest {
  private static final MemorySegment MEMORY = Arena.global().allocate(4096);

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");

  private static long bits(String text) {
    long to = put(text);
    return FloatText.bits(MEMORY.address(), to);
  }

  private static long put(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, MEMORY, 0, bytes.length);
    MEMORY.asSlice(bytes.length, 64).fill((byte) '7'); // What is behind a number is not of it.
    return MEMORY.address() + bytes.length;
  }

  private static void check(String text) {
    assertThat(bits(text)).as(text).isEqualTo(Double.doubleToLongBits(Double.parseDouble(text)));
    assertThat(FloatText.floatBits(MEMORY.address(), put(text)))
        .as(text)
        .isEqualTo(Float.floatToIntBits(Float.parseFloat(text)));
  }

  /// Beside the middle of any two halves, and there, where the even one is taken.
  @Test
  void halvesAreRoundedOnce() {
    String little = "0".repeat(40) + "1";
    for (short low = 0; low < 0x7c00; low++) {
      double next = low == 0x7bff ? 65536 : Float.float16ToFloat((short) (low + 1));
      BigDecimal middle = new BigDecimal((Float.float16ToFloat(low) + next) / 2);
      BigDecimal bit = middle.ulp().movePointLeft(30);
      assertThat(half(middle.toString())).isEqualTo(low + (low & 1));
      assertThat(half(middle.add(bit).toString())).isEqualTo(low + 1);
      assertThat(half("-" + middle.subtract(bit))).isEqualTo((short) (low | 0x8000));
    }
    assertThat(half("65519." + "9".repeat(50))).isEqualTo(0x7bff);
    assertThat(half("2049." + little)).isEqualTo(Float.floatToFloat16(2050));
    assertThat(half("1e99999999999")).isEqualTo(0x7c00);
    assertThat(half("-inf")).isEqualTo((short) 0xfc00);
    assertThat(half("nan")).isEqualTo(Float.floatToFloat16(Float.NaN));
    assertThat(half("1e-99999999999")).isEqualTo(0);
    assertThat(half("-0")).isEqualTo(Short.MIN_VALUE);
    assertThat(half("0x1")).isEqualTo(-1);
  }

  private static int half(String text) {
    long to = put(text);
    return FloatText.halfBits(MEMORY.address(), to);
  }

  @Seeded(runs = 5)
  void everyNumberIsTheOneThatJavaReads(Random random) {
    for (int i = 0; i < 5000; i++) {
      double any = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(any)) {
        check(Double.toString(any));
        check(String.format(Locale.ROOT, "%.16e", any));
      }
      check(Double.toString(random.nextGaussian()));
      check(Float.toString((float) random.nextGaussian()));
      check(random.nextLong() + "e" + (random.nextInt(700) - 350));
      check((random.nextLong() >>> random.nextInt(64)) + "." + (random.nextLong() >>> 1));
      check("-" + random.nextInt(1000) + "." + random.nextInt(1000));
    }
  }

  /// Digits are taken eight at a time: so all lengths, zeros at the front, and a wrong byte
  /// anywhere.
  @Seeded(runs = 5)
  void digitsCountWhereverTheyAre(Random random) {
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      random.ints(random.nextInt(10), 0, 10).forEach(text::append);
      text.append('.').append("0".repeat(random.nextInt(3) * random.nextInt(5)));
      random.ints(random.nextInt(27), 0, 10).forEach(text::append);
      if (random.nextBoolean()) {
        text.setCharAt(
            random.nextInt(text.length()), "0.-+eE/:x ,\u007f".charAt(random.nextInt(12)));
      }
      String made = (random.nextBoolean() ? "-" : "") + text;
      if (NUMBER.matcher(made).matches()) {
        check(made);
      } else {
        assertThat(bits(made)).as(made).isEqualTo(FloatText.NONE);
      }
    }
  }

  /// Just between two doubles, and the least bit beside it.
  @Seeded(runs = 5)
  void halvesGoToTheEvenNumber(Random random) {
    for (int i = 0; i < 1000; i++) {
      double low = Double.longBitsToDouble(random.nextLong() & Long.MAX_VALUE);
      if (!Double.isFinite(low) || !Double.isFinite(Math.nextUp(low))) {
        continue;
      }
      BigDecimal half =
          new BigDecimal(low).add(new BigDecimal(Math.nextUp(low))).divide(BigDecimal.valueOf(2));
      check(half.toString());
      check(half.round(new MathContext(19)).toString());
      check(half.round(new MathContext(17)).toString());
      float f = Float.intBitsToFloat(random.nextInt() & Integer.MAX_VALUE);
      if (Float.isFinite(f) && Float.isFinite(Math.nextUp(f))) {
        BigDecimal between =
            new BigDecimal(f).add(new BigDecimal(Math.nextUp(f))).divide(BigDecimal.valueOf(2));
        check(between.toString());
        check(between.add(between.ulp().movePointLeft(30)).toString());
        check(between.subtract(between.ulp().movePointLeft(30)).toString());
      }
    }
    for (long exact = 1L << 53; exact < (1L << 53) + 64; exact++) {
      check(Long.toString(exact));
      check(exact + "e3");
      check(exact + "e-4");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "0.0",
        "+1",
        "1.",
        ".5",
        "1e5",
        "1E+5",
        "1e-5",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "1e309",
        "1e-400",
        "1e99999999999999999999",
        "0e99999999999999999999",
        "9007199254740993",
        "18446744073709551615",
        "99999999999999999999999",
        "0.000000000000000000000000000000000000000000123",
        "123456789012345678901234567890e-20",
        "3.4028235e38",
        "3.4028236e38",
        "1.1754943508222875e-38",
        "7.006492321624085e-46",
        "7.006492321624086e-46",
        "1.00000017881393421514957253748434595763683319091796875001"
      })
  void hardNumbersAreTheOnesThatJavaReads(String text) {
    check(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-", "+", ".", "e5", "1e", "1e+", "1x", "--1", "1.2.3", "0x1p3", "1f", "1 "})
  void otherTextIsNoNumber(String text) {
    assertThat(bits(text)).isEqualTo(FloatText.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "nan", "-NaN", "inf", "-Inf", "Infinity", "-infinity"})
  void nanAndInfinityHaveTheirNames(String text) {
    String java =
        text.toLowerCase(Locale.ROOT).contains("nan")
            ? "NaN"
            : (text.startsWith("-") ? "-" : "") + "Infinity";
    assertThat(bits(text)).isEqualTo(Double.doubleToLongBits(Double.parseDouble(java)));
  }
}
