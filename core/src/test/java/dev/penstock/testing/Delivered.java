package dev.penstock.testing;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import java.io.StringWriter;
import java.lang.reflect.Array;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// What a loader is, and what its first epoch delivers, as JSON: all values of each column, batch
/// by batch. For data of few rows.
public final class Delivered {
  private Delivered() {}

  /// Reads an epoch.
  public static String of(StructuredDataset dataset, LoaderOptions options) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = generator(text);
        DataLoader loader = DataLoader.of(dataset, options)) {
      json.writeStartObject();
      json.writeStringProperty("dataset", dataset.toString());
      json.writeStringProperty("options", options.text());
      json.writeArrayPropertyStart("batches");
      try (EpochIterator<Batch> epoch = loader.iterator()) {
        while (epoch.hasNext()) {
          try (Batch batch = epoch.next()) {
            write(batch, json);
          }
        }
      }
      json.writeEndArray();
      if (!loader.warnings().isEmpty()) {
        json.writeName("warnings");
        write(loader.warnings(), json);
      }
      json.writeEndObject();
    }
    return text.toString();
  }

  /// Returns a text as JSON.
  public static String text(String text) {
    StringWriter quoted = new StringWriter();
    try (JsonGenerator json = generator(quoted)) {
      json.writeString(text);
    }
    return quoted.toString();
  }

  private static JsonGenerator generator(StringWriter text) {
    return new JsonFactory().createGenerator(ObjectWriteContext.empty(), text);
  }

  private static void write(Batch batch, JsonGenerator json) {
    json.writeStartObject();
    for (String name : batch.names()) {
      json.writeName(name);
      write(batch.column(name), json);
    }
    json.writeEndObject();
  }

  private static void write(@Nullable Object value, JsonGenerator json) {
    switch (value) {
      case null -> json.writeNull();
      case Tensor tensor when tensor.shape().rank() > 1 ->
          write(LongStream.range(0, tensor.shape().dim(0)).mapToObj(tensor::row).toList(), json);
      case Tensor tensor -> write(tensor.toArray(), json);
      case RaggedTensor ragged ->
          write(IntStream.range(0, ragged.rowCount()).mapToObj(ragged::row).toList(), json);
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(each -> write(each, json));
        json.writeEndArray();
      }
      case Object array when array.getClass().isArray() -> {
        json.writeStartArray();
        IntStream.range(0, Array.getLength(array)).forEach(i -> write(Array.get(array, i), json));
        json.writeEndArray();
      }
      case Float number when Float.isFinite(number) -> json.writeNumber((double) number);
      case Double number when Double.isFinite(number) -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Integer number -> json.writeNumber(number);
      case Short number -> json.writeNumber(number);
      case Byte number -> json.writeNumber(number);
      case Boolean truth -> json.writeBoolean(truth);
      default -> json.writeString(value.toString());
    }
  }
}
