package dev.penstock.onnx;

import dev.penstock.model.Model;
import dev.penstock.spi.model.ModelFiles;
import dev.penstock.spi.model.ModelFormat;
import java.io.IOException;
import java.nio.file.Path;

/// Files of ONNX models: those whose names end with `.onnx` or `.ort`.
///
/// Found by `ServiceLoader`; a user opens an [OnnxModel].
public final class OnnxFormat implements ModelFormat {
  /// Makes the format.
  public OnnxFormat() {}

  @Override
  public String name() {
    return "ONNX";
  }

  @Override
  public boolean isOf(Path file) {
    return ModelFiles.isNamed(file, ".onnx", ".ort");
  }

  @Override
  public Model open(Path file, int threads) throws IOException {
    return OnnxModel.open(file, threads);
  }
}
