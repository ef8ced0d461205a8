package dev.penstock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.choice.Services;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProvidersTest {
  @Test
  void errorWithoutCoresOwnProvidersAdvisesToMergeTheServicesOfAFatJar() {
    assertThat(Providers.leftOut(Services.none(String.class, List::of)))
        .isEqualTo(" Those of penstock-core are lost: merge META-INF/services in your fat jar.");
    assertThat(Providers.leftOut(Providers.here().formats())).isEmpty();
  }
}
