package dev.penstock.internal.state;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.ExcludedRows.Entry;
import dev.penstock.steps.ExcludedRows.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/// The excluded rows in the JSON of a state. Keys of the same columns, and rows of the same file,
/// share an object, so that a hundred of them take a few bytes each.
final class ExcludedJson {
  private static final String FIELD = "excluded";

  private ExcludedJson() {}

  /// Writes them; nothing if there are none, so that earlier versions read the state.
  static void write(JsonGenerator json, List<Exclusion> excluded) {
    if (excluded.isEmpty()) {
      return;
    }
    json.writeArrayPropertyStart(FIELD);
    for (Exclusion each : excluded) {
      Map<List<String>, List<ExcludedRows.Key>> keys = new LinkedHashMap<>();
      Map<String, List<Place>> places = new LinkedHashMap<>();
      for (Entry entry : each.rows().entries()) {
        switch (entry) {
          case ExcludedRows.Key key ->
              keys.computeIfAbsent(List.copyOf(key.values().keySet()), _ -> new ArrayList<>())
                  .add(key);
          case Place place ->
              places.computeIfAbsent(place.file(), _ -> new ArrayList<>()).add(place);
        }
      }
      keys.forEach((columns, same) -> writeKeys(json, columns, same, each));
      places.forEach((file, same) -> writePlaces(json, file, same, each));
    }
    json.writeEndArray();
  }

  private static void writeKeys(
      JsonGenerator json, List<String> columns, List<ExcludedRows.Key> keys, Exclusion from) {
    json.writeStartObject();
    json.writeArrayPropertyStart("columns");
    columns.forEach(json::writeString);
    json.writeEndArray();
    json.writeArrayPropertyStart("values");
    for (ExcludedRows.Key key : keys) {
      json.writeStartArray();
      key.values().values().forEach(value -> write(json, value));
      json.writeEndArray();
    }
    json.writeEndArray();
    writeEnd(json, from);
  }

  private static void write(JsonGenerator json, Object value) {
    switch (value) {
      case Long number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Boolean truth -> json.writeBoolean(truth);
      default -> json.writeString((String) value); // there is no other kind, see ExcludedRows.Key
    }
  }

  private static void writePlaces(
      JsonGenerator json, String file, List<Place> places, Exclusion from) {
    json.writeStartObject();
    json.writeStringProperty("file", file);
    json.writeArrayPropertyStart("rows");
    places.forEach(place -> json.writeNumber(place.row()));
    json.writeEndArray();
    writeEnd(json, from);
  }

  private static void writeEnd(JsonGenerator json, Exclusion from) {
    json.writeNumberProperty("epoch", from.epoch());
    json.writeNumberProperty("batches", from.batches());
    if (from.legs() > 0) {
      json.writeNumberProperty("legs", from.legs());
    }
    json.writeEndObject();
  }

  static List<Exclusion> read(JsonFields state, long most) {
    return state.has(FIELD)
        ? Exclusion.joined(state.objects(FIELD, "excluded rows", fields -> one(fields, most)))
        : List.of();
  }

  private static Exclusion one(JsonFields fields, long most) {
    List<Entry> entries = fields.has("file") ? places(fields) : keys(fields);
    return new Exclusion(
        ExcludedRows.of(entries),
        fields.whole("epoch", 0, most),
        fields.whole("batches", 0, most),
        fields.has("legs") ? (int) fields.whole("legs", 1, Integer.MAX_VALUE) : 0);
  }

  private static List<Entry> places(JsonFields fields) {
    String file = fields.text("file");
    List<Entry> places = new ArrayList<>();
    for (Object row : fields.list("rows")) {
      places.add(new Place(file, fields.whole("rows", row, 0, Long.MAX_VALUE)));
    }
    return places;
  }

  private static List<Entry> keys(JsonFields fields) {
    List<String> columns = fields.texts("columns");
    List<Entry> keys = new ArrayList<>();
    for (Object each : fields.list("values")) {
      if (!(each instanceof List<?> values) || values.size() != columns.size()) {
        throw StateJson.wrong("a key does not have " + columns.size() + " values");
      }
      SortedMap<String, Object> key = new TreeMap<>();
      for (int i = 0; i < columns.size(); i++) {
        key.put(columns.get(i), fields.scalar("values", values.get(i)));
      }
      if (key.size() != columns.size()) {
        throw StateJson.wrong("a key has a column twice");
      }
      keys.add(new ExcludedRows.Key(key));
    }
    return keys;
  }
}
