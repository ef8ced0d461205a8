package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The inputs that fuzzing found, each on its target.
class FuzzInputsTest {
  @TestFactory
  Stream<DynamicTest> everyInputGivesATypedErrorOrARightAnswer() throws Exception {
    Path folder = folder();
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList().stream()
          .map(file -> {
            String target = Objects.requireNonNull(file.getParent()).getFileName().toString();
            return DynamicTest.dynamicTest(
                folder.relativize(file).toString(),
                () -> FuzzTarget.of(target).run(Files.readAllBytes(file)));
          });
    }
  }

  @Test
  void everyTargetHasInputsAndSurvivesAnEmptyOne() throws Exception {
    for (FuzzTarget target : FuzzTarget.values()) {
      assertThat(folder().resolve(target.folder())).isNotEmptyDirectory();
      target.run(new byte[0]);
      target.run(new byte[300]);
    }
  }

  private static Path folder() throws URISyntaxException, IOException {
    URL url = FuzzInputsTest.class.getResource("/fuzz-orc");
    return Path.of(Objects.requireNonNull(url, "No inputs").toURI());
  }
}
