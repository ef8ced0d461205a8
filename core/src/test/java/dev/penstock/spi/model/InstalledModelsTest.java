package dev.penstock.spi.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Without any module of a framework, as core is alone. Those that are found are tested with the
/// modules.
class InstalledModelsTest {
  @TempDir Path folder;

  @Test
  void modelWhoseModuleIsAbsentNamesIt() throws IOException {
    for (String[] each :
        new String[][] {{"a.onnx", "onnx"}, {"b.UBJ", "xgboost"}, {"c.pt", "djl"}}) {
      Path file = Files.writeString(folder.resolve(each[0]), "x");
      assertThatThrownBy(() -> InstalledModels.open(file, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot open the model '" + file + "': it needs a module")
          .hasMessageContaining("'dev.penstock:penstock-" + each[1] + "'");
    }
  }

  @Test
  void fileThatIsNoModelSaysWhatItIs() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "hello");
    assertThatThrownBy(() -> InstalledModels.open(file, 1))
        .hasMessage(
            "Cannot open the model '%s': it is text that begins with 'hello', expected a model of"
                + " one of [].",
            file);
  }

  @Test
  void modelThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> InstalledModels.open(folder.resolve("no.onnx"), 1))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("no.onnx': no such file or folder.");
  }
}
