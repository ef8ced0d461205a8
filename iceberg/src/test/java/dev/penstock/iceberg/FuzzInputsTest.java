package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Fuzzing;
import dev.penstock.testing.MemoryStorage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The inputs that fuzzing found, each on its target.
class FuzzInputsTest {
  @TestFactory
  Stream<DynamicTest> everyInputGivesATypedErrorOrARightAnswer() throws Exception {
    return Fuzzing.kept(FuzzTarget.class);
  }

  @ParameterizedTest
  @EnumSource
  void goodFilesArePlanned(FuzzTarget target) {
    MemoryStorage.Site site = MemoryStorage.site();
    assertThat(target.rows(site, target.seed())).isEqualTo(3);
  }
}
