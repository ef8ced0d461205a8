package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.RowsFormat;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Values;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;

/// Any number cast to any type of numbers is what arithmetic without limits says, or refused.
class CastPropertyTest {
  private static final List<DataType> TYPES = new ArrayList<>(Tables.NUMERIC);

  static {
    TYPES.add(new DataType.Decimal(18, 0));
    TYPES.add(new DataType.Decimal(3, 3));
    TYPES.add(new DataType.Decimal(70, 20));
  }

  @TempDir Path path;

  @Seeded(runs = 300)
  void castsAreWhatArithmeticSays(Random random) throws IOException {
    DataType from = TYPES.get(random.nextInt(TYPES.size()));
    DataType to = TYPES.get(random.nextInt(TYPES.size()));
    if (to instanceof DataType.Bool
        || (to instanceof DataType.Decimal
            && (from instanceof DataType.Floating || from instanceof DataType.Bool))) {
      return;
    }
    List<Object> values = new ArrayList<>();
    boolean extreme = random.nextBoolean();
    for (int i = 0; i < 1 + random.nextInt(60); i++) {
      values.add(random.nextInt(6) == 0 ? null : value(from, extreme, random));
    }
    Path folder = Files.createTempDirectory(path, "cast");
    Schema schema = Schema.of(List.of(new Field("c", from, true)));
    List<List<Object>> rows = values.stream().map(Collections::singletonList).toList();
    new RowsFormat().write(folder.resolve("a.rows"), schema, List.of(rows), random);
    StructuredDataset dataset = new StructuredDataset(folder.toString());

    List<Object> nearest = new ArrayList<>();
    int wrong = -1;
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      nearest.add(value == null || from.equals(to) ? value : nearest(from, value, to));
      boolean kept = value == null || from.equals(to) || isKept(from, value, nearest.get(i));
      wrong = wrong < 0 && !kept ? i : wrong;
    }
    assertThat(read(dataset.castLossy("c", to))).as("%s to %s", from, to).isEqualTo(nearest);
    StructuredDataset strict = dataset.cast("c", to);
    if (wrong < 0) {
      assertThat(read(strict)).as("%s to %s", from, to).isEqualTo(nearest);
    } else {
      assertThatThrownBy(() -> read(strict))
          .as("%s to %s, value %s", from, to, values.get(wrong))
          .hasMessageContaining(", row " + wrong + "]");
    }
  }

  private static List<Object> read(StructuredDataset dataset) {
    LoaderOptions options =
        LoaderOptions.defaults().workers(0).batchSize(7).output(OutputFormat.MAP);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      return Delivery.ofEpoch(loader).rows().stream().map(List::getFirst).toList();
    }
  }

  private static Object value(DataType type, boolean extreme, Random random) {
    Object value = Values.random(type, random);
    if (random.nextInt(3) > 0) {
      // Small whole numbers, which most types have.
      return small(type, random.nextInt(200) - 50);
    }
    return extreme
        ? switch (type) {
          case DataType.Floating(int bits) -> extremeFloat(bits, random);
          case DataType.Int(int bits, boolean signed) ->
              Values.ofLong(
                  type,
                  signed
                      ? (random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE) >> (64 - bits)
                      : -1L >>> (64 - bits));
          default -> value;
        }
        : value;
  }

  private static Object small(DataType type, int number) {
    return switch (type) {
      case DataType.Bool _ -> number > 0;
      case DataType.Int(int bits, boolean signed) ->
          Values.ofLong(
              type, signed ? Math.clamp(number, -50, bits == 8 ? 127 : 200) : number & 127);
      case DataType.Floating(int bits) when bits == 64 -> number / 2.0;
      case DataType.Floating _ -> number / 2f;
      case DataType.Decimal(int precision, int scale) ->
          precision == scale
              ? new BigDecimal(BigInteger.valueOf(number), scale)
              : new BigDecimal(number).setScale(scale);
      default -> throw new AssertionError(type);
    };
  }

  private static Object extremeFloat(int bits, Random random) {
    double[] doubles = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      -0.0,
      65519.99,
      65520,
      -1e300,
      0x1p63,
      0x1p53 + 2,
      2.5,
      -0.5,
      1 + 0x1p-11 + 0x1p-40,
      3.5e38,
      Math.PI,
      Float.MIN_VALUE / 2.0,
      0x1p64,
      1e-7
    };
    double value = doubles[random.nextInt(doubles.length)];
    return switch (bits) {
      case 64 -> (Object) value;
      case 32 -> (Object) (float) value;
      default -> (Object) Float.float16ToFloat(Float.floatToFloat16((float) value));
    };
  }

  private static BigDecimal exact(Object value) {
    return switch (value) {
      case Boolean bit -> bit ? BigDecimal.ONE : BigDecimal.ZERO;
      case BigDecimal decimal -> decimal;
      case BigInteger integer -> new BigDecimal(integer);
      case Float number -> new BigDecimal(number);
      case Double number -> new BigDecimal(number);
      case Number number -> BigDecimal.valueOf(number.longValue());
      default -> throw new AssertionError(value);
    };
  }

  private static Object nearest(DataType from, Object value, DataType to) {
    if (from instanceof DataType.Floating) {
      double number = ((Number) value).doubleValue();
      if (to instanceof DataType.Floating(int bits)
          && (number == 0 || Double.isNaN(number) || Double.isInfinite(number))) {
        return bits == 64 ? (Object) number : (Object) (float) number;
      }
      if (Double.isNaN(number)) {
        return whole(to, BigInteger.ZERO);
      }
      if (Double.isInfinite(number)) {
        return whole(to, number < 0 ? range(to)[0] : range(to)[1]);
      }
    }
    BigDecimal number = exact(value);
    return switch (to) {
      case DataType.Floating(int bits) -> floating(bits, number);
      case DataType.Decimal(int _, int scale) -> {
        BigInteger unscaled = number.setScale(scale, RoundingMode.DOWN).unscaledValue();
        yield new BigDecimal(unscaled.max(range(to)[0]).min(range(to)[1]), scale);
      }
      default -> whole(to, number.toBigInteger().max(range(to)[0]).min(range(to)[1]));
    };
  }

  private static Object whole(DataType type, BigInteger number) {
    return Values.ofLong(type, number.longValue());
  }

  /// Returns the least and the greatest value; of a decimal, unscaled.
  private static BigInteger[] range(DataType type) {
    if (type instanceof DataType.Decimal(int precision, int _)) {
      BigInteger most = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
      return new BigInteger[] {most.negate(), most};
    }
    DataType.Int integer = (DataType.Int) type;
    BigInteger end = BigInteger.TWO.pow(integer.signed() ? integer.bits() - 1 : integer.bits());
    return new BigInteger[] {
      integer.signed() ? end.negate() : BigInteger.ZERO, end.subtract(BigInteger.ONE)
    };
  }

  private static Object floating(int bits, BigDecimal number) {
    return switch (bits) {
      case 64 -> (Object) number.doubleValue();
      case 32 -> (Object) number.floatValue();
      default -> (Object) half(number);
    };
  }

  /// Tries the halves around, and takes the nearest, of two the even one.
  private static float half(BigDecimal number) {
    if (number.abs().compareTo(BigDecimal.valueOf(65520)) >= 0) {
      return number.signum() * Float.POSITIVE_INFINITY;
    }
    short near = Float.floatToFloat16(number.abs().floatValue());
    List<Short> around = new ArrayList<>();
    for (int bits = Math.max(0, near - 1); bits <= Math.min(0x7bff, near + 1); bits++) {
      around.add((short) bits);
    }
    short best =
        around.stream()
            .min((a, b) -> {
              int nearer = distance(a, number).compareTo(distance(b, number));
              return nearer != 0 ? nearer : (a & 1) - (b & 1);
            })
            .orElseThrow();
    return Math.copySign(Float.float16ToFloat(best), number.signum());
  }

  private static BigDecimal distance(short half, BigDecimal number) {
    return new BigDecimal(Float.float16ToFloat(half)).subtract(number.abs()).abs();
  }

  /// Returns whether a cast keeps a value, or rounds it as floating-point numbers are.
  private static boolean isKept(DataType from, Object value, Object nearest) {
    boolean rounds = from instanceof DataType.Floating || from instanceof DataType.Decimal;
    if (nearest instanceof Float || nearest instanceof Double) {
      double number = ((Number) nearest).doubleValue();
      boolean finite = Double.isFinite(number);
      boolean wasFinite =
          !(value instanceof Float || value instanceof Double)
              || Double.isFinite(((Number) value).doubleValue());
      return finite ? rounds || exact(nearest).compareTo(exact(value)) == 0 : !wasFinite;
    }
    if ((value instanceof Float || value instanceof Double)
        && !Double.isFinite(((Number) value).doubleValue())) {
      return false;
    }
    return exact(nearest).compareTo(exact(value)) == 0;
  }
}
