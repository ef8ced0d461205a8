package dev.penstock.score;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.schema.DataType;
import dev.penstock.score.parquet.OutputColumn;
import dev.penstock.split.Rank;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/// What a folder's scores are: written by the first run, and the same for all that go on.
///
/// @param table where the rows came from, for messages
/// @param plan the state of a loader that begins with the rows: it tells files and filter
/// @param model what tells the model from another, see [dev.penstock.model.Model#version()]
/// @param keys the names of the keys
/// @param inputs the columns of each input of the model
/// @param columns what is written: keys, other columns of the table, outputs of the model
/// @param parts how the rows are cut
record Job(
    List<String> table,
    String plan,
    String model,
    List<String> keys,
    Map<String, List<String>> inputs,
    List<OutputColumn> columns,
    Parts parts) {
  static final String FILE = "_score.json";
  private static final String FORMAT = "penstock score 1";

  String toJson() {
    return JsonTree.text(this::write) + "\n";
  }

  private void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("format", FORMAT);
    texts(json, "table", table);
    json.writeStringProperty("plan", plan);
    json.writeStringProperty("model", model);
    texts(json, "keys", keys);
    json.writeObjectPropertyStart("inputs");
    inputs.forEach((name, of) -> texts(json, name, of));
    json.writeEndObject();
    json.writeArrayPropertyStart("columns");
    for (OutputColumn column : columns) {
      json.writeStartObject();
      json.writeStringProperty("name", column.name());
      json.writeStringProperty("type", value(column.type()).toString());
      json.writeBooleanProperty("list", column.type() instanceof DataType.List);
      json.writeBooleanProperty("nullable", column.nullable());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberProperty("rows", parts.rows());
    json.writeNumberProperty("parts", parts.count());
    json.writeEndObject();
  }

  private static DataType value(DataType type) {
    return type instanceof DataType.List(DataType element, boolean _) ? element : type;
  }

  private static void texts(JsonGenerator json, String name, List<String> texts) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }

  static Job read(String subject, byte[] content) {
    JsonFields fields = ScoreDocument.read(subject, content, FORMAT);
    Job job =
        new Job(
            fields.texts("table"),
            fields.text("plan"),
            fields.text("model"),
            fields.texts("keys"),
            inputs(subject, fields),
            fields.objects("columns", "a column", Job::column),
            new Parts(
                fields.whole("rows", 0, Long.MAX_VALUE),
                (int) fields.whole("parts", 0, Rank.COUNT_MAX)));
    fields.requireNoOthers();
    return job;
  }

  private static Map<String, List<String>> inputs(String subject, JsonFields fields) {
    Map<String, List<String>> inputs = new LinkedHashMap<>();
    Map<?, ?> object = fields.object("inputs");
    JsonFields each = new JsonFields(subject, "inputs", object);
    for (Object name : object.keySet()) {
      inputs.put((String) name, each.texts((String) name));
    }
    return inputs;
  }

  private static OutputColumn column(JsonFields column) {
    DataType value = DataType.parse(column.text("type"));
    return new OutputColumn(
        column.text("name"),
        column.bool("list") ? new DataType.List(value, false) : value,
        column.bool("nullable"));
  }

  /// Returns what tells the scores of this job from others, in the names of files.
  String hash() {
    String text = new Job(List.of(), plan, model, keys, inputs, columns, parts).toJson();
    return Sha256.of(text.getBytes(StandardCharsets.UTF_8)).substring(0, 8);
  }
}
