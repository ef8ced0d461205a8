package dev.penstock.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.stats.WaitStats.Bucket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitStatsTest {
  private static final WaitStats WAITS =
      new WaitStats(
          List.of(new Bucket(0, 6), new Bucket(100, 3), new Bucket(Long.MAX_VALUE, 1)), 900, 600);

  @Test
  void quantileIsTheBoundThatEnoughWaitsAreBelow() {
    assertThat(WAITS.count()).isEqualTo(10);
    assertThat(WAITS.quantileNanos(0)).isZero();
    assertThat(WAITS.quantileNanos(0.5)).isZero();
    assertThat(WAITS.quantileNanos(0.6)).isZero();
    assertThat(WAITS.quantileNanos(0.61)).isEqualTo(100);
    assertThat(WAITS.quantileNanos(0.9)).isEqualTo(100);
    assertThat(WAITS.quantileNanos(1)).isEqualTo(600);
  }

  @Test
  void quantileIsNeverMoreThanTheLongestWait() {
    WaitStats one = new WaitStats(List.of(new Bucket(128, 1)), 120, 120);
    assertThat(one.quantileNanos(0)).isEqualTo(120);
    assertThat(one.quantileNanos(0.5)).isEqualTo(120);
  }

  @Test
  void withoutWaitsEachQuantileIsZero() {
    assertThat(WaitStats.NONE.quantileNanos(1)).isZero();
    assertThat(WaitStats.NONE.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void shareOutsideOfZeroToOneIsRefused(double share) {
    assertThatThrownBy(() -> WAITS.quantileNanos(share))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("share must be in [0, 1], got " + share + ".");
  }

  @Test
  void countUpToATimeIncludesItsBucket() {
    assertThat(WAITS.countUpTo(-1)).isZero();
    assertThat(WAITS.countUpTo(99)).isEqualTo(6);
    assertThat(WAITS.countUpTo(100)).isEqualTo(9);
    assertThat(WAITS.countUpTo(Long.MAX_VALUE)).isEqualTo(10);
  }

  @Test
  void sumHasTheBucketsOfBoth() {
    WaitStats other = new WaitStats(List.of(new Bucket(50, 2), new Bucket(100, 4)), 300, 90);
    WaitStats sum =
        new WaitStats(
            List.of(
                new Bucket(0, 6),
                new Bucket(50, 2),
                new Bucket(100, 7),
                new Bucket(Long.MAX_VALUE, 1)),
            1200,
            600);
    assertThat(WAITS.plus(other)).isEqualTo(sum);
    assertThat(other.plus(WAITS)).isEqualTo(sum);
    assertThat(WaitStats.NONE.plus(other)).isEqualTo(other);
  }

  @Test
  void boundsThatDoNotRiseAreRefused() {
    List<Bucket> twice = List.of(new Bucket(5, 1), new Bucket(5, 1));
    assertThatThrownBy(() -> new WaitStats(twice, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Buckets must have rising bounds");
  }
}
