package dev.penstock.score;

import dev.penstock.schema.Schema;
import dev.penstock.score.Scoring.Written;
import dev.penstock.score.parquet.OutputColumn;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// One call of [Scorer#writeTo].
final class ScoreRun {
  private final Scorer scorer;
  private final ScoreFolder folder;
  private final Rank rank;
  private final StageTimes times = new StageTimes();

  ScoreRun(Scorer scorer, ScoreFolder folder) {
    this.scorer = scorer;
    this.folder = folder;
    this.rank = scorer.rankHere();
  }

  static ScorePlan plan(Scorer scorer) throws IOException, InterruptedException {
    Scoring scoring = Binding.of(scorer);
    Optional<Written> written = scoring.columns();
    long rows = PlannedRows.of(scorer).count();
    Parts parts = parts(scorer, rows, written.map(Written::rowBytes).orElse(0L));
    Rank rank = scorer.rankHere();
    return plan(
        scoring,
        written.map(Written::columns).orElse(List.of()),
        parts,
        Math.ceilDiv(Math.max(0, parts.count() - rank.index()), rank.count()));
  }

  private static ScorePlan plan(
      Scoring scoring, List<OutputColumn> columns, Parts parts, int missing) {
    int carried = scoring.carried().fields().size();
    return new ScorePlan(
        scoring.feeding().columns(),
        Schema.of(scoring.carried().fields()),
        columns.stream().skip(carried).map(OutputColumn::toString).toList(),
        parts.rows(),
        parts.count(),
        missing);
  }

  private static Parts parts(Scorer scorer, long rows, long rowBytes) {
    return scorer.partRows.isPresent()
        ? Parts.ofRows(rows, scorer.partRows.getAsLong())
        : Parts.of(rows, rowBytes);
  }

