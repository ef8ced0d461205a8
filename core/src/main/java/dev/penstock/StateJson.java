package dev.penstock;

import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Stage;
import dev.penstock.internal.plan.Position;
import dev.penstock.split.RankEnd;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// The JSON of a [LoaderState].
///
/// Reading is strict: a field that is missing, unknown, there twice or out of range is an error,
/// and so is another version.
final class StateJson {
  private static final String FORMAT = "penstock-state";
  private static final long VERSION = 1;

  /// The document, its stages, one of them, its positions, one of them.
  private static final int DEPTH_MAX = 6;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();

  private StateJson() {}

  static String write(LoaderState state) {
    StateIdentity identity = state.identity();
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("format", FORMAT);
      json.writeNumberProperty("version", VERSION);
      json.writeStringProperty("files", identity.files());
      json.writeStringProperty("columns", identity.columns());
      json.writeStringProperty("filter", identity.filter());
      json.writeStringProperty("shuffle", identity.shuffle());
      json.writeNumberProperty("seed", identity.seed());
      json.writeStringProperty("splits", identity.sequence());
      json.writeNumberProperty("epoch", state.epoch());
      json.writeNumberProperty("batches", state.batches());
      json.writeArrayPropertyStart("past");
      for (Stage stage : state.past()) {
        json.writeStartObject();
        write(json, stage.dealing(), stage.positions());
        json.writeEndObject();
      }
      json.writeEndArray();
      if (state.rank().isPresent()) {
        json.writeNumberProperty("rank", state.rank().getAsInt());
      }
      write(json, state.dealing(), state.positions());
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Dealing dealing, List<Position> positions) {
    json.writeNumberProperty("world", dealing.world());
    json.writeStringProperty("rankEnd", dealing.end().name().toLowerCase(Locale.ROOT));
    json.writeArrayPropertyStart("at");
    for (Position position : positions) {
      json.writeStartArray();
      json.writeNumber(position.rows());
      json.writeNumber(position.behind());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  static LoaderState read(String text) {
    Object value;
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      json.nextToken();
      value = value(json);
      if (json.nextToken() != null) {
        throw wrong("there is more behind it");
      }
    } catch (JacksonException e) {
      throw wrong(e.getOriginalMessage());
    }
    Fields fields = new Fields(value);
    String format = fields.text("format");
    long version = fields.number("version", Long.MAX_VALUE);
    if (!format.equals(FORMAT) || version != VERSION) {
      throw wrong(
          "it is '"
              + format
              + "' of version "
              + version
              + " but expected '"
              + FORMAT
              + "' of version "
              + VERSION);
    }
    StateIdentity identity =
        new StateIdentity(
            fields.text("files"),
            fields.text("columns"),
            fields.text("filter"),
            fields.text("shuffle"),
            fields.signed("seed"),
            fields.text("splits"));
    long epoch = fields.number("epoch", Long.MAX_VALUE);
    long batches = fields.number("batches", Long.MAX_VALUE);
    List<Stage> past = new ArrayList<>();
    for (Object each : fields.list("past")) {
      Fields stage = new Fields(each);
      past.add(stage(stage));
      stage.requireNoOthers();
    }
    Stage now = stage(fields);
    OptionalInt rank =
        fields.has("rank")
            ? OptionalInt.of((int) fields.number("rank", now.dealing().world() - 1L))
            : OptionalInt.empty();
    fields.requireNoOthers();
    int positions = now.positions().size();
    if (positions != (rank.isPresent() ? 1 : now.dealing().world())) {
      throw wrong(
          "it has "
              + positions
              + " positions of "
              + now.dealing().world()
              + " ranks and "
              + (rank.isPresent() ? "a" : "no")
              + " rank");
    }
    return new LoaderState(identity, epoch, past, now.dealing(), rank, now.positions(), batches);
  }

  private static Stage stage(Fields fields) {
    int world = (int) fields.number("world", Integer.MAX_VALUE);
    String end = fields.text("rankEnd");
    List<Position> positions = new ArrayList<>();
    for (Object each : fields.list("at")) {
      if (!(each instanceof List<?> pair)
          || pair.size() != 2
          || !(pair.get(0) instanceof Long rows)
          || !(pair.get(1) instanceof Long behind)) {
        throw wrong("a position is not two whole numbers");
      }
      try {
        positions.add(new Position(rows, behind));
      } catch (IllegalArgumentException e) {
        throw wrong(String.valueOf(e.getMessage()));
      }
    }
    if (world < 1 || (positions.size() != 1 && positions.size() != world)) {
      throw wrong("it has " + positions.size() + " positions of " + world + " ranks");
    }
    try {
      return new Stage(new Dealing(world, RankEnd.parse(end)), positions);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private static Object value(JsonParser json) {
    JsonToken token = json.currentToken();
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = json.currentName();
          json.nextToken();
          object.put(name, value(json));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(json));
        }
        yield list;
      }
      case VALUE_STRING -> json.getString();
      case VALUE_NUMBER_INT -> json.getLongValue();
      case null, default -> throw wrong("it has " + token + " where no such value belongs");
    };
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(
        "Cannot read a loader's state: " + what + ". Give what LoaderState.toJson() wrote.");
  }

  /// The fields of an object, each taken once.
  private static final class Fields {
    private final Map<Object, Object> left;

    Fields(Object value) {
      if (!(value instanceof Map<?, ?> object)) {
        throw wrong("it is no object");
      }
      left = new LinkedHashMap<>(object);
    }

    boolean has(String name) {
      return left.containsKey(name);
    }

    private Object take(String name) {
      Object value = left.remove(name);
      if (value == null) {
        throw wrong("it has no field '" + name + "'");
      }
      return value;
    }

    String text(String name) {
      if (take(name) instanceof String text) {
        return text;
      }
      throw wrong("field '" + name + "' is no text");
    }

    long signed(String name) {
      if (take(name) instanceof Long number) {
        return number;
      }
      throw wrong("field '" + name + "' is no whole number");
    }

    long number(String name, long most) {
      long number = signed(name);
      if (number < 0 || number > most) {
        throw wrong("field '" + name + "' is " + number + " but expected 0 to " + most);
      }
      return number;
    }

    List<?> list(String name) {
      if (take(name) instanceof List<?> list) {
        return list;
      }
      throw wrong("field '" + name + "' is no list");
    }

    void requireNoOthers() {
      if (!left.isEmpty()) {
        throw wrong("it has a field '" + left.keySet().iterator().next() + "'");
      }
    }
  }
}
