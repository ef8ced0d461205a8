package reads;

import ai.onnxruntime.OnnxTensor;
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.onnx.OnnxInputs;

/// Makes a file's batches inputs of ONNX Runtime.
public final class ReadOnnx {
  private ReadOnnx() {}

  public static void main(String[] args) {
    try (DataLoader loader = DataLoader.of(new StructuredDataset(args[0]).columns("distance"))) {
      for (Batch batch : loader) {
        try (batch;
            OnnxInputs inputs = OnnxInputs.of(batch, "distance")) {
          OnnxTensor tensor = inputs.tensors().get("distance");
          if (tensor.getInfo().getShape()[0] != batch.rowCount()) {
            throw new IllegalStateException(tensor.getInfo().toString());
          }
        }
      }
    }
    System.out.println("onnx: " + args[0]);
  }
}
