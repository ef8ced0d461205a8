package dev.penstock.serve;

import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what a client made of a batch. Behind the batch's number: the length of a JSON document, 4
/// bytes; the document, with `outputs` or an `error`; and the values of the outputs, one behind the
/// other: the elements of a tensor; or for texts the bytes of each, 4 bytes, -1 for null, and all
/// texts in UTF-8.
final class ClientOutputs {
  private static final String SUBJECT = "what the client made of a batch";

  private ClientOutputs() {}

  /// The client's model failed.
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1;

    FailedException(String message) {
      super(message);
    }
  }

  /// Reads the outputs.
  ///
  /// @param contents of the frame, behind the number; the tensors lie in it
  /// @throws FailedException if the client sends an error
  /// @throws IllegalArgumentException if it is none of both
  static Map<String, Object> read(ByteBuffer contents, int rows) throws FailedException {
    int length = contents.remaining() < Integer.BYTES ? -1 : contents.getInt();
    if (length < 0 || length > contents.remaining()) {
      throw malformed("its document has " + length + " bytes");
    }
    JsonFields fields = JsonTree.read(SUBJECT, text(contents, length));
    if (fields.has("error")) {
      throw new FailedException(fields.text("error"));
    }
    Map<String, Object> outputs = new LinkedHashMap<>();
    fields.objects(
        "outputs",
        "an output",
        output -> {
          String name = output.text("name");
          String dtype = output.text("dtype");
          return outputs.put(
              name,
              dtype.equals("string")
                  ? texts(contents, rows)
                  : tensor(dtype, output.numbers("shape"), contents, rows));
        });
    fields.requireNoOthers();
    if (contents.hasRemaining()) {
      throw malformed("it has " + contents.remaining() + " bytes behind its tensors");
    }
    return outputs;
  }

  private static List<@Nullable String> texts(ByteBuffer contents, int rows) {
    if (contents.remaining() / Integer.BYTES < rows) {
      throw malformed("it has " + contents.remaining() + " bytes for " + rows + " texts");
    }
    IntBuffer lengths =
        contents
            .slice(contents.position(), rows * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asIntBuffer();
    contents.position(contents.position() + rows * Integer.BYTES);
    List<@Nullable String> texts = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      int length = lengths.get(row);
      if (length > contents.remaining()) {
        throw malformed("a text has " + contents.remaining() + " bytes but expected " + length);
      }
      texts.add(length < 0 ? null : text(contents, length));
    }
    return texts;
  }

  private static String text(ByteBuffer contents, int length) {
    ByteBuffer text = contents.slice(contents.position(), length);
    contents.position(contents.position() + length);
    return StandardCharsets.UTF_8.decode(text).toString();
  }

  private static Tensor tensor(String name, List<Double> behind, ByteBuffer contents, int rows) {
    DType dtype = DType.valueOf(name.toUpperCase(Locale.ROOT));
    long[] dims = new long[1 + behind.size()];
    dims[0] = rows;
    for (int axis = 1; axis < dims.length; axis++) {
      dims[axis] = behind.get(axis - 1).longValue();
    }
    Shape shape = Shape.of(dims);
    long bytes = Math.multiplyExact(shape.elementCount(), dtype.bytes());
    if (bytes > contents.remaining()) {
      throw malformed("a tensor has " + contents.remaining() + " bytes but expected " + bytes);
    }
    MemorySegment memory = MemorySegment.ofBuffer(contents).asSlice(0, bytes);
    contents.position(contents.position() + (int) bytes);
    return Tensor.of(dtype, shape, memory);
  }

  private static IllegalArgumentException malformed(String what) {
    return new IllegalArgumentException("Cannot read " + SUBJECT + ": " + what + ".");
  }
}
