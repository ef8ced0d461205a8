import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import ml.dmlc.xgboost4j.scala.spark.XGBoostClassifier;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What XgboostOnSpark does, by xgboost4j-spark: the same rows, features and settings. */
public class XgboostPeer {
  private static Dataset<Row> read(SparkSession spark, String folder, List<String> features) {
    List<String> columns = new ArrayList<>();
    columns.add("float(distance / 1000) AS thousand_miles");
    for (int hour = 0; hour < 24; hour++) {
      columns.add("float(hour(date) = " + hour + ") AS hour_" + hour);
    }
    for (int day = 0; day < 7; day++) {
      columns.add("float(weekday(date) = " + day + ") AS weekday_" + day);
    }
    columns.forEach(column -> features.add(column.substring(column.indexOf(" AS ") + 4)));
    columns.add("float(delay > 15) AS late");
    return new VectorAssembler()
        .setInputCols(features.toArray(new String[0]))
        .setOutputCol("features")
        .transform(spark.read().parquet(folder).selectExpr(columns.toArray(new String[0])));
  }

  private static long peakMegabytes() throws IOException {
    for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
      }
    }
    return 0;
  }

  private static List<String> onExecutors(JavaSparkContext spark, int workers) {
    return spark
        .parallelize(Collections.nCopies(4 * workers, 0), 4 * workers)
        .map(
            each -> {
              Thread.sleep(300); // so that each executor gets some
              return ProcessHandle.current().pid() + ": " + peakMegabytes() + " MB";
            })
        .distinct()
        .collect();
  }

  public static void main(String[] args) {
    int workers = Integer.parseInt(args[1]);
    int rounds = Integer.parseInt(args[2]);
    String heap = args[3];
    SparkSession spark =
        SparkSession.builder()
            .master("local-cluster[" + workers + ",1," + heap + "]")
            .config("spark.executor.memory", heap + "m")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.session.timeZone", "UTC")
            .getOrCreate();
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    Dataset<Row> rows = read(spark, args[0], new ArrayList<>());
    onExecutors(context, workers); // waits until they are up
    XGBoostClassifier trees = new XGBoostClassifier();
    trees.setFeaturesCol("features");
    trees.setLabelCol("late");
    trees.setNumWorkers(workers);
    trees.setNumRound(rounds);
    trees.setMaxDepth(6);
    trees.setMaxBins(256);
    trees.setTreeMethod("hist");
    trees.setNthread(1);
    trees.setObjective("binary:logistic");
    trees.setMissing(0); // it refuses sparse vectors otherwise
    trees.setRabitTrackerHostIp("127.0.0.1");
    long start = System.nanoTime();
    trees.fit(rows);
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT, "xgboost4j-spark: %.1f s, executors %s%n", seconds, onExecutors(context, workers));
    spark.stop();
  }
}
