package dev.penstock.benchmarks.score;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// ONNX Runtime over tensors that are filled before.
final class OnnxSession implements ScoreMemory.Session {
  private static final int FEATURES = 64;

  private final OrtSession session;
  private final List<OnnxTensor> batches = new ArrayList<>();

  OnnxSession(Path model, List<FloatBuffer> batches, int threads) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      session = environment.createSession(model.toString(), options);
    }
    for (FloatBuffer batch : batches) {
      long[] shape = {batch.capacity() / FEATURES, FEATURES};
      this.batches.add(OnnxTensor.createTensor(environment, batch, shape));
    }
  }

  @Override
  public float[] run(int batch) throws OrtException {
    try (OrtSession.Result result = session.run(Map.of("features", batches.get(batch)))) {
      FloatBuffer scores = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[] copied = new float[scores.remaining()];
      scores.get(copied);
      return copied;
    }
  }
}
