package dev.penstock.serve;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.options.LoaderOptions;
import dev.penstock.score.OnError;
import dev.penstock.score.ScoreCheck;
import dev.penstock.score.ScoreProgress;
import dev.penstock.score.ScoreResult;
import dev.penstock.score.Scorer;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// Scores a table for a client. Only this class needs the module `penstock-score`.
final class ClientScores {
  private static final long PROGRESS_NANOS = 100_000_000;

  private ClientScores() {}

  /// Throws unless the module is there.
  ///
  /// @throws IllegalArgumentException if it is not
  static void requireModule() {
    try {
      Class.forName("dev.penstock.score.Scorer", false, ClientScores.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw Advice.argumentError(
          "Cannot score: its module is not there. %s", Remedy.module("score"));
    }
  }

  /// Scores, or checks scores.
  ///
  /// @param options how rows are read, and where batches lie
  /// @return the answer
  static String answer(ScoreRequest asked, LoaderOptions options, ClientModel model, Frames frames)
      throws IOException, InterruptedException {
    Scorer scorer =
        Scorer.of(asked.reading().dataset(), model)
            .keys(asked.keys().toArray(String[]::new))
            .columns(asked.columns().toArray(String[]::new))
            .options(_ -> options)
            .onError(asked.skips() ? OnError.SKIP : OnError.STOP)
            .workers(Math.max(1, options.reading().workers()))
            .rank(options.rankShare().rank().orElse(Rank.SINGLE))
            .progress(new Progress(model, frames)::tell);
    for (var input : asked.inputs().entrySet()) {
      scorer = scorer.input(input.getKey(), input.getValue().columns().toArray(String[]::new));
    }
    for (var option : asked.storage().entrySet()) {
      scorer = scorer.storageOption(option.getKey(), option.getValue());
    }
    if (asked.partRows().isPresent()) {
      scorer = scorer.partRows(asked.partRows().getAsLong());
    }
    return asked.isCheck() ? json(scorer.check(asked.out())) : json(scorer.writeTo(asked.out()));
  }

  /// Tells a client now and then how far it is.
  private record Progress(ClientModel model, Frames frames, AtomicLong last) {
    Progress(ClientModel model, Frames frames) {
      this(model, frames, new AtomicLong(System.nanoTime() - PROGRESS_NANOS));
    }

    void tell(ScoreProgress progress) {
      long now = System.nanoTime();
      long before = last.get();
      boolean isLast = progress.parts() == progress.partsTotal();
      boolean isDue = now - before >= PROGRESS_NANOS && last.compareAndSet(before, now);
      if (isDue || isLast) {
        model.tell(() -> frames.write(FrameKind.PROGRESS, json(progress)));
      }
    }
  }

  private static String json(ScoreProgress progress) {
    return Json.object(json -> {
      json.writeNumberProperty("rows", progress.rows());
      json.writeNumberProperty("rowsTotal", progress.rowsTotal());
      json.writeNumberProperty("parts", progress.parts());
      json.writeNumberProperty("partsTotal", progress.partsTotal());
    });
  }

  private static String json(ScoreResult result) {
    return Json.object(json -> {
      json.writeObjectPropertyStart("scores");
      json.writeNumberProperty("rows", result.rows());
      json.writeNumberProperty("skipped", result.skipped());
      json.writeNumberProperty("parts", result.parts());
      json.writeNumberProperty("found", result.found());
      json.writeNumberProperty("partsTotal", result.partsTotal());
      json.writeNumberProperty("bytes", result.bytes());
      json.writeNumberProperty("seconds", seconds(result.elapsed()));
      json.writeNumberProperty("reading", seconds(result.reading()));
      json.writeNumberProperty("scoring", seconds(result.scoring()));
      json.writeNumberProperty("encoding", seconds(result.encoding()));
      json.writeNumberProperty("storing", seconds(result.storing()));
      json.writeBooleanProperty("isComplete", result.isComplete());
      json.writeEndObject();
    });
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static String json(ScoreCheck check) {
    return Json.object(json -> {
      json.writeObjectPropertyStart("scores");
      json.writeNumberProperty("parts", check.parts());
      json.writeNumberProperty("rows", check.rows());
      json.writeNumberProperty("skipped", check.skipped());
      json.writeEndObject();
    });
  }
}
