package dev.penstock.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// ONNX models of one node, as the bytes of their protocol buffer.
final class TestModels {
  /// Element types of the format.
  static final int FLOAT = 1;

  static final int INT64 = 7;

  private static final int IR_VERSION = 7;
  private static final int OPSET = 13;

  private final ByteArrayOutputStream graph = new ByteArrayOutputStream();

  private TestModels() {}

  /// Returns the model `y = x + x`.
  ///
  /// @param handOn whether `x` is an output, too
  /// @param extents those of `x`; 0 for any
  static byte[] twice(boolean handOn, int type, int... extents) {
    TestModels model = new TestModels();
    model.node("Add", "x", "x");
    text(model.graph, 2, "twice");
    model.value(11, "x", type, extents);
    model.value(12, "y", type, extents);
    if (handOn) {
      model.value(12, "x", type, extents);
    }
    return model.bytes();
  }

  private void node(String operation, String first, String second) {
    ByteArrayOutputStream node = new ByteArrayOutputStream();
    text(node, 1, first);
    text(node, 1, second);
    text(node, 2, "y");
    text(node, 4, operation);
    bytes(graph, 1, node.toByteArray());
  }

  private void value(int field, String name, int type, int... extents) {
    ByteArrayOutputStream shape = new ByteArrayOutputStream();
    for (int extent : extents) {
      ByteArrayOutputStream dim = new ByteArrayOutputStream();
      if (extent == 0) {
        text(dim, 2, "rows");
      } else {
        number(dim, 1, extent);
      }
      bytes(shape, 1, dim.toByteArray());
    }
    ByteArrayOutputStream tensor = new ByteArrayOutputStream();
    number(tensor, 1, type);
    bytes(tensor, 2, shape.toByteArray());
    ByteArrayOutputStream kind = new ByteArrayOutputStream();
    bytes(kind, 1, tensor.toByteArray());
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    text(value, 1, name);
    bytes(value, 2, kind.toByteArray());
    bytes(graph, field, value.toByteArray());
  }

  private byte[] bytes() {
    ByteArrayOutputStream opset = new ByteArrayOutputStream();
    number(opset, 2, OPSET);
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    number(model, 1, IR_VERSION);
    bytes(model, 7, graph.toByteArray());
    bytes(model, 8, opset.toByteArray());
    return model.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, int field, String text) {
    bytes(out, field, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void bytes(ByteArrayOutputStream out, int field, byte[] bytes) {
    varint(out, ((long) field << 3) | 2);
    varint(out, bytes.length);
    out.writeBytes(bytes);
  }

  private static void number(ByteArrayOutputStream out, int field, long number) {
    varint(out, (long) field << 3);
    varint(out, number);
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long rest = value;
    while (rest > 127) {
      out.write((int) ((rest & 127) | 128));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
