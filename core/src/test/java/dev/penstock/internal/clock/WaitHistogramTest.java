package dev.penstock.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.stats.WaitStats;
import dev.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WaitHistogramTest {
  private static WaitStats of(long... waits) {
    WaitHistogram histogram = new WaitHistogram();
    for (long wait : waits) {
      histogram.add(wait);
    }
    return histogram.stats();
  }

  @Test
  void bucketsAreAsDescribed() {
    long[][] bounds = {
      {0, 0},
      {1, 1024},
      {1024, 1024},
      {1025, 1024 + 128},
      {1024 + 128, 1024 + 128},
      {1024 + 129, 1024 + 256},
      {2048, 2048},
      {2049, 2048 + 256},
      {1L << 40, 1L << 40},
      {(1L << 40) + 1, Long.MAX_VALUE},
      {Long.MAX_VALUE, Long.MAX_VALUE}
    };
    for (long[] each : bounds) {
      assertThat(of(each[0]).buckets())
          .as("%s", each[0])
          .containsExactly(new WaitStats.Bucket(each[1], 1));
    }
  }

  @Seeded(runs = 100)
  void quantilesAreAtMostAnEighthTooLong(Random random) {
    WaitHistogram histogram = new WaitHistogram();
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(500); i++) {
      long wait = random.nextInt(4) == 0 ? 0 : random.nextLong(1L << random.nextInt(1, 41));
      waits.add(wait);
      histogram.add(wait);
    }
    Collections.sort(waits);
    WaitStats stats = histogram.stats();
    assertThat(stats.count()).isEqualTo(waits.size());
    assertThat(stats.totalNanos()).isEqualTo(waits.stream().mapToLong(Long::longValue).sum());
    assertThat(stats.maxNanos()).isEqualTo(waits.getLast());
    for (double share : new double[] {0, 0.01, 0.5, 0.9, 0.99, 1}) {
      long exact = waits.get(Math.max(0, (int) Math.ceil(share * waits.size()) - 1));
      assertThat(stats.quantileNanos(share))
          .as("%s of %s", share, waits)
          .isBetween(exact, Math.max(exact + exact / 8, exact == 0 ? 0 : 1024));
    }
  }
}
