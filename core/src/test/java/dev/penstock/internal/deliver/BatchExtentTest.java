package dev.penstock.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.plan.EpochEnd;
import org.junit.jupiter.api.Test;

class BatchExtentTest {
  private static final BatchExtent NOTHING = BatchExtent.UNKNOWN;

  @Test
  void nothingIsKnownUntilAllRunsAreCounted() {
    BatchExtent still = NOTHING.counted(EpochEnd.of(1), -1);
    assertThat(still.isBounded()).isFalse();
    assertThat(still.isBehind(Long.MAX_VALUE - 1)).isFalse();
    assertThat(still.isCancelled()).isFalse();
  }

  @Test
  void atMostSoManyRowsAreExpectedWhereTheyArePromised() {
    EpochEnd end = EpochEnd.promised(3, 1).inBatchesOf(10);
    BatchExtent expected = NOTHING.counted(end, -1);
    assertThat(expected.rows()).isEqualTo(30);
    assertThat(expected.isBounded()).isTrue();
    assertThat(expected.counted(end, 25).rows()).isEqualTo(25);
    assertThat(expected.counted(end, 99).rows()).isEqualTo(30);
  }

  @Test
  void rowsThatMakeUpNoMultipleAreLeftOut() {
    BatchExtent counted = NOTHING.counted(EpochEnd.of(10), 47);
    assertThat(counted.rows()).isEqualTo(40);
    assertThat(counted.isBehind(39)).isFalse();
    assertThat(counted.isBehind(40)).isTrue();
  }

  @Test
  void whatIsStoppedStaysSo() {
    BatchExtent stopped = NOTHING.counted(EpochEnd.of(1), 47).cancelled();
    assertThat(stopped.isCancelled()).isTrue();
    assertThat(stopped.rows()).isEqualTo(47);
    assertThat(stopped.counted(EpochEnd.of(1), 50)).isEqualTo(stopped);
    assertThat(NOTHING.cancelled().counted(EpochEnd.of(1), 50).isCancelled()).isTrue();
  }
}
