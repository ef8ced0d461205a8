package dev.penstock.examples.spark;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.examples.Flights;
import dev.penstock.onnx.OnnxInputs;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/// The scores of a task's batches, made as they are asked for: a batch of them is in memory.
final class Scores implements Iterator<Row> {
  static final StructType SCHEMA =
      new StructType()
          .add("origin", DataTypes.StringType)
          .add("destination", DataTypes.StringType)
          .add("late", DataTypes.FloatType);

  private final Iterator<Batch> batches;
  private final OrtSession session;
  private Iterator<Row> scored = Collections.emptyIterator();

  private Scores(Iterator<Batch> batches, OrtSession session) {
    this.batches = batches;
    this.session = session;
  }

  /// Begins to score the batches of a task.
  static Iterator<Row> of(DataLoader loader) throws IOException, OrtException {
    OrtSession session = OrtEnvironment.getEnvironment().createSession(model());
    TaskCompletionListener close = _ -> close(session);
    TaskContext.get().addTaskCompletionListener(close);
    return new Scores(loader.iterator(), session);
  }

  private static byte[] model() throws IOException {
    try (InputStream in = Flights.class.getResourceAsStream("late.onnx")) {
      return Objects.requireNonNull(in, "late.onnx").readAllBytes();
    }
  }

  private static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean hasNext() {
    while (!scored.hasNext() && batches.hasNext()) {
      try (Batch batch = batches.next()) {
        scored = scored(batch).iterator();
      } catch (OrtException e) {
        throw new IllegalStateException("Cannot score a batch: " + e.getMessage(), e);
      }
    }
    return scored.hasNext();
  }

  @Override
  public Row next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return scored.next();
  }

  private List<Row> scored(Batch batch) throws OrtException {
    try (OnnxInputs inputs = OnnxInputs.of(batch, session);
        OrtSession.Result result = inputs.run(session)) {
      float[][] late = (float[][]) result.get(0).getValue(); // [rows, 1]
      List<@Nullable String> origins = batch.strings("origin");
      List<@Nullable String> destinations = batch.strings("destination");
      List<Row> rows = new ArrayList<>();
      for (int row = 0; row < late.length; row++) {
        rows.add(RowFactory.create(origins.get(row), destinations.get(row), late[row][0]));
      }
      return rows;
    }
  }
}
