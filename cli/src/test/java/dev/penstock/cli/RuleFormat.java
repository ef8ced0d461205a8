package dev.penstock.cli;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Tensor;
import dev.penstock.model.Model;
import dev.penstock.model.ModelInput;
import dev.penstock.spi.model.ModelFiles;
import dev.penstock.spi.model.ModelFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A model without a framework: `x 2` sums two numbers of its input `x`, `x 2 7` fails where the
/// sum is 7.
public final class RuleFormat implements ModelFormat {
  @Override
  public String name() {
    return "Rule";
  }

  @Override
  public boolean isOf(Path file) {
    return ModelFiles.isNamed(file, ".rule");
  }

  @Override
  public Model open(Path file, int threads) throws IOException {
    String[] words = Files.readString(file).strip().split(" ", -1);
    int width = Integer.parseInt(words[1]);
    float bad = words.length > 2 ? Float.parseFloat(words[2]) : Float.NaN;
    String version = ModelFiles.sha256(file);
    return new Model() {
      @Override
      public Map<String, Object> run(Batch batch) throws IOException {
        float[] values = (float[]) batch.tensor(words[0]).toArray();
        float[] sums = new float[batch.rowCount()];
        for (int i = 0; i < values.length; i++) {
          sums[i / width] += values[i];
        }
        for (float sum : sums) {
          if (sum == bad) {
            throw new IOException("the sum is " + bad);
          }
        }
        return Map.of("sum", Tensor.of(sums));
      }

      @Override
      public List<ModelInput> inputs() {
        return List.of(
            new ModelInput(words[0], DType.FLOAT32, List.of(-1L, (long) width), List.of()));
      }

      @Override
      public String version() {
        return version;
      }
    };
  }
}
