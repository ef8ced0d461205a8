package reads;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.spark.SparkRanks;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/// Reads a file on a rank that Spark runs.
public final class ReadSpark {
  private ReadSpark() {}

  public static void main(String[] args) {
    SparkConf conf =
        new SparkConf().setMaster("local[1]").setAppName("reads").set("spark.ui.enabled", "false");
    SparkContext spark = new SparkContext(conf);
    try {
      String file = args[0];
      List<Long> rows =
          SparkRanks.run(
              spark,
              1,
              rank -> DataLoader.of(new StructuredDataset(file), o -> o.rank(rank)),
              (rank, loader) -> {
                long count = 0;
                for (var batch : loader) {
                  try (batch) {
                    count += batch.rowCount();
                  }
                }
                return count;
              });
      System.out.println("spark: " + rows + " rows");
    } finally {
      spark.stop();
    }
  }
}
