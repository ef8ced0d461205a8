package dev.penstock.internal.state;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.Position;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import tools.jackson.core.JsonGenerator;

/// The JSON of a state.
///
/// Reading is strict: a field that is missing, unknown, duplicate or out of range is an error, and
/// so is another version.
final class StateJson {
  private static final String SUBJECT = "a loader's state";
  private static final String FORMAT = "penstock-state";
  private static final long VERSION = 1;
  private static final String MATCHES = "matches";

  /// The highest epoch and number of batches in a state: no run gets that far, and counting on does
  /// not overflow.
  private static final long COUNT_MAX = Long.MAX_VALUE / 2;

  private StateJson() {}

  static String write(SavedState state) {
    StateIdentity identity = state.identity();
    return JsonTree.text(json -> {
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
      for (Leg stage : state.past()) {
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
    });
  }

  private static void write(JsonGenerator json, Dealing dealing, List<Position> positions) {
    json.writeNumberProperty("world", dealing.world());
    json.writeStringProperty("rankEnd", dealing.end().name().toLowerCase(Locale.ROOT));
    if (dealing.byMatches()) { // left out otherwise, so that earlier versions read it
      json.writeStringProperty("dealt", MATCHES);
    }
    json.writeArrayPropertyStart("at");
    for (Position position : positions) {
      json.writeStartArray();
      json.writeNumber(position.rows());
      json.writeNumber(position.behind());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  static SavedState read(String text) {
    JsonFields fields = JsonTree.read(SUBJECT, text);
    String format = fields.text("format");
    long version = fields.whole("version", 0, Long.MAX_VALUE);
    if (!format.equals(FORMAT) || version != VERSION) {
      throw wrong(
          Sentence.of(
              "it is '%s' of version %s but expected '%s' of version %s",
              format, version, FORMAT, VERSION));
    }
    StateIdentity identity =
        new StateIdentity(
            fields.text("files"),
            fields.text("columns"),
            fields.text("filter"),
            fields.text("shuffle"),
            fields.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE),
            fields.text("splits"));
    long epoch = fields.whole("epoch", 0, COUNT_MAX);
    long batches = fields.whole("batches", 0, COUNT_MAX);
    List<Leg> past = new ArrayList<>();
    for (Object each : fields.list("past")) {
      JsonFields stage = new JsonFields(SUBJECT, "stage " + past.size(), each);
      past.add(stage(stage));
      stage.requireNoOthers();
    }
    Leg now = stage(fields);
    OptionalInt rank =
        fields.has("rank")
            ? OptionalInt.of((int) fields.whole("rank", 0, now.dealing().world() - 1L))
            : OptionalInt.empty();
    fields.requireNoOthers();
    int positions = now.positions().size();
    if (positions != (rank.isPresent() ? 1 : now.dealing().world())) {
      throw wrong(
          Sentence.of(
              "it has %s positions of %s ranks and %s rank",
              positions, now.dealing().world(), rank.isPresent() ? "a" : "no"));
    }
    return new SavedState(identity, epoch, past, now.dealing(), rank, now.positions(), batches);
  }

  private static Leg stage(JsonFields fields) {
    int world = (int) fields.whole("world", 1, Rank.COUNT_MAX);
    String end = fields.text("rankEnd");
    boolean byMatches = fields.has("dealt");
    if (byMatches && !fields.text("dealt").equals(MATCHES)) {
      throw wrong(
          "rows are dealt by '" + fields.text("dealt") + "' but expected '" + MATCHES + "'");
    }
    List<Position> positions = new ArrayList<>();
    for (Object each : fields.list("at")) {
      if (!(each instanceof List<?> pair) || pair.size() != 2) {
        throw wrong("a position is not two whole numbers");
      }
      positions.add(
          new Position(
              fields.whole("at", pair.get(0), 0, Long.MAX_VALUE),
              fields.whole("at", pair.get(1), 0, Integer.MAX_VALUE)));
    }
    if (positions.size() != 1 && positions.size() != world) {
      throw wrong("it has " + positions.size() + " positions of " + world + " ranks");
    }
    try {
      return new Leg(new Dealing(world, RankEnd.parse(end), byMatches), positions);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private static IllegalArgumentException wrong(String what) {
    return Advice.argumentError(
        "Cannot read %s: %s. Give what %s wrote.", SUBJECT, what, Remedy.STATE);
  }
}
