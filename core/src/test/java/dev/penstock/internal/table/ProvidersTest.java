package dev.penstock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.choice.Services;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProvidersTest {
  @Test
  void errorWithoutCoresOwnProvidersAdvisesToMergeTheServicesOfAFatJar() {
    assertThat(Providers.leftOut(new Services<>(List.of("of another module"), List.of("s3"))))
        .isEqualTo(
            " Left out, because they cannot be used: s3. Those of penstock-core are lost: merge"
                + " META-INF/services in your fat jar.");
    assertThat(Providers.leftOut(new Services<>(Providers.formats(), List.of()))).isEmpty();
  }
}
