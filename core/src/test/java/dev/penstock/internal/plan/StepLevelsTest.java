package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.util.Random;
import java.util.stream.LongStream;

class StepLevelsTest {
  @Seeded(runs = 20)
  void eachOf64StepsHasALevelOfItsOwnPart(Random random) {
    StepLevels levels = new StepLevels(random.nextLong(), random.nextInt(5));
    long first = 64L * random.nextInt(1000);

    assertThat(LongStream.range(first, first + 64).map(step -> (long) (64 * levels.level(step))))
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 64).boxed().toList());
  }

  @Seeded(runs = 20)
  void levelsDependOnSeedEpochAndStepAlone(Random random) {
    long seed = random.nextLong();
    long step = random.nextInt(10_000);
    StepLevels asked = new StepLevels(seed, 3);
    asked.level(random.nextInt(10_000));

    assertThat(asked.level(step)).isEqualTo(new StepLevels(seed, 3).level(step));
    assertThat(asked.level(step)).isNotEqualTo(new StepLevels(seed, 4).level(step));
    assertThat(asked.batches(step, 4)).isEqualTo(new StepLevels(seed, 3).batches(step, 4));
  }
}
