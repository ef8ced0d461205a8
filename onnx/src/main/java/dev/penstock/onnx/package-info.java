/// Batches as inputs of ONNX models, without a copy.
///
/// Open [OnnxInputs] first; [OnnxModel] is a file of a model to score tables with.
@NullMarked
package dev.penstock.onnx;

import org.jspecify.annotations.NullMarked;
