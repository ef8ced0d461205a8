package dev.penstock.benchmarks.score;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Map;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/// Scores a file by an ONNX model in a function over Spark's partitions, a batch of rows at a time,
/// and writes the scores with their keys as Parquet.
public final class ScoreOnSpark {
  private static final int FEATURES = 64;
  private static final StructType SCHEMA =
      new StructType().add("id", DataTypes.LongType).add("score", DataTypes.FloatType);

  private ScoreOnSpark() {}

  /// The session of the process, with one thread for each task that calls it.
  private static final class Shared {
    static @Nullable OrtSession session;

    private Shared() {}

    static synchronized OrtSession session(String model) throws OrtException {
      if (session == null) {
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
          options.setIntraOpNumThreads(1);
          session = OrtEnvironment.getEnvironment().createSession(model, options);
        }
      }
      return session;
    }
  }

  /// Scores a batch of rows when the last one's scores are taken.
  private static final class Scores implements Iterator<Row> {
    private final Iterator<Row> rows;
    private final OrtSession session;
    private final FloatBuffer features;
    private final long[] ids;
    private Iterator<Row> ready = Collections.emptyIterator();

    Scores(Iterator<Row> rows, OrtSession session, int size) {
      this.rows = rows;
      this.session = session;
      this.ids = new long[size];
      this.features =
          ByteBuffer.allocateDirect(size * FEATURES * Float.BYTES)
              .order(ByteOrder.nativeOrder())
              .asFloatBuffer();
    }

    @Override
    public boolean hasNext() {
      if (!ready.hasNext() && rows.hasNext()) {
        ready = scored().iterator();
      }
      return ready.hasNext();
    }

    @Override
    public Row next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return ready.next();
    }

    private List<Row> scored() {
      int count = 0;
      features.clear();
      while (count < ids.length && rows.hasNext()) {
        Row row = rows.next();
        ids[count++] = row.getLong(0);
        for (int i = 1; i <= FEATURES; i++) {
          features.put(row.getFloat(i));
        }
      }
      features.flip();
      try (OnnxTensor tensor =
              OnnxTensor.createTensor(
                  OrtEnvironment.getEnvironment(), features, new long[] {count, FEATURES});
          OrtSession.Result result = session.run(Map.of("features", tensor))) {
        FloatBuffer scores = ((OnnxTensor) result.get(0)).getFloatBuffer();
        List<Row> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          all.add(RowFactory.create(ids[i], scores.get(i)));
        }
        return all;
      } catch (OrtException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /// Scores it several times.
  ///
  /// @param args `FILE MODEL FOLDER RUNS CORES BATCH_SIZE`
  /// @throws Exception if it cannot be measured
  public static void main(String[] args) throws Exception {
    String model = args[1];
    double[] seconds = new double[Integer.parseInt(args[3])];
    int size = Integer.parseInt(args[5]);
    SparkSession spark =
        SparkSession.builder()
            .master("local[" + args[4] + "]")
            .config("spark.ui.enabled", false)
            .getOrCreate();
    MapPartitionsFunction<Row, Row> score = rows -> new Scores(rows, Shared.session(model), size);
    for (int run = 0; run < seconds.length; run++) {
      long start = System.nanoTime();
      spark
          .read()
          .parquet(args[0])
          .mapPartitions(score, Encoders.row(SCHEMA))
          .write()
          .parquet(args[2] + "/" + run);
      seconds[run] = (System.nanoTime() - start) / 1e9;
    }
    Row sums = spark.read().parquet(args[2] + "/0").selectExpr("count(id)", "sum(score)").first();
    Printed.line(sums.getLong(0), seconds, sums.getDouble(1), "");
    spark.stop();
  }
}
