package dev.penstock.examples.spark;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spark.SparkBatches;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/// Measures how fast a task gets numbers: as Spark's rows, and as batches. Each way adds up a
/// matrix of all rows, in turns; `benchmarks/spark.sh` runs it.
public final class CompareWithRows {
  private static final int ROUNDS = 7;
  private static final int WARM_UPS = 3;

  private CompareWithRows() {}

  /// Runs it in local mode, with two threads.
  ///
  /// @param args a folder of Parquet files, then the names of columns of numbers
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) {
    String folder = args[0];
    List<String> names = List.of(args).subList(1, args.length);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate();
    Map<String, DoubleSupplier> ways = new LinkedHashMap<>();
    ways.put("Spark reads, rows", () -> sum(rows(read(spark, folder, names), names.size())));
    ways.put("Spark reads, batches", () -> sum(batches(read(spark, folder, names), names)));
    ways.put("Penstock reads, batches", () -> sum(table(spark, folder, names)));
    long rows = read(spark, folder, names).count();
    Map<String, List<Double>> seconds = new LinkedHashMap<>();
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      int counted = round;
      ways.forEach((name, way) -> {
        long start = System.nanoTime();
        double sum = way.getAsDouble();
        double took = (System.nanoTime() - start) / 1e9;
        if (counted < 0) {
          System.out.printf(Locale.ROOT, "%s: sum %.6g%n", name, sum);
        } else {
          seconds.computeIfAbsent(name, _ -> new ArrayList<>()).add(took);
        }
      });
    }
    spark.stop();
    seconds.forEach((name, all) -> {
      double median = all.stream().sorted().toList().get(ROUNDS / 2);
      System.out.printf(
          Locale.ROOT, "%-24s %.2f s, %.2f million rows/s%n", name, median, rows / median / 1e6);
    });
  }

  private static Dataset<Row> read(SparkSession spark, String folder, List<String> names) {
    String[] columns =
        names.stream()
            .map(name -> "float(`" + name + "`) AS `" + name + "`")
            .toArray(String[]::new);
    return spark.read().parquet(folder).selectExpr(columns);
  }

  private static double sum(JavaRDD<Double> ofPartitions) {
    return ofPartitions.collect().stream().mapToDouble(each -> each).sum();
  }

  private static JavaRDD<Double> rows(Dataset<Row> rows, int columns) {
    return rows.javaRDD()
        .mapPartitions(partition -> {
          double sum = 0;
          while (partition.hasNext()) {
            Row row = partition.next();
            for (int i = 0; i < columns; i++) {
              sum += row.getFloat(i);
            }
          }
          return List.of(sum).iterator();
        });
  }

  private static JavaRDD<Double> batches(Dataset<Row> rows, List<String> names) {
    List<String> features = new ArrayList<>(names);
    return SparkBatches.mapPartitions(
        rows,
        (partition, options) ->
            DataLoader.of(partition, options.batchSize(4096).workers(0).features("x", features)),
        CompareWithRows::sum);
  }

  private static JavaRDD<Double> table(SparkSession spark, String folder, List<String> names) {
    List<String> features = new ArrayList<>(names);
    int parts = 8;
    return SparkBatches.mapTable(
        spark.sparkContext(),
        parts,
        rank ->
            DataLoader.of(
                new StructuredDataset(folder).columns(features),
                LoaderOptions.defaults()
                    .batchSize(4096)
                    .workers(0)
                    .features("x", features)
                    .rank(rank)),
        CompareWithRows::sum);
  }

  private static Iterator<Double> sum(DataLoader loader) {
    double sum = 0;
    for (Batch batch : loader) {
      try (batch) {
        Tensor matrix = batch.tensor("x");
        for (long i = 0; i < matrix.shape().elementCount(); i++) {
          sum += matrix.memory().getAtIndex(ValueLayout.JAVA_FLOAT, i);
        }
      }
    }
    return List.of(sum).iterator();
  }
}
