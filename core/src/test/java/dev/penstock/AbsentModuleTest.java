package dev.penstock;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.OutputFormat;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.internal.request.LoadRequest;
import dev.penstock.internal.request.Opening;
import dev.penstock.internal.request.RequestJson;
import dev.penstock.options.LoaderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is said when a choice needs a module that is not there, as none is beside core's own tests.
class AbsentModuleTest {
  @Test
  void outputFormatWithoutItsModuleNamesTheDependencyToAdd() {
    StructuredDataset dataset = new StructuredDataset("nowhere");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataLoader.of(dataset, o -> o.output(OutputFormat.ARROW)))
        .withMessage(
            "Cannot deliver batches as OutputFormat.ARROW: its module is not on the class path. Add"
                + " the dependency 'dev.penstock:penstock-arrow', in the version of"
                + " penstock-core. If your fat jar has it already, merge META-INF/services.");
  }

  @Test
  void reportWithoutItsModuleNamesTheDependencyToAdd(@TempDir Path folder) {
    try (DataLoader loader =
        DataLoader.of(new StructuredDataset("nowhere"), LoaderOptions.defaults())) {
      assertThatThrownBy(() -> loader.report(folder.resolve("run.html")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Cannot write a report: its module is not on the class path. Add the dependency"
                  + " 'dev.penstock:penstock-report', in the version of penstock-core. If your fat"
                  + " jar has it already, merge META-INF/services.");
    }
  }

  @Test
  void tokenizeWithoutItsModuleNamesTheDependencyToAdd() {
    LoadRequest request =
        RequestJson.read(
            JsonTree.read(
                "a request",
                """
                {"dataset":{"locations":["nowhere"]},
                 "loader":{"tokenize":[{"column":"text","tokenizer":"/tokenizer.json"}]}}
                """));
    assertThatThrownBy(() -> Opening.options(request, LoaderOptions.defaults()))
        .hasMessage(
            "Cannot tokenise column 'text': its module is not on the class path. Add the dependency"
                + " 'dev.penstock:penstock-tokens', in the version of penstock-core. If your fat"
                + " jar has it already, merge META-INF/services.");
  }

  @ParameterizedTest
  @CsvSource({
    "data.orc, 'x', orc, ORC",
    "data.avro, 'x', avro, Avro",
    "data.ARROW, 'x', arrow, Arrow",
    "data.feather, 'x', arrow, Arrow",
    "data.arrows, 'x', arrow, Arrow",
    "data.ipc, '', arrow, Arrow",
    "magic, ORC and more, orc, ORC",
    "magic.bin, 'Obj\u0001 and more', avro, Avro",
    "magic.0, 'ARROW1', arrow, Arrow"
  })
  void fileOfAFormatWithoutItsModuleNamesTheDependencyToAdd(
      String name, String contents, String module, String label, @TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve(name), contents);
    for (Path location : List.of(file, folder)) {
      StructuredDataset dataset = new StructuredDataset(location.toString());
      assertThatThrownBy(dataset::schema)
          .hasStackTraceContaining(
              "Cannot read '"
                  + file
                  + "': "
                  + label
                  + " files need a module that is not on the class path. Add the dependency"
                  + " 'dev.penstock:penstock-"
                  + module
                  + "', in the version of penstock-core. If your fat jar"
                  + " has it already, merge META-INF/services.");
    }
  }

  @Test
  void formatWithoutItsModuleNamesTheDependencyToAdd() {
    StructuredDataset dataset = new StructuredDataset("nowhere");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dataset.format("orc").schema())
        .withMessage(
            "Cannot read format 'orc': ORC files need a module that is not on the class path. Add"
                + " the dependency 'dev.penstock:penstock-orc', in the version of penstock-core. If"
                + " your fat jar has it already, merge META-INF/services.");
  }

  @ParameterizedTest
  @CsvSource({
    "s3://lake/flights, s3",
    "s3a://lake/flights, s3",
    "gs://lake/flights, gcs",
    "az://lake/flights, azure",
    "abfs://lake@account/flights, azure",
    "abfss://lake@account.dfs.core.windows.net/flights, azure"
  })
  void storeWithoutItsModuleNamesTheDependencyToAdd(String location, String module) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StructuredDataset(location).files())
        .withMessage(
            "Cannot read '%s': no store serves '%s://'. Add the dependency"
                + " 'dev.penstock:penstock-%s', in the version of penstock-core. If your fat jar"
                + " has it already, merge META-INF/services.",
            location, location.substring(0, location.indexOf(':')), module);
  }

  @Test
  void storeThatNoModuleBringsIsNamedWithThoseThatThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StructuredDataset("ftp://host/x").files())
        .withMessageStartingWith(
            "Cannot read 'ftp://host/x': no store serves 'ftp://'. Stores here serve: [");
  }
}
