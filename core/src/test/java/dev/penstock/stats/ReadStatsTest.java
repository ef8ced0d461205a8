package dev.penstock.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReadStatsTest {
  @Test
  void sumHasTheStoresOfBoth() {
    ReadStats first =
        new ReadStats(
            new TreeMap<>(Map.of("file", new StoreReads(5, 0), "s3", new StoreReads(7, 1))),
            3,
            new SkippedRows(1, 2, 3, 4, 5));
    ReadStats second =
        new ReadStats(
            new TreeMap<>(Map.of("s3", new StoreReads(10, 2))), 4, new SkippedRows(1, 1, 1, 1, 1));
    ReadStats sum = first.plus(second);
    assertThat(sum)
        .isEqualTo(
            new ReadStats(
                new TreeMap<>(Map.of("file", new StoreReads(5, 0), "s3", new StoreReads(17, 3))),
                7,
                new SkippedRows(2, 3, 4, 5, 6)));
    assertThat(sum.bytes()).isEqualTo(22);
    assertThat(sum.retries()).isEqualTo(3);
    assertThat(ReadStats.NONE.plus(second)).isEqualTo(second);
  }
}
