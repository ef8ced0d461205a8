package dev.penstock.internal.planfile;

import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

/// Contents that are not what a writer writes, behind right checksums.
class DamagedPlanTest {
  @Seeded(runs = 400)
  void anyContentsAreReadOrRefused(Random random) throws IOException {
    byte[] good = FuzzPlans.seed(random);
    FuzzPlans.plan(good);
    for (int run = 0; run < 100; run++) {
      byte[] bad = good.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        bad[random.nextInt(bad.length)] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
      }
      FuzzPlans.plan(random.nextInt(4) > 0 ? bad : Arrays.copyOf(bad, random.nextInt(bad.length)));
    }
  }
}
