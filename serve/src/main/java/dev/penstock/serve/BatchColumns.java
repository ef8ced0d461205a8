package dev.penstock.serve;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// The columns of batches as a client is told them: once as JSON, what each column is; and for each
/// batch as numbers, where its memory is.
///
/// | column | JSON | numbers, in pairs |
/// |---|---|---|
/// | tensor | `kind`: `tensor`, `dtype`, `shape` without the rows | its memory |
/// | lists of numbers | `ragged`, `dtype` | the elements; the offsets; the length of all lists, or
/// -1, and 0 |
/// | any other | `slice`, `type`, `children` | for each part of the type, parents first: rows and
/// nulls; validity; offsets; values, each where the type has them |
///
/// A column without a name is a part of the one before. Memory is a pair of its place and its
/// bytes; there is none with a place of -1.
final class BatchColumns {
  private BatchColumns() {}

  /// A piece of memory, or two numbers.
  ///
  /// @param memory null for numbers
  record Pair(@Nullable MemorySegment memory, long first, long second) {
    static Pair of(MemorySegment memory) {
      return new Pair(memory, 0, memory.byteSize());
    }

    static Pair of(long first, long second) {
      return new Pair(null, first, second);
    }

    static Pair ofNullable(@Nullable MemorySegment memory) {
      return memory == null ? of(-1, 0) : of(memory);
    }
  }

  /// Writes what the columns are, by any batch of the epoch and the policies of its columns.
  static void write(Batch batch, Function<String, NullPolicy> nulls, JsonGenerator json) {
    json.writeArrayPropertyStart("columns");
    for (String name : batch.names()) {
      json.writeStartObject();
      json.writeStringProperty("name", name);
      switch (batch.column(name)) {
        case Tensor tensor -> {
          json.writeStringProperty("kind", "tensor");
          json.writeStringProperty("dtype", dtype(tensor.dtype()));
          json.writeArrayPropertyStart("shape");
          for (int axis = 1; axis < tensor.shape().rank(); axis++) {
            json.writeNumber(tensor.shape().dim(axis));
          }
          json.writeEndArray();
        }
        case RaggedTensor lists -> {
          json.writeStringProperty("kind", "ragged");
          json.writeStringProperty("dtype", dtype(lists.values().dtype()));
        }
        case ColumnSlice slice -> {
          json.writeStringProperty("kind", "slice");
          writeType(slice.type(), json);
          if (nulls.apply(name) instanceof NullPolicy.FillText(String text)
              && slice.type() instanceof DataType.Utf8) {
            json.writeStringProperty("fill", text);
          }
        }
        default -> throw new IllegalStateException("No form for column '" + name + "'.");
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static String dtype(DType dtype) {
    return dtype.name().toLowerCase(Locale.ROOT);
  }

  private static void writeType(DataType type, JsonGenerator json) {
    switch (type) {
      case DataType.List(DataType element, boolean nullable) -> {
        json.writeStringProperty("type", "list");
        writeParts(List.of(new Field("element", element, nullable)), json);
      }
      case DataType.Map map -> {
        json.writeStringProperty("type", "map");
        writeParts(List.of(new Field("entry", map.entry(), false)), json);
      }
      case DataType.Struct(List<Field> fields) -> {
        json.writeStringProperty("type", "struct");
        writeParts(fields, json);
      }
      default -> json.writeStringProperty("type", type.toString());
    }
  }

  private static void writeParts(List<Field> parts, JsonGenerator json) {
    json.writeArrayPropertyStart("children");
    for (Field part : parts) {
      json.writeStartObject();
      json.writeStringProperty("name", part.name());
      json.writeBooleanProperty("nullable", part.nullable());
      writeType(part.type(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /// Returns where the columns of a batch are.
  static List<Pair> pairs(Batch batch) {
    List<Pair> pairs = new ArrayList<>();
    for (String name : batch.names()) {
      switch (batch.column(name)) {
        case Tensor tensor -> pairs.add(Pair.of(tensor.memory()));
        case RaggedTensor lists -> {
          pairs.add(Pair.of(lists.values().memory()));
          pairs.add(Pair.of(lists.offsets().memory()));
          boolean uniform = lists.rowCount() > 0 && lists.isUniform();
          pairs.add(Pair.of(uniform ? lists.length(0) : -1, 0));
        }
        case ColumnSlice slice -> add(slice, pairs);
        default -> throw new IllegalStateException("No form for column '" + name + "'.");
      }
    }
    return pairs;
  }

  private static void add(ColumnSlice slice, List<Pair> pairs) {
    pairs.add(Pair.of(slice.rowCount(), slice.nullCount()));
    pairs.add(Pair.ofNullable(slice.validity()));
    switch (slice.type()) {
      case DataType.List _, DataType.Map _ -> pairs.add(Pair.ofNullable(slice.offsets()));
      case DataType.Struct _ -> {
        // Its fields follow.
      }
      case DataType.Utf8 _, DataType.Binary _ -> {
        pairs.add(Pair.ofNullable(slice.offsets()));
        pairs.add(Pair.of(slice.values()));
      }
      default -> pairs.add(Pair.of(slice.values()));
    }
    slice.children().forEach(child -> add(child, pairs));
  }
}
