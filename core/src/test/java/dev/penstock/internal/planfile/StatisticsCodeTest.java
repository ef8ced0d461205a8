package dev.penstock.internal.planfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StatisticsCodeTest {
  private static Bound bound(int end, int last, boolean exact) {
    byte[] bytes = new byte[end];
    Arrays.fill(bytes, (byte) 'a');
    bytes[end - 1] = (byte) last;
    return new Bound(ByteString.of(bytes), exact);
  }

  private static ColumnStatistics written(Bound lower, Bound upper) {
    OptionalLong unknown = OptionalLong.empty();
    BlockWriter out = new BlockWriter();
    StatisticsCode.write(
        out, List.of(new ColumnStatistics(unknown, unknown, unknown, lower, upper)));
    return StatisticsCode.read(new BlockReader(out.bytes()), 1).getFirst();
  }

  @Test
  void longBoundsAreCutAndHoldStill() {
    ColumnStatistics read = written(bound(1025, 'a', true), bound(1025, 'a', true));
    assertThat(read.lower()).isEqualTo(bound(64, 'a', false));
    assertThat(read.upper()).isEqualTo(bound(64, 'b', false));
    Bound whole = bound(1024, 'a', true);
    assertThat(written(whole, whole).upper()).isEqualTo(whole);
  }

  @Test
  void upperBoundWithoutANextOneIsLeftOut() {
    byte[] high = new byte[2000];
    Arrays.fill(high, (byte) 0xff);
    Bound highest = new Bound(ByteString.of(high), true);
    ColumnStatistics read = written(highest, highest);
    assertThat(read.lower()).isEqualTo(new Bound(ByteString.of(Arrays.copyOf(high, 64)), false));
    assertThat(read.upper()).isNull();
    high[3] = 9;
    Bound less = new Bound(ByteString.of(high), true);
    assertThat(written(less, less).upper())
        .isEqualTo(new Bound(ByteString.of(new byte[] {-1, -1, -1, 10}), false));
  }
}
