package dev.penstock.blackbox.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Code that is shown to users of loaders.
class ShownCodeTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));

  /// They are for modules that add a format, store, catalog or output format.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/tutorial",
        "docs/guide",
        "docs/how-to/cookbook.md",
        "docs/how-to/from-pandas-and-polars.md",
        "docs/how-to/port-a-pytorch-script.md",
        "examples/src/main/java",
        "blackbox/src/test/java/dev/penstock/blackbox/docs/ReadmeSnippets.java",
        "blackbox/src/test/java/dev/penstock/blackbox/docs/CookbookSnippets.java",
        "blackbox/src/test/java/dev/penstock/blackbox/docs/FirstTraining.java",
        "blackbox/src/test/java/dev/penstock/blackbox/docs/CsvToModel.java",
        "blackbox/src/test/java/dev/penstock/blackbox/docs/BadStep.java",
        "spark/src/test/java/dev/penstock/spark/SparkSnippets.java",
        "metrics/src/test/java/dev/penstock/metrics/MetricsSnippets.java"
      })
  void examplesAndGuidesNeedNoneOfTheSpiPackages(String place) throws IOException {
    try (Stream<Path> paths = Files.walk(ROOT.resolve(place))) {
      List<Path> files = paths.filter(ShownCodeTest::isText).toList();
      assertThat(files).isNotEmpty();
      for (Path file : files) {
        assertThat(Files.readString(file)).as(file.toString()).doesNotContain("dev.penstock.spi");
      }
    }
  }

  private static boolean isText(Path path) {
    return Files.isRegularFile(path) && !path.toString().endsWith(".png");
  }
}
