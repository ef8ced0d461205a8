import org.jspecify.annotations.NullMarked;

/// Penstock's batches as inputs of ONNX models.
///
/// Start at [dev.penstock.onnx.OnnxInputs].
@NullMarked
module dev.penstock.onnx {
  exports dev.penstock.onnx;

  requires transitive com.microsoft.onnxruntime;
  requires transitive dev.penstock;
  requires static transitive org.jspecify;
}
