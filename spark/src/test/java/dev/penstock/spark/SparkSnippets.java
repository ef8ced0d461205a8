package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/// The code of the guide that needs Spark, run by [SparkRanksTest] and [SparkBatchesTest]. A region
/// stands in the text exactly as here; SnippetsTest compares them.
final class SparkSnippets {
  private SparkSnippets() {}

  /// A model that is a number: the sum of what it was given.
  private static final class Model {
    double sum;

    static Model parse(byte[] bytes) {
      Model model = new Model();
      model.sum = ByteBuffer.wrap(bytes).getDouble();
      return model;
    }

    byte[] toBytes() {
      return ByteBuffer.allocate(Double.BYTES).putDouble(sum).array();
    }

    void train(Batch batch) {
      for (int row = 0; row < batch.rowCount(); row++) {
        sum += batch.tensor("id").getLong(row);
      }
    }
  }

  private static LoaderOptions options(Rank rank) {
    return LoaderOptions.defaults().batchSize(64).workers(1).shuffle(true).seed(42).rank(rank);
  }

  static List<Double> train(SparkContext spark, String folder, String checkpoints) {
    // @start region=spark
    List<Double> results =
        SparkRanks.run(
            spark, // of a session: session.sparkContext()
            2, // ranks: two tasks that run at once
            rank -> DataLoader.of(new StructuredDataset(folder), o -> options(rank)),
            checkpoints, // a folder that all executors see
            (rank, loader) -> {
              Model model = rank.saved().map(Model::parse).orElseGet(Model::new);
              while (loader.state().epoch() < 3) {
                for (Batch batch : loader) {
                  try (batch) {
                    model.train(batch);
                  }
                  if (loader.state().batches() % 4 == 0) { // of the epoch; the same on all ranks
                    rank.save(model.toBytes());
                  }
                }
              }
              return model.sum;
            });
    // @end
    return results;
  }

  static List<Double> rows(SparkSession session) {
    List<String> names = List.of("distance", "hour");
    // @start region=spark-rows
    Dataset<Row> flights =
        session.sql("SELECT double(id % 7) AS distance, double(id % 24) AS hour FROM range(10000)");

    JavaRDD<Double> scores =
        SparkBatches.mapPartitions(
            flights,
            (rows, options) -> DataLoader.of(rows, options.batchSize(512).features("x", names)),
            loader -> {
              List<Double> ofBatches = new ArrayList<>();
              for (Batch batch : loader) {
                try (batch) {
                  ofBatches.add(score(batch.tensor("x"))); // [rows, 2]
                }
              }
              return ofBatches.iterator();
            });
    // @end
    return scores.collect();
  }

  static List<Long> table(SparkSession session, String folder) {
    // @start region=spark-table
    JavaRDD<Long> counts =
        SparkBatches.mapTable(
            session.sparkContext(),
            8, // parts
            rank ->
                DataLoader.of(
                    new StructuredDataset(folder).where("id >= 100"),
                    o -> o.batchSize(512).countMatches(false).rank(rank)),
            loader -> {
              long rows = 0;
              for (Batch batch : loader) {
                try (batch) {
                  rows += batch.rowCount();
                }
              }
              return List.of(rows).iterator();
            });
    // @end
    return counts.collect();
  }

  private static double score(Tensor features) {
    double sum = 0;
    for (long i = 0; i < features.shape().elementCount(); i++) {
      sum += features.getFloat(i);
    }
    return sum;
  }
}
