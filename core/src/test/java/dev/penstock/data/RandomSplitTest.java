package dev.penstock.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.sample.Generator;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class RandomSplitTest {
  private final TorchValues recorded;
  private final TorchValues semantics;

  RandomSplitTest() throws IOException {
    recorded = TorchValues.read("datasets.json");
    semantics = TorchValues.read("semantics.json");
  }

  private static List<Subset<Long>> byLengths(long size, long... lengths) {
    return Datasets.randomSplit(Datasets.range(size), lengths, new Generator(0));
  }

  private static List<Subset<Long>> byFractions(long size, double... fractions) {
    return Datasets.randomSplit(Datasets.range(size), fractions, new Generator(0));
  }

  private static List<Integer> sizes(List<Subset<Long>> splits) {
    return splits.stream().map(split -> (int) split.size()).toList();
  }

  @TestFactory
  Stream<DynamicTest> splitsAreTorchs() {
    return Stream.of("lengths", "fractions")
        .flatMap(kind -> ((List<?>) recorded.get(kind)).stream())
        .map(split -> (Map<?, ?>) split)
        .map(split ->
            DynamicTest.dynamicTest(
                split.get("parts") + " of " + split.get("size"), () -> check(split)));
  }

  private static void check(Map<?, ?> recorded) {
    long size = (Long) field(recorded, "size");
    Generator generator = new Generator((Long) field(recorded, "seed"));
    List<?> parts = (List<?>) field(recorded, "parts");
    if (recorded.containsKey("error")) {
      assertThatThrownBy(() -> split(size, parts, generator))
          .isInstanceOf(IllegalArgumentException.class);
      return;
    }
    List<List<Long>> splits =
        split(size, parts, generator).stream()
            .map(split -> Arrays.stream(split.indices()).boxed().toList())
            .toList();
    assertThat(splits).isEqualTo(field(recorded, "splits"));
  }

  private static Object field(Map<?, ?> recorded, String name) {
    return java.util.Objects.requireNonNull(recorded.get(name));
  }

  private static List<Subset<Long>> split(long size, List<?> parts, Generator generator) {
    return parts.getFirst() instanceof Long
        ? Datasets.randomSplit(Datasets.range(size), TorchValues.longs(parts), generator)
        : Datasets.randomSplit(
            Datasets.range(size),
            parts.stream().mapToDouble(part -> (Double) part).toArray(),
            generator);
  }

  @Test
  void recordedSemanticsHold() {
    for (String refused : List.of("[0.5, 0.6]", "[0.5, 0.4]", "[3, 8]")) {
      assertThat((String) semantics.get("random_split(10," + refused + ")"))
          .startsWith("ValueError: Sum of input lengths");
    }
    assertThatThrownBy(() -> byFractions(10, 0.5, 0.6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot split by fractions [0.5, 0.6]: they sum to 1.1 but must sum to 1.");
    assertThatThrownBy(() -> byFractions(10, 0.5, 0.4))
        .hasMessage("Cannot split by fractions [0.5, 0.4]: they sum to 0.9 but must sum to 1.");
    assertThatThrownBy(() -> byLengths(10, 3, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot split 10 rows into lengths [3, 8]: they must sum to the number of rows.");
    assertThat("(" + sizes(byFractions(10, 1.0)) + ", [])")
        .isEqualTo(semantics.get("random_split(10,[1.0])"));
    assertThat((String) semantics.get("random_split(10,[0.0, 1.0])"))
        .startsWith("(" + sizes(byFractions(10, 0.0, 1.0)));
  }

  @Test
  void fractionsAreSummedExactly() {
    double[] twentieths = DoubleStream.generate(() -> 0.05).limit(20).toArray();
    assertThat(sizes(byFractions(20, twentieths))).containsOnly(1).hasSize(20);
  }

  @Test
  void partsThatAreNoneAreRefused() {
    assertThatThrownBy(() -> byFractions(10, -0.5, 1.5))
        .hasMessage("Fraction of split 0 must be in [0, 1], got -0.5.");
    assertThatThrownBy(() -> byFractions(10, Double.NaN))
        .hasMessage("Fraction of split 0 must be in [0, 1], got NaN.");
    assertThatThrownBy(() -> byFractions(10)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> byLengths(10, -1, 11))
        .hasMessage("Length of split 0 must not be negative, got -1.");
    assertThatThrownBy(() -> byLengths(10, Long.MAX_VALUE, Long.MAX_VALUE, 12))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(byLengths(0)).isEmpty();
  }
}
