package dev.penstock.examples.spark;

import dev.penstock.DataLoader;
import dev.penstock.examples.Flights;
import dev.penstock.spark.SparkBatches;
import dev.penstock.split.Rank;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/// Scores a table with an ONNX model on a cluster, and writes the scores as a folder of Parquet
/// files. Each row is scored once in what is written, also if tasks or machines fail: Spark keeps
/// the files of one attempt of each part. So Spark writes them; without Spark, `penstock score`
/// writes each row once as well.
///
/// `spark-submit ... TABLE OUTPUT PARTS`: the table is a folder of Parquet files, an Iceberg or a
/// Delta table, with the columns of the bundled flights; all machines see both folders.
public final class ScoreOnSpark {
  private ScoreOnSpark() {}

  /// Runs it.
  ///
  /// @param args the table, the folder to write, the number of parts
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) {
    String table = args[0];
    int parts = Integer.parseInt(args[2]);
    SparkSession spark = SparkSession.builder().appName("penstock-scoring").getOrCreate();
    try {
      JavaRDD<Row> scores =
          SparkBatches.mapTable(
              spark.sparkContext(), parts, rank -> loader(table, rank), Scores::of);
      spark.createDataFrame(scores, Scores.SCHEMA).write().parquet(args[1]);
      long rows = spark.read().parquet(args[1]).count();
      System.out.println("Scored " + rows + " rows, see " + args[1]);
    } finally {
      spark.stop();
    }
  }

  private static DataLoader loader(String table, Rank rank) {
    return DataLoader.of(
        Tables.open(table).columns("date", "distance", "origin", "destination"),
        o ->
            o.batchSize(4096)
                .workers(1)
                .transform(Flights.FEATURES)
                .features("x", Flights.NAMES) // the model's input
                .rank(rank));
  }
}
