package dev.penstock.score;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.Batch;
import dev.penstock.model.Model;
import dev.penstock.options.LoaderOptions;
import dev.penstock.score.RowFinder.Place;
import dev.penstock.score.parquet.OutputColumn;
import dev.penstock.score.parquet.Values;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How rows become scores: what is read, what the model gets, what is written.
///
/// @param rows the dataset before columns are chosen: with its filter
/// @param dataset what is read
/// @param options how a part is read, but for its rank
/// @param feeding what the model gets
/// @param carried what is written beside the model's outputs
/// @param onError what to do with a row that the model fails for
record Scoring(
    StructuredDataset rows,
    StructuredDataset dataset,
    LoaderOptions options,
    Model model,
    Feeding feeding,
    CarriedColumns carried,
    OnError onError) {
  /// What is written.
  ///
  /// @param columns the carried ones, then the model's outputs
  /// @param rowBytes how many bytes a row has, about
  record Written(List<OutputColumn> columns, long rowBytes) {}

  /// A row of a batch for which the model failed.
  record Failure(long row, Exception cause) {}

  /// Looks through what the model returned for some rows.
  private interface Check {
    List<Values> values(Map<String, Object> results, int rows);
  }

  /// Takes what was made of some rows that follow each other.
  interface Sink {
    void take(int rows, List<Values> values) throws IOException;
  }

  /// Returns what is written, by the first batch.
  ///
  /// @return empty if there are no rows
  /// @throws ModelException if the model fails for a row, or with [OnError#SKIP] for all
  Optional<Written> columns() throws IOException, InterruptedException {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (Batch batch : loader) {
        try (batch) {
          if (batch.rowCount() > 0) {
            return Optional.of(columns(batch));
          }
        }
      }
    }
    return Optional.empty();
  }

  private Written columns(Batch batch) throws IOException, InterruptedException {
    List<Written> found = new ArrayList<>();
    List<Failure> failures = new ArrayList<>();
    score(
        batch,
        0,
        batch.rowCount(),
        (results, rows) -> {
          found.add(written(results, rows));
          return List.of();
        },
        (_, _) -> {},
        new StageTimes(),
        failures);
    if (found.isEmpty() || (onError == OnError.STOP && !failures.isEmpty())) {
      throw failed(Rank.SINGLE, 0, failures.getFirst());
    }
    return found.getFirst();
  }

  private Written written(Map<String, Object> results, int rows) {
    Set<String> taken = new HashSet<>();
    carried.outputs().forEach(column -> taken.add(column.name()));
    List<OutputColumn> columns = new ArrayList<>(carried.outputs());
    columns.addAll(ModelOutputs.columns(results, rows, taken));
    long bytes = carried.rowBytes() + ModelOutputs.rowBytes(results, rows);
    return new Written(columns, bytes);
  }

  /// Returns the error of a row of a part.
  ///
  /// @param start the rows of the part before the batch
  ModelException failed(Rank part, long start, Failure failure) {
    Place place = RowFinder.places(rows, part, List.of(start + failure.row())).getFirst();
    return new ModelException(
        Advice.of(
            "The model failed for row %s of %s: %s. Mend the row or leave it out by a filter; or use"
                + " %s, which lists such rows beside the scores.",
            place.row(),
            place.file(),
            reason(failure.cause()),
            Remedy.of("onError", "skip", "onError(OnError.SKIP)")),
        place.file(),
        place.row(),
        failure.cause());
  }

  static String reason(Exception cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getName() : message.replaceFirst("\\.$", "");
  }

  /// Scores a batch.
  ///
  /// @param outputs what the model returns
  /// @return the rows it failed for, in order
  /// @throws InterruptedException if the model was interrupted
  List<Failure> score(Batch batch, List<OutputColumn> outputs, Sink sink, StageTimes times)
      throws IOException, InterruptedException {
    List<Failure> failures = new ArrayList<>();
    Check check = (results, rows) -> ModelOutputs.values(results, rows, outputs);
    score(batch, 0, batch.rowCount(), check, sink, times, failures);
    return failures;
  }

  private void score(
      Batch batch,
      int from,
      int to,
      Check check,
      Sink sink,
      StageTimes times,
      List<Failure> failures)
      throws IOException, InterruptedException {
    if (onError == OnError.STOP && !failures.isEmpty()) {
      return; // the first row is known
    }
    boolean isWhole = from == 0 && to == batch.rowCount();
    Batch some = isWhole ? batch : BatchRows.of(batch, from, to);
    Map<String, Object> results;
    long began = System.nanoTime();
    try {
      results = model.run(feeding.batch(some));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) { // the model's
      times.addScoring(began);
      if (to - from == 1) {
        failures.add(new Failure(from, e));
        return;
      }
      int middle = (from + to) >>> 1;
      int known = failures.size();
      score(batch, from, middle, check, sink, times, failures);
      score(batch, middle, to, check, sink, times, failures);
      if (onError == OnError.STOP && failures.size() == known) { // it fails for some rows together
        failures.add(new Failure(from, e));
      }
      return;
    }
    times.addScoring(began);
    List<Values> values = check.values(results, to - from);
    began = System.nanoTime();
    List<Values> all = new ArrayList<>(carried.values(some));
    all.addAll(values);
    sink.take(to - from, all);
    times.addEncoding(began);
  }
}
