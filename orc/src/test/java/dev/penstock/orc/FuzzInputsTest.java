package dev.penstock.orc;

import dev.penstock.testing.Fuzzing;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The inputs that fuzzing found, each on its target.
class FuzzInputsTest {
  @TestFactory
  Stream<DynamicTest> everyInputGivesATypedErrorOrARightAnswer() throws Exception {
    return Fuzzing.kept(FuzzTarget.class);
  }
}
