package dev.penstock.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// ONNX models of a few nodes, as the bytes of their protocol buffer.
final class TestModels {
  /// Element types of the format.
  static final int FLOAT = 1;

  static final int UINT8 = 2;
  static final int INT8 = 3;
  static final int UINT16 = 4;
  static final int INT16 = 5;
  static final int INT32 = 6;
  static final int INT64 = 7;
  static final int STRING = 8;
  static final int BOOL = 9;
  static final int FLOAT16 = 10;
  static final int DOUBLE = 11;
  static final int UINT32 = 12;
  static final int UINT64 = 13;
  static final int BFLOAT16 = 16;

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
    model.node("Add", "", new ByteArrayOutputStream(), "y", "x", "x");
    text(model.graph, 2, "twice");
    model.value(11, "x", type, extents);
    model.value(12, "y", type, extents);
    if (handOn) {
      model.value(12, "x", type, extents);
    }
    return model.bytes();
  }

  /// Returns a model whose output `y` is of all elements of `x`: of operation `Size`, which makes a
  /// scalar of `INT64`, or `ReduceSum`, which keeps the axes.
  static byte[] ofAll(String operation, int type, int... extents) {
    TestModels model = new TestModels();
    model.node(operation, "", new ByteArrayOutputStream(), "y", "x");
    text(model.graph, 2, "all");
    model.value(11, "x", FLOAT, 0);
    model.value(12, "y", type, extents);
    return model.bytes();
  }

  /// Returns the model `y = x`.
  static byte[] identity(int type, int... extents) {
    TestModels model = new TestModels();
    model.node("Identity", "", new ByteArrayOutputStream(), "y", "x");
    text(model.graph, 2, "same");
    model.value(11, "x", type, extents);
    model.value(12, "y", type, extents);
    return model.bytes();
  }

  /// Returns a model with an output `cTYPE` for each type: `x`, which is `FLOAT`, cast to it.
  ///
  /// @param extents those of `x`; 0 for any
  static byte[] casts(int[] types, int... extents) {
    TestModels model = new TestModels();
    for (int type : types) {
      ByteArrayOutputStream to = new ByteArrayOutputStream();
      text(to, 1, "to");
      number(to, 3, type);
      number(to, 20, 2); // INT
      model.node("Cast", "", to, "c" + type, "x");
    }
    text(model.graph, 2, "casts");
    model.value(11, "x", FLOAT, extents);
    for (int type : types) {
      model.value(12, "c" + type, type, extents);
    }
    return model.bytes();
  }

  /// Returns a model whose output `p` is a map for each row, as scikit-learn's classifiers have it.
  ///
  /// @param labels the labels of the columns of `x`, which is `FLOAT [rows, labels]`
  static byte[] zipMap(String... labels) {
    TestModels model = new TestModels();
    ByteArrayOutputStream keys = new ByteArrayOutputStream();
    text(keys, 1, "classlabels_strings");
    for (String label : labels) {
      text(keys, 9, label);
    }
    number(keys, 20, 8); // STRINGS
    model.node("ZipMap", "ai.onnx.ml", keys, "p", "x");
    text(model.graph, 2, "labels");
    model.value(11, "x", FLOAT, 0, labels.length);
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    number(element, 1, FLOAT);
    ByteArrayOutputStream map = new ByteArrayOutputStream();
    number(map, 1, STRING);
    bytes(map, 2, in(1, element).toByteArray()); // a tensor of floats without a shape
    bytes(model.graph, 12, value("p", in(4, in(1, in(5, map)))));
    return model.bytes();
  }

  private static ByteArrayOutputStream in(int field, ByteArrayOutputStream content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bytes(out, field, content.toByteArray());
    return out;
  }

  private void node(
      String operation,
      String domain,
      ByteArrayOutputStream attribute,
      String output,
      String... inputs) {
    ByteArrayOutputStream node = new ByteArrayOutputStream();
    for (String input : inputs) {
      text(node, 1, input);
    }
    text(node, 2, output);
    text(node, 4, operation);
    if (attribute.size() > 0) {
      bytes(node, 5, attribute.toByteArray());
    }
    text(node, 7, domain);
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
    bytes(graph, field, value(name, in(1, tensor)));
  }

  private static byte[] value(String name, ByteArrayOutputStream kind) {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    text(value, 1, name);
    bytes(value, 2, kind.toByteArray());
    return value.toByteArray();
  }

  private byte[] bytes() {
    ByteArrayOutputStream opset = new ByteArrayOutputStream();
    number(opset, 2, OPSET);
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    number(model, 1, IR_VERSION);
    bytes(model, 7, graph.toByteArray());
    bytes(model, 8, opset.toByteArray());
    ByteArrayOutputStream learning = new ByteArrayOutputStream();
    text(learning, 1, "ai.onnx.ml");
    number(learning, 2, 1);
    bytes(model, 8, learning.toByteArray());
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
