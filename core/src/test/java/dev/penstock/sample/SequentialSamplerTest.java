package dev.penstock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import org.junit.jupiter.api.Test;

class SequentialSamplerTest {
  @Test
  void rowsComeFromTheFirstToTheLastInEveryEpoch() {
    Sampler sampler = new SequentialSampler(4);
    assertThat(sampler.size()).isEqualTo(4);
    assertThat(Orders.epochs(sampler, 2)).isDeepEqualTo(new long[][] {{0, 1, 2, 3}, {0, 1, 2, 3}});
    assertThat(Orders.epoch(new SequentialSampler(0))).isEmpty();
  }

  @Test
  void moreRowsThanAnArrayHoldsAreNoMatter() {
    Sampler sampler = new SequentialSampler(Long.MAX_VALUE);
    assertThat(sampler.size()).isEqualTo(Long.MAX_VALUE);
    PrimitiveIterator.OfLong indices = sampler.iterator();
    assertThat(indices.nextLong()).isZero();
    assertThat(indices.nextLong()).isOne();
    assertThat(indices.hasNext()).isTrue();
  }

  @Test
  void thereIsNothingBehindTheLastRow() {
    PrimitiveIterator.OfLong indices = new SequentialSampler(1).iterator();
    indices.nextLong();
    assertThat(indices.hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(indices::nextLong);
  }

  @Test
  void negativeNumberOfRowsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SequentialSampler(-1))
        .withMessage("Cannot visit rows in order: their number is -1 but must be 0 or more.");
  }
}
