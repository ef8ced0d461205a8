package dev.penstock.examples;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.onnx.OnnxInputs;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Scores a folder of files with an ONNX model and writes the predictions as CSV.
///
/// `examples/run onnx [OUTPUT [FOLDER]]`: by default `predictions.csv` of the bundled flights that
/// were held out when the model was made.
final class ScoreWithOnnx {
  private ScoreWithOnnx() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException, OrtException {
    Path output = Path.of(args.length > 0 ? args[0] : "predictions.csv");
    long rows;
    if (args.length > 1) {
      rows = score(Path.of(args[1]), output);
    } else {
      try (SampleFlights flights = SampleFlights.extract()) {
        rows = score(flights.heldOutFolder(), output);
      }
    }
    System.out.println("Scored " + rows + " flights, see " + output);
  }

  /// Scores all flights of a folder.
  ///
  /// @return the rows written
  static long score(Path folder, Path output) throws IOException, OrtException {
    long rows = 0;
    try (OrtSession session = OrtEnvironment.getEnvironment().createSession(model());
        DataLoader loader =
            DataLoader.of(
                Flights.in(folder).columns("date", "distance", "origin", "destination"),
                o ->
                    o.batchSize(4096)
                        .workers(2)
                        .transform(Flights.FEATURES)
                        .features("x", Flights.NAMES)); // the model's input
        BufferedWriter csv = Files.newBufferedWriter(output)) {
      csv.write(Predictions.HEADER);
      for (Batch batch : loader) {
        try (batch;
            OnnxInputs inputs = OnnxInputs.of(batch, session);
            OrtSession.Result result = inputs.run(session)) {
          float[][] late = (float[][]) result.get(0).getValue(); // [rows, 1]
          Predictions.write(csv, batch, late);
          rows += batch.rowCount();
        }
      }
    }
    return rows;
  }

  private static byte[] model() throws IOException {
    try (InputStream in = ScoreWithOnnx.class.getResourceAsStream("late.onnx")) {
      return Objects.requireNonNull(in, "late.onnx").readAllBytes();
    }
  }
}
