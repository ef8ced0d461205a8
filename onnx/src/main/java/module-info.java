import dev.penstock.spi.model.ModelFormat;
import org.jspecify.annotations.NullMarked;

/// Penstock's batches as inputs of ONNX models.
///
/// Start at [dev.penstock.onnx.OnnxInputs] for a loop of your own, [dev.penstock.onnx.OnnxModel] to
/// score tables.
@NullMarked
module dev.penstock.onnx {
  exports dev.penstock.onnx;

  requires transitive com.microsoft.onnxruntime;
  requires transitive dev.penstock;
  requires static transitive org.jspecify;

  provides ModelFormat with
      dev.penstock.onnx.OnnxFormat;
}
