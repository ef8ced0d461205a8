package dev.penstock.internal.cast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.cast.Converter.LostValueException;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.Random;

class DecimalConverterTest {
  private static final int ROWS = 500;

  @Seeded(runs = 10)
  void doublesAreTheNearestNumbers(Random random) throws LostValueException {
    int scale = random.nextInt(19);
    DataType from = new DataType.Decimal(18, scale);
    long most = 999_999_999_999_999_999L;
    long[] unscaled = random.longs(ROWS, -most, most + 1).toArray();
    Converter converter =
        new DecimalConverter(from, new DataType.Floating(64), true, new TestMemory(1 << 20));
    ColumnSlice decimals = ColumnSlice.fixed(from, ROWS, 0, null, MemorySegment.ofArray(unscaled));
    MemorySegment found = converter.convert(decimals, 0, ROWS).values();
    for (int row = 0; row < ROWS; row++) {
      assertThat(Double.longBitsToDouble(found.get(Converter.LONG, 8L * row)))
          .isEqualTo(BigDecimal.valueOf(unscaled[row], scale).doubleValue());
    }
  }
}
