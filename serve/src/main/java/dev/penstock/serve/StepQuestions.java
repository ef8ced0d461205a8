package dev.penstock.serve;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.RowsOfSteps;
import dev.penstock.filter.Filter;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.batch.BatchAllocator;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Answers a client's questions about the steps of its loader: which rows they have, and where to
/// go on without some of them. The client has the state, as the server is ahead of it; so each
/// question brings one, and the loader's own epoch goes on meanwhile.
///
/// Rows are sent in pieces, each of them asked for: what a client does not take is not made. Only
/// the rows of its last question can be gone on with. Questions are numbered from anywhere on, so
/// that those of a new connection, which a client may not notice, are others.
///
/// **Threads.** One at a time.
final class StepQuestions implements AutoCloseable {
  /// About how long a piece is, in chars.
  private static final int PIECE = 1 << 20;

  /// About how long a row is, beside the name of its file.
  private static final int ROW = 100;

  private @Nullable Stream<StepRow> asked;
  private @Nullable Iterator<StepRow> rows; // of what was asked
  private long number = ThreadLocalRandom.current().nextLong(1L << 52); // of the question

  /// Where the client is.
  ///
  /// @param state its state; null for the start of an epoch
  /// @param epoch the epoch, unless it is the state's
  private record Place(@Nullable LoaderState state, OptionalLong epoch) {
    static Place take(JsonFields fields) {
      LoaderState state = fields.has("state") ? LoaderState.parse(fields.text("state")) : null;
      return new Place(
          state,
          state == null || fields.has("epoch")
              ? OptionalLong.of(fields.whole("epoch", 0, Long.MAX_VALUE))
              : OptionalLong.empty());
    }

    /// Asks for rows.
    ///
    /// @param isOwn whether the loader goes on from here; else it is as the state says
    RowsOfSteps rows(DataLoader loader, boolean isOwn) {
      if (isOwn) {
        return loader.rowsOfSteps(changed(loader, _ -> {}));
      }
      return state == null
          ? RowsOfSteps.of(loader.dataset(), options(loader), epoch.orElseThrow())
          : RowsOfSteps.of(loader.dataset(), options(loader), state);
    }

    /// Returns the state to go on with after a change.
    LoaderState changed(DataLoader loader, Consumer<DataLoader> change) {
      return ask(
          loader,
          other -> {
            change.accept(other);
            return other.state();
          });
    }

    /// Returns what a loader says that is here.
    <T> T ask(DataLoader loader, Function<DataLoader, T> question) {
      try (DataLoader other = DataLoader.of(loader.dataset(), options(loader))) {
        if (state != null) {
          other.resume(state);
        }
        epoch.ifPresent(other::setEpoch);
        return question.apply(other);
      }
    }

    private static LoaderOptions options(DataLoader loader) {
      return loader.options().batchAllocator(BatchAllocator.ofProcess());
    }
  }

  /// Returns the JSON of an answer.
  ///
  /// @param question the text of a `STEPS` frame
  /// @throws IllegalArgumentException if it asks for nothing known
  String answer(DataLoader loader, String question) {
    JsonFields fields = JsonTree.read("a question about steps", question);
    String what = fields.text("what");
    return switch (what) {
      case "rows" -> {
        Steps steps = Steps.parse(fields.text("steps"));
        int rank = fields.has("rank") ? (int) fields.whole("rank", 0, Integer.MAX_VALUE) : -1;
        RowsOfSteps rows = rows(loader, fields);
        yield begin(rank < 0 ? rows.rows(steps) : rows.rows(steps, rank));
      }
      case "find" -> {
        Filter filter = Filter.parse(fields.text("where"));
        yield begin(rows(loader, fields).find(filter));
      }
      case "next" -> {
        long of = fields.whole("number", 0, Long.MAX_VALUE);
        fields.requireNoOthers();
        yield next(of);
      }
      case "skip" -> {
        List<Steps> steps = fields.texts("steps").stream().map(Steps::parse).toList();
        yield changed(loader, fields, other -> steps.forEach(other::skip));
      }
      case "exclude" -> {
        ExcludedRows excluded = ExcludedRows.parse(fields.text("rows"));
        yield changed(loader, fields, other -> other.exclude(excluded));
      }
      case "epoch" -> changed(loader, fields, _ -> {});
      case "length" -> place(fields).ask(loader, Answers::length);
      case "rowsPerEpoch" -> place(fields).ask(loader, Answers::rows);
      default -> throw new IllegalArgumentException("Cannot answer '" + what + "' about steps.");
    };
  }

  private static RowsOfSteps rows(DataLoader loader, JsonFields fields) {
    Place place = Place.take(fields);
    boolean pass = fields.has("pass") && fields.bool("pass");
    boolean own = fields.has("goesOn") && fields.bool("goesOn");
    fields.requireNoOthers();
    return place.rows(loader, own).pass(pass);
  }

  private static String changed(DataLoader loader, JsonFields fields, Consumer<DataLoader> change) {
    String state = place(fields).changed(loader, change).toJson();
    return Json.object(json -> json.writeStringProperty("state", state));
  }

  private static Place place(JsonFields fields) {
    Place place = Place.take(fields);
    fields.requireNoOthers();
    return place;
  }

  private String begin(Stream<StepRow> stream) {
    close();
    number++;
    asked = stream;
    rows = stream.iterator();
    return piece(rows);
  }

  private String next(long of) {
    if (rows == null || of != number) {
      throw new IllegalStateException(
          "Cannot go on with these rows: others were asked for since, or the connection is a new"
              + " one. Take all rows of a question before the next one.");
    }
    return piece(rows);
  }

  private String piece(Iterator<StepRow> from) {
    boolean more = false;
    try {
      String text =
          Json.object(json -> {
            json.writeNumberProperty("number", number);
            json.writeArrayPropertyStart("rows");
            long length = 0;
            while (length < PIECE && from.hasNext()) {
              if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("Cannot go on with these rows: nobody waits.");
              }
              StepRow row = from.next();
              write(json, row);
              length += ROW + row.file().text().length();
            }
            json.writeEndArray();
            json.writeBooleanProperty("more", from.hasNext());
          });
      more = from.hasNext();
      return text;
    } finally {
      if (!more) {
        close();
      }
    }
  }

  private static void write(JsonGenerator json, StepRow row) {
    json.writeStartObject()
        .writeNumberProperty("epoch", row.epoch())
        .writeNumberProperty("step", row.step())
        .writeNumberProperty("rank", row.rank())
        .writeNumberProperty("place", row.place())
        .writeStringProperty("file", row.file().text())
        .writeNumberProperty("row", row.row());
    if (row.endRow() != row.row() + 1) {
      json.writeNumberProperty("endRow", row.endRow());
    }
    row.rowId().ifPresent(id -> json.writeNumberProperty("rowId", id));
    row.source().ifPresent(source -> json.writeNumberProperty("source", source));
    row.part()
        .ifPresent(part ->
            json.writeNumberProperty("from", part.from())
                .writeNumberProperty("count", part.count())
                .writeNumberProperty("offset", part.offset()));
    json.writeEndObject();
  }

  @Override
  public void close() {
    rows = null;
    Stream<StepRow> open = asked;
    asked = null;
    if (open != null) {
      open.close();
    }
  }
}
