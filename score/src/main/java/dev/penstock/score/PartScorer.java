package dev.penstock.score;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.batch.Batch;
import dev.penstock.score.RowFinder.Place;
import dev.penstock.score.Scoring.Failure;
import dev.penstock.score.parquet.Codec;
import dev.penstock.score.parquet.OutputColumn;
import dev.penstock.score.parquet.PartFile;
import dev.penstock.split.Rank;
import dev.penstock.stats.EpochRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/// Makes parts: reads the rows of one, scores them, and creates its file.
///
/// **Threads.** Safe for any; each makes another part.
final class PartScorer {
  private final ScoreFolder folder;
  private final Job job;
  private final Scoring scoring;
  private final StageTimes times;
  private final Consumer<EpochRecord> recorded;

  /// In each file, so that a run knows its own where the answer of the store was lost.
  private final String run = UUID.randomUUID().toString();

  PartScorer(
      ScoreFolder folder,
      Job job,
      Scoring scoring,
      StageTimes times,
      Consumer<EpochRecord> recorded) {
    this.folder = folder;
    this.job = job;
    this.scoring = scoring;
    this.times = times;
    this.recorded = recorded;
  }

  /// Makes a part.
  ///
  /// @param isStopped whether to leave it, asked before each batch
  /// @param read told the rows of each batch
  /// @return empty if it was left
  /// @throws IOException if it cannot be created, or another run has made it
  Optional<MadePart> make(int part, BooleanSupplier isStopped, IntConsumer read)
      throws IOException, InterruptedException {
    Rank rank = job.parts().rank(part);
    List<OutputColumn> outputs =
        job.columns().subList(scoring.carried().fields().size(), job.columns().size());
    List<Failure> failures = new ArrayList<>();
    long rows = 0;
    PartFile file = new PartFile(job.columns(), Codec.ZSTD);
    long began = System.nanoTime();
    try (DataLoader loader = DataLoader.of(scoring.dataset(), scoring.options().rank(rank));
        EpochIterator<Batch> batches = loader.iterator()) {
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          times.addReading(began);
          if (isStopped.getAsBoolean()) {
            return Optional.empty();
          }
          for (Failure failure : scoring.score(batch, outputs, file::append, times)) {
            if (scoring.onError() == OnError.STOP) {
              throw scoring.failed(rank, rows, failure);
            }
            failures.add(new Failure(rows + failure.row(), failure.cause()));
          }
          rows += batch.rowCount();
          read.accept(batch.rowCount());
        }
        began = System.nanoTime();
      }
      recorded.accept(loader.history().getLast());
    }
    return Optional.of(create(part, file, skipped(rank, failures)));
  }

  private List<SkippedRow> skipped(Rank rank, List<Failure> failures) {
    List<Place> places =
        failures.isEmpty()
            ? List.of()
            : RowFinder.places(scoring.rows(), rank, failures.stream().map(Failure::row).toList());
    List<SkippedRow> skipped = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      Failure failure = failures.get(i);
      skipped.add(
          new SkippedRow(
              failure.row(),
              places.get(i).file(),
              places.get(i).row(),
              Scoring.reason(failure.cause())));
    }
    return skipped;
  }

  /// Creates the list of rows that were left out before the file that names it.
  private MadePart create(int part, PartFile file, List<SkippedRow> skipped) throws IOException {
    String name = job.parts().name(part, job.hash());
    Map<String, String> about = new LinkedHashMap<>();
    about.put(PartFooter.RUN, run);
    String list = "";
    long began = System.nanoTime();
    if (!skipped.isEmpty()) {
      byte[] lines = SkippedRow.lines(skipped);
      list =
          SkippedRow.FOLDER
              + "/"
              + name.replace(".parquet", "-" + Sha256.of(lines).substring(0, 8) + ".jsonl");
      folder.create(list, lines);
      about.put(PartFooter.SKIPPED, skipped.size() + " " + list);
    }
    times.addStoring(began);
    began = System.nanoTime();
    byte[] content = file.finish(about);
    times.addEncoding(began);
    began = System.nanoTime();
    if (!folder.create(name, content)
        && !folder.read(name).filter(there -> Arrays.equals(there, content)).isPresent()) {
      throw new IOException(
          "Cannot go on with the scores in '"
              + folder.location()
              + "': another run has made '"
              + name
              + "' meanwhile. Let one of them end; where several processes share the work, give each"
              + " its rank.");
    }
    times.addStoring(began);
    return new MadePart(
        name, file.rows(), skipped.size(), list, content.length, Sha256.of(content));
  }
}
