package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class PermutationTest {
  @Test
  void everyIndexIsThereOnce() {
    for (int size : new int[] {0, 1, 2, 3, 17, 1000}) {
      int[] order = Permutation.of(size, 7, 3);
      assertThat(Arrays.stream(order).sorted().toArray())
          .containsExactly(IntStream.range(0, size).toArray());
    }
  }

  @Test
  void sameSeedAndEpochGiveTheSameOrder() {
    assertThat(Permutation.of(500, 42, 9)).containsExactly(Permutation.of(500, 42, 9));
  }

  @Test
  void ordersAreThoseThatAnotherProgramDraws() {
    // Recorded from the same rules written down in Python, whose numbers know no overflow: saved
    // states rely on them.
    assertThat(Permutation.of(10, 42, 0)).containsExactly(4, 7, 9, 6, 1, 5, 2, 0, 8, 3);
    int[] window = new int[11];
    Permutation.fill(window, 10, 42, 1, 3);
    assertThat(window).containsExactly(0, 2, 9, 7, 6, 1, 8, 5, 3, 4, 0);
    int[] many = new int[70_000];
    Permutation.fill(many, many.length, 7, 2, 0);
    ByteBuffer bytes = ByteBuffer.allocate(4 * many.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(many);
    CRC32 crc = new CRC32();
    crc.update(bytes.array());
    assertThat(crc.getValue()).isEqualTo(1_767_830_507L);
  }

  @Seeded(runs = 50)
  void placesAreTheReverseOfTheOrder(Random random) {
    int size = random.nextInt(300);
    int[] order = new int[size];
    int[] places = new int[size + 1];
    long seed = random.nextLong();
    Permutation.fill(order, size, seed, 3, 5);
    Permutation.fillPlaces(places, new int[size], size, seed, 3, 5);
    for (int i = 0; i < size; i++) {
      assertThat(places[order[i]]).isEqualTo(i);
    }
    assertThat(places[size]).isZero();
  }

  @Test
  void nextEpochIsNotTheNextSeed() {
    assertThat(Permutation.of(500, 42, 1)).isNotEqualTo(Permutation.of(500, 43, 0));
    assertThat(Permutation.of(500, 42, 1)).isNotEqualTo(Permutation.of(500, 42, 0));
  }

  @Test
  void allOrdersAreEquallyLikely() {
    // 24 orders of 4 over 24,000 seeds: 1,000 expected each. A chi-square with 23 degrees of
    // freedom
    // exceeds 65 with a probability below 1e-5; the seeds are fixed, so the outcome is too.
    Map<String, Integer> counts = new HashMap<>();
    int draws = 24_000;
    for (int seed = 0; seed < draws; seed++) {
      counts.merge(Arrays.toString(Permutation.of(4, seed, 0)), 1, Integer::sum);
    }
    double expected = draws / 24.0;
    double chiSquare =
        counts.values().stream().mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
    assertThat(counts).hasSize(24);
    assertThat(chiSquare).isLessThan(65);
  }

  @Test
  void epochsOfOneSeedAreIndependentOfEachOther() {
    // The first index of 10, over epochs: uniform as well.
    int[] counts = new int[10];
    for (int epoch = 0; epoch < 10_000; epoch++) {
      counts[Permutation.of(10, 5, epoch)[0]]++;
    }
    double chiSquare =
        Arrays.stream(counts).mapToDouble(n -> (n - 1000) * (n - 1000) / 1000.0).sum();
    assertThat(chiSquare).isLessThan(40);
  }
}
