package dev.penstock.tokens;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.transform.Transform;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What a loader delivers, as Java's lists.
final class Ids {
  private Ids() {}

  static List<int[]> of(Path file, Transform transform, String column, int workers) {
    List<int[]> all = new ArrayList<>();
    LoaderOptions options =
        LoaderOptions.defaults()
            .rank(Rank.SINGLE)
            .batchSize(100)
            .workers(workers)
            .transform(transform);
    try (DataLoader loader = DataLoader.of(new StructuredDataset(file.toString()), options)) {
      for (Batch batch : loader) {
        try (batch) {
          RaggedTensor lists = batch.ragged(column);
          for (int row = 0; row < lists.rowCount(); row++) {
            all.add(ints(lists.row(row)));
          }
        }
      }
    }
    return all;
  }

  static int[] ints(Tensor tensor) {
    int[] ints = new int[Math.toIntExact(tensor.shape().elementCount())];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = tensor.getInt(i);
    }
    return ints;
  }
}