  ScoreResult run() throws IOException, InterruptedException {
    long began = System.nanoTime();
    if (scorer.keys.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot write scores without keys: nothing would say which row a score is of. Name the"
              + " columns that tell rows apart.");
    }
    if (!folder.isLocal()) {
      return run(began);
    }
    try (FolderLock _ = FolderLock.of(folder.location(), rank)) {
      if (rank.count() == 1) {
        folder.deleteDrafts();
      }
      return run(began);
    }
  }

  private ScoreResult run(long began) throws IOException, InterruptedException {
    Scoring scoring = Binding.of(scorer);
    Optional<Job> begun = job(scoring);
    if (begun.isEmpty()) {
      return new ScoreResult(
          0,
          0,
          0,
          0,
          0,
          0,
          since(began),
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          true);
    }
    Job job = begun.get();
    Set<String> there = folder.files().keySet();
    List<Integer> mine = new ArrayList<>();
    List<Integer> missing = new ArrayList<>();
    for (int part = rank.index(); part < job.parts().count(); part += rank.count()) {
      mine.add(part);
      if (!there.contains(job.parts().name(part, job.hash()))) {
        missing.add(part);
      }
    }
    scorer.planned.accept(plan(scoring, job.columns(), job.parts(), missing.size()));
    Map<Integer, MadePart> made = make(job, scoring, mine, missing);
    boolean isComplete = complete(job, made);
    return new ScoreResult(
        made.values().stream().mapToLong(MadePart::rows).sum(),
        made.values().stream().mapToLong(MadePart::skipped).sum(),
        made.size(),
        mine.size() - missing.size(),
        job.parts().count(),
        made.values().stream().mapToLong(MadePart::bytes).sum(),
        since(began),
        Duration.ofNanos(times.reading.sum()),
        Duration.ofNanos(times.scoring.sum()),
        Duration.ofNanos(times.encoding.sum()),
        Duration.ofNanos(times.storing.sum()),
        isComplete);
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /// Returns the folder's job; begins it if there is none.
  ///
  /// @return empty if there are no rows, and never were
  private Optional<Job> job(Scoring scoring) throws IOException, InterruptedException {
    PlannedRows rows = PlannedRows.of(scorer);
    Optional<Job> there = readJob();
    if (there.isEmpty()) {
      Optional<Written> written = scoring.columns();
      if (written.isEmpty()) {
        return Optional.empty();
      }
      Parts parts = parts(scorer, rows.count(), written.get().rowBytes());
      Job job =
          new Job(
              scorer.dataset.locations(),
              rows.state(),
              scorer.model.version(),
              scorer.keys,
              scoring.feeding().columns(),
              written.get().columns(),
              parts);
      if (folder.create(Job.FILE, job.toJson().getBytes(StandardCharsets.UTF_8))) {
        return Optional.of(job);
      }
      there = readJob(); // another rank was first
    }
    there.ifPresent(job -> requireSame(job, scoring, rows));
    return there;
  }

  private Optional<Job> readJob() throws IOException {
    return folder
        .read(Job.FILE)
        .map(content -> Job.read("'" + folder.file(Job.FILE) + "'", content));
  }

  private void requireSame(Job job, Scoring scoring, PlannedRows rows) {
    requireSame("model", job.model(), scorer.model.version());
    requireSame("keys", job.keys(), scorer.keys);
    requireSame("inputs", job.inputs(), scoring.feeding().columns());
    List<String> carried =
        scoring.carried().outputs().stream().map(OutputColumn::toString).toList();
    List<String> before =
        job.columns().stream().limit(carried.size()).map(OutputColumn::toString).toList();
    requireSame("columns", before, carried);
    if (job.plan().equals(rows.state())) {
      return;
    }
    try {
      PlannedRows.requireSame(scorer, job);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "Cannot go on with the scores in '"
              + folder.location()
              + "': they are of other rows. "
              + e.getMessage()
              + " Or name another folder.",
          e);
    }
    requireSame("plan", job.plan(), rows.state());
  }

  private void requireSame(String what, Object before, Object now) {
    if (!before.equals(now)) {
      throw new IllegalArgumentException(
          "Cannot go on with the scores in '"
              + folder.location()
              + "': their "
              + what
              + " is '"
              + before
              + "' but '"
              + now
              + "' now. Name another folder, or go on with what began this one.");
    }
  }

  private Map<Integer, MadePart> make(
      Job job, Scoring scoring, List<Integer> mine, List<Integer> missing)
      throws IOException, InterruptedException {
    PartScorer parts = new PartScorer(folder, job, scoring, times, scorer.recorded);
    ProgressCount progress = new ProgressCount(scorer.progress, job.parts(), mine, missing);
    Map<Integer, MadePart> made = new ConcurrentHashMap<>();
    Lanes lanes = new Lanes();
    try {
      lanes.run(
          scorer.workers,
          missing.size(),
          number -> {
            int part = missing.get(number);
            ProgressCount.PartRows rows = progress.of(part);
            Optional<MadePart> one = parts.make(part, lanes::isStopped, rows);
            if (one.isPresent()) {
              made.put(part, one.get());
              rows.made();
            }
          });
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // nothing else is thrown
    }
    return made;
  }

  /// Writes the manifest if all parts are there.
  private boolean complete(Job job, Map<Integer, MadePart> made) throws IOException {
    Set<String> there = folder.files().keySet();
    List<String> names = new ArrayList<>();
    for (int part = 0; part < job.parts().count(); part++) {
      names.add(job.parts().name(part, job.hash()));
    }
    if (!there.containsAll(names)) {
      return false;
    }
    if (!there.contains(Manifest.FILE)) {
      List<MadePart> parts = new ArrayList<>();
      for (int part = 0; part < names.size(); part++) {
        MadePart known = made.get(part);
        parts.add(known != null ? known : readPart(names.get(part)));
      }
      String manifest = new Manifest(job.hash(), parts).toJson();
      folder.create(Manifest.FILE, manifest.getBytes(StandardCharsets.UTF_8));
    }
    return true;
  }

  private MadePart readPart(String name) throws IOException {
    byte[] content =
        folder
            .read(name)
            .orElseThrow(
                () -> new IOException("Cannot find '" + folder.file(name) + "' any more."));
    return PartFooter.read(name, content);
  }
}
