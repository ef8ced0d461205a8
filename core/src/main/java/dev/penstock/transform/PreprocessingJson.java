package dev.penstock.transform;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// The JSON of a [Preprocessing].
///
/// Doubles are written as the shortest decimal that parses to the same bits; infinities, which only
/// [Clip] has, as the strings `"Infinity"` and `"-Infinity"`; NaN never occurs. Reading is strict:
/// fields that are missing, unknown or duplicate are errors, and so is any other version.
final class PreprocessingJson {
  private static final String SUBJECT = "preprocessing";
  private static final String FORMAT = "penstock-preprocessing";
  private static final int VERSION = 1;

  private PreprocessingJson() {}

  static String write(List<ColumnTransform> transforms) {
    return JsonTree.text(json -> {
      json.writeStartObject();
      json.writeStringProperty("format", FORMAT);
      json.writeNumberProperty("version", VERSION);
      json.writeArrayPropertyStart("transforms");
      for (ColumnTransform transform : transforms) {
        json.writeStartObject();
        write(json, transform);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    });
  }

  private static void write(JsonGenerator json, ColumnTransform transform) {
    json.writeStringProperty("type", type(transform));
    json.writeStringProperty("column", transform.column());
    switch (transform) {
      case Standardize(String _, double mean, double deviation) -> {
        write(json, "mean", mean);
        write(json, "deviation", deviation);
      }
      case MinMax(String _, double min, double max) -> {
        write(json, "min", min);
        write(json, "max", max);
      }
      case Clip(String _, double min, double max) -> {
        write(json, "min", min);
        write(json, "max", max);
      }
      case Log1p _ -> {}
      case Bucketize(String _, List<Double> edges) -> {
        json.writeArrayPropertyStart("edges");
        edges.forEach(json::writeNumber);
        json.writeEndArray();
      }
      case OneHot(String _, List<String> categories, boolean ignoreUnknown) -> {
        json.writeArrayPropertyStart("categories");
        categories.forEach(json::writeString);
        json.writeEndArray();
        json.writeBooleanProperty("ignoreUnknown", ignoreUnknown);
      }
      case HashBuckets(String _, int buckets) -> json.writeNumberProperty("buckets", buckets);
    }
  }

  private static void write(JsonGenerator json, String name, double value) {
    if (Double.isInfinite(value)) {
      json.writeStringProperty(name, Double.toString(value));
    } else {
      json.writeNumberProperty(name, value);
    }
  }

  private static String type(ColumnTransform transform) {
    return switch (transform) {
      case Standardize _ -> "standardize";
      case MinMax _ -> "min-max";
      case Clip _ -> "clip";
      case Log1p _ -> "log1p";
      case Bucketize _ -> "bucketize";
      case OneHot _ -> "one-hot";
      case HashBuckets _ -> "hash";
    };
  }

  static List<ColumnTransform> read(String text) {
    JsonFields fields = JsonTree.read(SUBJECT, text);
    String format = fields.text("format");
    if (!format.equals(FORMAT)) {
      throw refuse("its format is '" + format + "' but expected '" + FORMAT + "'");
    }
    int version = fields.integer("version");
    if (version != VERSION) {
      throw refuse(
          Sentence.of(
              "its version is %s but this Penstock reads version %s only; read it with the"
                  + " Penstock that wrote it",
              version, VERSION));
    }
    List<?> list = fields.list("transforms");
    fields.requireNoOthers();
    List<ColumnTransform> transforms = new ArrayList<>();
    for (Object each : list) {
      transforms.add(transform(new JsonFields(SUBJECT, "transform " + transforms.size(), each)));
    }
    return transforms;
  }

  private static ColumnTransform transform(JsonFields fields) {
    String type = fields.text("type");
    String column = fields.text("column");
    try {
      ColumnTransform transform =
          switch (type) {
            case "standardize" ->
                new Standardize(column, fields.number("mean"), fields.number("deviation"));
            case "min-max" -> new MinMax(column, fields.number("min"), fields.number("max"));
            case "clip" ->
                new Clip(column, fields.numberOrInfinity("min"), fields.numberOrInfinity("max"));
            case "log1p" -> new Log1p(column);
            case "bucketize" -> new Bucketize(column, fields.numbers("edges"));
            case "one-hot" ->
                new OneHot(column, fields.texts("categories"), fields.bool("ignoreUnknown"));
            case "hash" -> new HashBuckets(column, fields.integer("buckets"));
            default ->
                throw refuse(
                    Sentence.of(
                        "%s has type '%s' but expected standardize, min-max, clip, log1p,"
                            + " bucketize, one-hot or hash",
                        fields.what(), type));
          };
      fields.requireNoOthers();
      return transform;
    } catch (JsonFields.WrongFieldException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw refuse(fields.what() + ": " + e.getMessage(), e);
    }
  }

  private static IllegalArgumentException refuse(String what) {
    return new JsonFields.WrongFieldException("Cannot read " + SUBJECT + ": " + what + ".");
  }

  private static IllegalArgumentException refuse(String what, Exception cause) {
    String sentence = what.endsWith(".") ? what : what + ".";
    return new IllegalArgumentException("Cannot read " + SUBJECT + ": " + sentence, cause);
  }
}
