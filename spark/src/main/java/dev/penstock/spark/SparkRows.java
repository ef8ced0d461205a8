package dev.penstock.spark;

import java.util.HashSet;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/// The rows of a query as Spark has them between its operators, without an object for each.
///
/// @param rows the rows; Spark may use one object for all of a partition
/// @param zone the session's time zone
record SparkRows(JavaRDD<InternalRow> rows, StructType schema, String zone) {
  /// Looks into a query.
  ///
  /// @throws IllegalArgumentException if another process runs it, or two columns share a name
  static SparkRows of(Dataset<Row> query) {
    if (!(query instanceof org.apache.spark.sql.classic.Dataset<Row> here)) {
      throw new IllegalArgumentException(
          "Cannot read batches of a "
              + query.getClass().getName()
              + ": its rows are in another process. Use a session that is not of Spark Connect.");
    }
    requireOneEach(here.schema().fieldNames());
    return new SparkRows(
        here.queryExecution().toRdd().toJavaRDD(),
        here.schema(),
        here.sparkSession().sessionState().conf().sessionLocalTimeZone());
  }

  private static void requireOneEach(String[] names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new IllegalArgumentException(
            "Cannot read batches of a query in which two columns are named '"
                + name
                + "'. Rename one of them.");
      }
    }
  }

  <T> JavaRDD<T> mapPartitions(PartitionLoader loaders, BatchTask<T> task) {
    return rows.mapPartitions(new RowPartition<>(schema, zone, loaders, task));
  }
}
