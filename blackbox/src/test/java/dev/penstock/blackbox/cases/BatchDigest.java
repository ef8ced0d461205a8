package dev.penstock.blackbox.cases;

import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What is recorded of a batch.
///
/// @param rows how many rows it has
/// @param ids the values of its column `id`, as text; empty if it has none
/// @param values a hash of all columns with their names and forms
record BatchDigest(int rows, String ids, String values) {
  static BatchDigest of(Batch batch) {
    String ids = batch.names().contains("id") ? text(batch.column("id")) : "";
    StringBuilder all = new StringBuilder();
    for (String name : batch.names()) {
      all.append(name).append('=').append(form(batch.column(name))).append('\n');
    }
    return new BatchDigest(batch.rowCount(), ids, hash(all.toString()));
  }

  /// Returns 8 hexadecimal digits for a text: its FNV-1a of 64 bits, folded.
  static String hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
    }
    return HexFormat.of().toHexDigits((int) (hash ^ (hash >>> 32)));
  }

  /// Returns a column with its form: a tensor and an array of the same numbers differ.
  private static String form(Object column) {
    return switch (column) {
      case Tensor tensor -> tensor.dtype() + " " + tensor.shape() + " " + hex(tensor);
      case RaggedTensor lists ->
          "lists of "
              + lists.values().dtype()
              + " "
              + hex(lists.values())
              + " at "
              + hex(lists.offsets());
      case List<?> list -> "list " + text(list);
      default -> column.getClass().getSimpleName() + " " + text(column);
    };
  }

  private static String hex(Tensor tensor) {
    return HexFormat.of().formatHex(tensor.memory().toArray(ValueLayout.JAVA_BYTE));
  }

  /// Returns values as text, whatever they are held in.
  private static String text(Object value) {
    return switch (value) {
      case null -> "null";
      case Tensor tensor -> text(tensor.toArray());
      case List<?> list -> list.stream().map(BatchDigest::text).collect(joined());
      case Map<?, ?> map -> map.entrySet().stream().map(BatchDigest::text).collect(joined());
      case Map.Entry<?, ?> entry -> text(entry.getKey()) + ":" + text(entry.getValue());
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      case Object array when array.getClass().isArray() ->
          IntStream.range(0, Array.getLength(array))
              .mapToObj(i -> text(Array.get(array, i)))
              .collect(joined());
      default -> value.toString();
    };
  }

  private static Collector<CharSequence, ?, String> joined() {
    return Collectors.joining(" ", "[", "]");
  }
}
