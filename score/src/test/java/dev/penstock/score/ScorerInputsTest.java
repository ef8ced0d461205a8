package dev.penstock.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.Tensor;
import dev.penstock.model.Model;
import dev.penstock.model.ModelInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What models get, and what is written of what they return.
final class ScorerInputsTest {
  @TempDir Path temp;
  private StructuredDataset table;

  @BeforeEach
  void writeTable() throws IOException {
    StringBuilder lines = new StringBuilder("id,a,b,count,day\n");
    for (int id = 0; id < 100; id++) {
      lines.append(id).append(',').append(id + 0.5).append(',');
      lines.append(id % 5 == 0 ? "" : id * 2).append(',').append(id * 3);
      lines.append(",2026-01-").append(id % 28 < 9 ? "0" : "").append(id % 28 + 1).append('\n');
    }
    Path file = temp.resolve("table.csv");
    Files.writeString(file, lines);
    table = new StructuredDataset(file.toString());
  }

  /// For functions that get all columns.
  private Scorer ofWhole(Model model) {
    return scorer(model).options(o -> o.batchSize(64).nulls(NullPolicy.mask()));
  }

  /// A model that hands on what it gets.
  private static Model echo(ModelInput... inputs) {
    return new Model() {
      @Override
      public List<ModelInput> inputs() {
        return List.of(inputs);
      }

      @Override
      public Map<String, Object> run(Batch batch) {
        Map<String, Object> outputs = new LinkedHashMap<>();
        for (String name : batch.names()) {
          outputs.put(name + " seen", batch.tensor(name));
        }
        return outputs;
      }
    };
  }

  private static ModelInput matrix(String name, long columns) {
    return new ModelInput(name, DType.FLOAT32, List.of(-1L, columns), List.of());
  }

  private Scorer scorer(Model model) {
    return Scorer.of(table, model).keys("id");
  }

  private List<Map<String, Object>> scores(Scorer scorer) throws Exception {
    String out = temp.resolve("scores").toString();
    scorer.writeTo(out);
    List<Map<String, Object>> rows = new ArrayList<>();
    try (DataLoader loader =
        DataLoader.of(new StructuredDataset(out), o -> o.output(OutputFormat.MAP))) {
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            Map<String, Object> values = new LinkedHashMap<>();
            for (String name : batch.names()) {
              values.put(name, batch.list(name).get(row));
            }
            rows.add(values);
          }
        }
      }
    }
    return rows;
  }

  @Test
  void aMatrixHasTheNumbersThatAreNoKeys() throws Exception {
    List<Map<String, Object>> rows = scores(scorer(echo(matrix("x", 3))));
    assertThat(rows.get(7)).isEqualTo(Map.of("id", 7L, "x seen", List.of(7.5f, 14f, 21f)));
    assertThat(rows.get(5)).isEqualTo(Map.of("id", 5L, "x seen", List.of(5.5f, Float.NaN, 15f)));
  }

  @Test
  void carriedColumnsOfAMatrixKeepTypeAndNulls() throws Exception {
    Scorer scorer =
        scorer(echo(matrix("x", 2))).columns("b", "count", "day").input("x", "b", "count");
    List<Map<String, Object>> rows = scores(scorer);
    assertThat(rows.get(7).keySet()).containsExactly("id", "b", "count", "day", "x seen");
    assertThat(rows.get(7)).containsEntry("b", 14L).containsEntry("count", 21L);
    assertThat(rows.get(7).get("day")).isEqualTo(java.time.LocalDate.of(2026, 1, 8));
    assertThat(rows.get(5)).containsEntry("b", null);
    assertThat(rows.get(5).get("x seen")).isEqualTo(List.of(Float.NaN, 15f));
  }

  @Test
  void inputsGetTheColumnsOfTheirNames() throws Exception {
    Model model =
        echo(
            new ModelInput("count", DType.INT64, List.of(-1L), List.of()),
            new ModelInput("a", DType.FLOAT32, List.of(-1L, 1L), List.of()));
    List<Map<String, Object>> rows = scores(scorer(model));
    assertThat(rows.get(9)).isEqualTo(Map.of("id", 9L, "count seen", 27L, "a seen", 9.5f));
  }

  @Test
  void aPlanShowsInputsAndOutputs() throws Exception {
    ScorePlan plan = scorer(echo(matrix("x", 2))).columns("day").input("x", "a", "b").plan();
    assertThat(plan.inputs()).isEqualTo(Map.of("x", List.of("a", "b")));
    assertThat(plan.carried().names()).containsExactly("id", "day");
    assertThat(plan.outputs()).containsExactly("x seen: list<float32> not null");
    assertThat(plan.rows()).isEqualTo(100);
  }

  @Test
  void inputsThatNobodyCanGuessAreAnError() {
    assertThatThrownBy(() -> scorer(echo(matrix("x", 5))).plan())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Cannot tell which columns feed input x: FLOAT32 [-1, 5]");
  }

  @Test
  void whatIsNoOutputIsAnError() {
    String out = temp.resolve("scores").toString();
    assertThatThrownBy(() -> ofWhole(_ -> Map.of()).writeTo(out))
        .hasMessageContaining("it is no output");
    assertThatThrownBy(() -> ofWhole(_ -> Map.of("s", new float[64])).writeTo(out))
        .hasMessageContaining("output 's' of the model is a float[] but expected a Tensor");
    assertThatThrownBy(() -> ofWhole(_ -> Map.of("id", Tensor.of(new float[64]))).writeTo(out))
        .hasMessageContaining("are both named 'id'");
    assertThatThrownBy(() -> ofWhole(_ -> Map.of("s", Tensor.of(new float[7]))).writeTo(out))
        .hasMessageContaining("output 's' has 7 values for 64 rows");
    assertThatThrownBy(
            () -> ofWhole(_ -> Map.of("s", Tensor.of(new float[512], 64, 2, 4))).writeTo(out))
        .hasMessageContaining("has shape [64, 2, 4]");
  }

  @Test
  void aModelThatChangesItsOutputsIsAnError() {
    Model model =
        batch ->
            Map.of(
                "s",
                batch.rowCount() == 64
                    ? Tensor.of(new float[64])
                    : Tensor.of(new double[batch.rowCount()]));
    assertThatThrownBy(() -> ofWhole(model).writeTo(temp.resolve("scores").toString()))
        .hasMessageContaining("it is s: float64 not null but s: float32 not null");
  }

  @Test
  void textsAndWholeNumbersAreWritten() throws Exception {
    Model model =
        batch -> {
          List<String> texts = new ArrayList<>();
          for (int row = 0; row < batch.rowCount(); row++) {
            texts.add(row % 2 == 0 ? "even" : null);
          }
          return Map.of("label", texts);
        };
    List<Map<String, Object>> rows = scores(ofWhole(model));
    assertThat(rows.get(2)).containsEntry("label", "even");
    assertThat(rows.get(3)).containsEntry("label", null);
  }
}
