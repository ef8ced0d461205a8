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
import dev.penstock.steps.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
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
        stage.batches().ifPresent(batches -> json.writeNumberProperty("batches", batches));
        write(json, stage.skips());
        if (stage.batchPlaces() > 0) {
          json.writeNumberProperty("batch", stage.batchPlaces());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      if (state.rank().isPresent()) {
        json.writeNumberProperty("rank", state.rank().getAsInt());
      }
      write(json, state.dealing(), state.positions());
      write(json, state.skips());
      ExcludedJson.write(json, state.excluded());
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

  private static void write(JsonGenerator json, List<Steps> skips) {
    if (!skips.isEmpty()) { // as above
      json.writeArrayPropertyStart("skips");
      for (Steps steps : skips) {
        json.writeStartArray();
        json.writeNumber(steps.from());
        json.writeNumber(steps.to());
        json.writeEndArray();
      }
      json.writeEndArray();
    }
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
    List<Exclusion> excluded = ExcludedJson.read(fields, COUNT_MAX);
    fields.requireNoOthers();
    requireEnds(past, epoch, excluded);
    int positions = now.positions().size();
    if (positions != (rank.isPresent() ? 1 : now.dealing().world())) {
      throw wrong(
          Sentence.of(
              "it has %s positions of %s ranks and %s rank",
              positions, now.dealing().world(), rank.isPresent() ? "a" : "no"));
    }
    return new SavedState(
        identity,
        epoch,
        past,
        now.dealing(),
        rank,
        now.positions(),
        batches,
        now.skips(),
        excluded);
  }

  /// Checks that rows were excluded at the beginning of an epoch, or where some world stopped.
  private static void requireEnds(List<Leg> past, long epoch, List<Exclusion> excluded) {
    for (Exclusion each : excluded) {
      boolean isEnd =
          each.legs() == 0
              ? each.epoch() < epoch || each.batches() == 0
              : each.legs() <= past.size()
                  && past.get(each.legs() - 1).batches().orElse(-1) == each.batches();
      if (!isEnd || each.epoch() > epoch) {
        throw wrong(
            Sentence.of(
                "rows were excluded behind batch %s of epoch %s, where nothing stopped",
                each.batches(), each.epoch()));
      }
    }
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
    OptionalLong batches =
        fields.has("batches")
            ? OptionalLong.of(fields.whole("batches", 0, COUNT_MAX))
            : OptionalLong.empty();
    List<Steps> skips = skips(fields);
    int places = fields.has("batch") ? (int) fields.whole("batch", 1, Integer.MAX_VALUE) : 0;
    try {
      Dealing dealing = new Dealing(world, RankEnd.parse(end), byMatches);
      return new Leg(dealing, positions, batches, skips, places);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private static List<Steps> skips(JsonFields fields) {
    List<Steps> skips = new ArrayList<>();
    long last = -1;
    for (Object each : fields.has("skips") ? fields.list("skips") : List.of()) {
      if (!(each instanceof List<?> pair) || pair.size() != 2) {
        throw wrong("steps to skip are not two whole numbers");
      }
      long from = fields.whole("skips", pair.get(0), last + 1, Long.MAX_VALUE - 1);
      long to = fields.whole("skips", pair.get(1), from + 1, Long.MAX_VALUE);
      skips.add(new Steps(from, to));
      last = to;
    }
    return skips;
  }

  static IllegalArgumentException wrong(String what) {
    return Advice.argumentError(
        "Cannot read %s: %s. Give what %s wrote.", SUBJECT, what, Remedy.STATE);
  }
}
