package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The pages on launchers show the files that are run here, byte for byte.
class LauncherPagesTest {
  @ParameterizedTest
  @CsvSource({
    "kubernetes.yaml, yaml, kubernetes.md",
    "slurm.sh, sh, slurm.md",
    "torchrun.sh, sh, torchrun.md",
    "train.py, python, torchrun.md"
  })
  void pageShowsTheFile(String file, String language, String page) throws IOException {
    assertThat(Files.readString(LauncherFiles.ROOT.resolve("docs/how-to").resolve(page)))
        .contains("\n```" + language + "\n" + LauncherFiles.text(file) + "```\n");
  }

  @Test
  void everyFileHasAPage() throws IOException {
    try (Stream<Path> files = Files.list(LauncherFiles.file(""))) {
      List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
      assertThat(names).containsExactly("kubernetes.yaml", "slurm.sh", "torchrun.sh", "train.py");
    }
  }
}
