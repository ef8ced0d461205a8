package dev.penstock.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.split.ByteSize;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LoaderOptionsTest {
  private static Set<String> names(Predicate<Method> wanted) {
    return Arrays.stream(LoaderOptions.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !method.getName().equals("toString"))
        .filter(wanted)
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  @Test
  void noSetterSharesItsNameWithAGetter() {
    Set<String> setters = names(method -> method.getReturnType() == LoaderOptions.class);
    Set<String> getters = names(method -> method.getReturnType() != LoaderOptions.class);
    assertThat(setters).hasSize(32).doesNotContainAnyElementsOf(getters);
    assertThat(getters)
        .containsExactlyInAnyOrder(
            "batching",
            "reading",
            "order",
            "rankShare",
            "memoryUse",
            "columns",
            "transformation",
            "isRecorded",
            "recording",
            "text");
  }

  @Test
  void everySubjectHasItsDefaults() {
    LoaderOptions options = LoaderOptions.defaults();
    assertThat(options.batching())
        .isEqualTo(new Batching(1024, false, OptionalLong.empty(), Optional.empty()));
    assertThat(options.reading().workers()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(options.reading().autoWorkers()).isTrue();
    assertThat(options.workers(3).reading().autoWorkers()).isFalse();
    assertThat(options.workers(3).autoWorkers().reading()).isEqualTo(options.reading());
    assertThat(options.reading().prefetchFactor()).isEqualTo(2);
    assertThat(options.reading().timeout()).isZero();
    assertThat(options.order()).isEqualTo(new Order(Shuffle.none(), 0, true, false));
    assertThat(options.rankShare()).isEqualTo(RankShare.DEFAULTS);
    assertThat(options.memoryUse())
        .isEqualTo(new MemoryUse(Optional.empty(), false, false, false, Optional.empty()));
    assertThat(options.columns().output()).isEqualTo(OutputFormat.TENSOR);
    assertThat(options.columns().nulls().all()).isEqualTo(NullPolicy.nan());
    assertThat(options.transformation()).isEqualTo(new Transformation(Optional.empty(), 65_536));
  }

  @Test
  void anOptionChangesNoOther() {
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(7)
            .dropLast(true)
            .stepsPerEpoch(3)
            .workers(5)
            .prefetchFactor(4)
            .timeout(Duration.ofSeconds(1))
            .shuffle(true)
            .seed(9)
            .inOrder(false)
            .splitPerWorker(true)
            .rank(new Rank(1, 2))
            .countMatches(false)
            .memory("1GiB")
            .pinMemory(true)
            .lockMemory(true)
            .poisonMemory(true)
            .output(OutputFormat.MAP)
            .nulls("a", NullPolicy.mask())
            .features("x", "a", "b")
            .features("y", "c");
    assertThat(options.batching())
        .isEqualTo(new Batching(7, true, OptionalLong.of(3), Optional.empty()));
    assertThat(options.reading()).isEqualTo(new Reading(5, false, 4, Duration.ofSeconds(1)));
    assertThat(options.order()).isEqualTo(new Order(Shuffle.splits(), 9, false, true));
    assertThat(options.rankShare().rank()).contains(new Rank(1, 2));
    assertThat(options.rankShare().countMatches()).hasValue(false);
    assertThat(options.memoryUse())
        .isEqualTo(
            new MemoryUse(Optional.of(ByteSize.parse("1GiB")), true, true, true, Optional.empty()));
    assertThat(options.columns().output()).isEqualTo(OutputFormat.MAP);
    assertThat(options.columns().nulls().forColumn("a")).isEqualTo(NullPolicy.mask());
    assertThat(options.columns().nulls().forColumn("b")).isEqualTo(NullPolicy.nan());
    assertThat(options.columns().features())
        .containsExactly(Map.entry("x", List.of("a", "b")), Map.entry("y", List.of("c")));
  }

  @Test
  void memoryGrowsWithTheWorkersUnlessALimitIsSet() {
    LoaderOptions options = LoaderOptions.defaults();
    assertThat(memoryBytes(options.workers(0))).isEqualTo(512L << 20);
    assertThat(memoryBytes(options.workers(3))).isEqualTo((512L << 20) + 3 * (64L << 20));
    assertThat(memoryBytes(options.memory("10MiB").workers(3))).isEqualTo(10L << 20);
  }

  private static long memoryBytes(LoaderOptions options) {
    return options.memoryUse().limitFor(options.reading().workers()).bytes();
  }

  @Test
  void recordsRefuseWhatTheirOptionsRefuse() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Batching(0, false, OptionalLong.empty(), Optional.empty()))
        .withMessage("batchSize must be at least 1, got 0.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Batching(1, false, OptionalLong.of(0), Optional.empty()))
        .withMessage("stepsPerEpoch must be at least 1, got 0.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Reading(-1, false, 2, Duration.ZERO))
        .withMessage("workers must be 0 or more, got -1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Reading(0, true, 2, Duration.ZERO))
        .withMessage("autoWorkers needs workers of at least 1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Reading(1, false, 0, Duration.ZERO))
        .withMessage("prefetchFactor must be at least 1, got 0.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LoaderOptions.defaults().transform((block, _) -> block, 0))
        .withMessage("transform needs at least 1 row at a time, got 0.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LoaderOptions.defaults().memory(new ByteSize(0)))
        .withMessage("memory must be more than 0 bytes.");
  }
}
