package dev.penstock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.testing.Seeded;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchSamplerTest {
  private final TorchValues recorded = TorchValues.read("samplers.json");

  BatchSamplerTest() throws IOException {}

  @ParameterizedTest
  @CsvSource({
    "3, False",
    "4, False",
    "5, False",
    "12, False",
    "3, True",
    "4, True",
    "5, True",
    "12, True"
  })
  void batchesOfRandomRowsAsTorchDrawsThem(int batchSize, String dropLast) {
    Generator generator = new Generator(1);
    BatchSampler sampler =
        new BatchSampler(
            new RandomSampler(12).withGenerator(generator), batchSize, dropLast.equals("True"));
    List<?> expected =
        (List<?>)
            recorded.get(
                "BatchSampler(RandomSampler(12), %s, drop_last=%s) 2 epochs, random_ seed=1"
                    .formatted(batchSize, dropLast));
    for (Object epoch : (List<?>) expected.get(0)) {
      assertThat(Orders.batches(sampler)).isDeepEqualTo(TorchValues.orders(epoch));
    }
    assertThat(generator.random()).isEqualTo(expected.get(1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void batchesInOrderAsTorchMakesThem(boolean dropLast) {
    assertThat(Orders.batches(new BatchSampler(new SequentialSampler(7), 3, dropLast)))
        .isDeepEqualTo(
            recorded.orders(
                "BatchSampler(SequentialSampler(7), 3, drop_last="
                    + (dropLast ? "True" : "False")
                    + ")"));
  }

  @Seeded
  void batchesAreAsManyAsSaidAndHaveTheRowsInOrder(Random random) {
    int rows = random.nextInt(50);
    int batchSize = 1 + random.nextInt(20);
    boolean dropLast = random.nextBoolean();
    BatchSampler sampler = new BatchSampler(new SequentialSampler(rows), batchSize, dropLast);
    long[][] batches = Orders.batches(sampler);
    assertThat(sampler.size()).isEqualTo(batches.length);
    assertThat(Stream.of(batches).flatMapToLong(LongStream::of).toArray())
        .isEqualTo(LongStream.range(0, dropLast ? rows - rows % batchSize : rows).toArray());
    assertThat(Stream.of(batches).limit(rows / batchSize))
        .allMatch(batch -> batch.length == batchSize);
  }

  @Test
  void batchSizeBeyondAllRowsTakesNoMoreMemoryThanThese() {
    BatchSampler sampler = new BatchSampler(new SequentialSampler(5), Integer.MAX_VALUE, false);
    assertThat(Orders.batches(sampler)).isDeepEqualTo(new long[][] {{0, 1, 2, 3, 4}});
  }

  @Test
  void samplerWithMoreRowsThanItSaidLosesNone() {
    Sampler modest =
        new Sampler() {
          @Override
          public long size() {
            return 0;
          }

          @Override
          public PrimitiveIterator.OfLong iterator() {
            return LongStream.range(0, 5).iterator();
          }
        };
    assertThat(Orders.batches(new BatchSampler(modest, 3, false)))
        .isDeepEqualTo(new long[][] {{0, 1, 2}, {3, 4}});
  }

  @Test
  void epochIsHandedToTheSampler() {
    Sampler rows = new DistributedSampler(100, 2, 1);
    BatchSampler sampler = new BatchSampler(rows, 50, false);
    sampler.setEpoch(3);
    Sampler expected = new DistributedSampler(100, 2, 1);
    expected.setEpoch(3);
    assertThat(Orders.batches(sampler)).isDeepEqualTo(new long[][] {Orders.epoch(expected)});
  }

  @Test
  void thereIsNothingBehindTheLastBatch() {
    Iterator<long[]> batches = new BatchSampler(new SequentialSampler(3), 2, true).iterator();
    assertThat(batches.next()).containsExactly(0, 1);
    assertThat(batches.hasNext()).isFalse();
    assertThat(batches.hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(batches::next);
  }

  @Test
  void batchWithoutRowsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BatchSampler(new SequentialSampler(3), 0, false))
        .withMessage("Cannot make batches of rows: the batch size is 0 but must be 1 or more.");
  }
}
