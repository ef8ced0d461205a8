/// Batches as inputs of ONNX models, without a copy.
///
/// Open [OnnxInputs] first.
@NullMarked
package dev.penstock.onnx;

import org.jspecify.annotations.NullMarked;
