package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.steps.EpochCourse;
import dev.penstock.internal.steps.RowDigests;
import dev.penstock.internal.steps.RowDigests.OfRows;
import dev.penstock.internal.steps.StepCheck;
import dev.penstock.internal.steps.StepCheck.Expected;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.AuditResult;
import dev.penstock.steps.AuditResult.Finding;
import dev.penstock.steps.AuditResult.Kind;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepAuditTest {
  private static final int PLANTED = 10; // in each run of which there are 20
  private static final long EPOCH = 3; // that of the states

  @TempDir Path folder;

  private static StructuredDataset write(Path folder, Random random) throws IOException {
    Files.createDirectories(folder);
    int files = 3 + random.nextInt(3);
    for (int file = 0; file < files; file++) {
      List<String> lines = new ArrayList<>(List.of("id"));
      IntStream.range(0, 60 + random.nextInt(30)).forEach(i -> lines.add("" + i));
      Files.writeString(folder.resolve("part-" + file + ".csv"), String.join("\n", lines) + "\n");
    }
    return new StructuredDataset(folder.toString()).splitRows(1 + random.nextInt(12));
  }

  /// What ranks received in an epoch, and in which worlds.
  private static final class Received {
    private final Map<Integer, NavigableMap<Long, List<StepRow>>> rows = new HashMap<>();
    private EpochCourse course = EpochCourse.whole(1);

    Stream<StepRow> rows(Steps steps, int rank) {
      return rows
          .getOrDefault(rank, new TreeMap<>())
          .subMap(steps.from(), steps.to())
          .values()
          .stream()
          .flatMap(List::stream);
    }

    void put(long epoch, long step, int rank, List<List<RowPart>> parts) {
      List<StepRow> made = new ArrayList<>();
      for (int place = 0; place < parts.size(); place++) {
        for (RowPart part : parts.get(place)) {
          made.add(
              new StepRow(
                  epoch,
                  step,
                  rank,
                  place,
                  OptionalLong.empty(),
                  part.origin().file(),
                  part.origin().first(),
                  part.origin().end(),
                  OptionalLong.empty(),
                  Optional.empty()));
        }
      }
      rows.computeIfAbsent(rank, _ -> new TreeMap<>()).put(step, made);
    }
  }

  /// A training of two epochs, in the first of which the number of ranks changes.
  private static final class Run {
    private final StructuredDataset dataset;
    private final LoaderOptions options;
    private final Path logs;
    private final boolean isShared;
    private final RowDigests digests;
    private final Map<Long, Received> epochs = new TreeMap<>();
    private final Map<Path, List<String>> lines = new TreeMap<>();
    private @Nullable LoaderState state; // the last one

    Run(Path folder, Random random, boolean isSeveral) throws IOException {
      this.dataset = write(folder.resolve("data"), random);
      this.logs = Files.createDirectories(folder.resolve("logs"));
      this.isShared = random.nextBoolean();
      Shuffle shuffle =
          switch (random.nextInt(3)) {
            case 0 -> Shuffle.none();
            case 1 -> Shuffle.splits();
            default -> Shuffle.window(10 + random.nextInt(30));
          };
      this.options =
          LoaderOptions.defaults()
              .workers(random.nextInt(3))
              .batchSize(2 + random.nextInt(6))
              .seed(random.nextInt())
              .shuffle(shuffle);
      this.digests = StepRecording.digests(dataset, options);
      int legs = isSeveral ? 1 + random.nextInt(3) : 1;
      for (int leg = 0; leg < legs; leg++) {
        boolean isLast = leg == legs - 1;
        leg(EPOCH, 1 + random.nextInt(4), isLast ? 9999 : 1 + random.nextInt(2));
      }
      leg(EPOCH + 1, 1 + random.nextInt(4), 9999);
      try (Stream<Path> files = Files.list(logs)) {
        for (Path file : files.toList()) {
          lines.put(file, new ArrayList<>(Files.readAllLines(file)));
        }
      }
    }

    /// Lets a world receive some steps, or the rest of the epoch.
    private void leg(long epoch, int world, int steps) {
      LoaderState from = state != null && state.epoch() == epoch ? state : null;
      long first = from == null ? 0 : from.batches();
      Received received = epochs.computeIfAbsent(epoch, _ -> new Received());
      for (int index = 0; index < world; index++) {
        int rank = index;
        Path log = logs.resolve(isShared ? "all.jsonl" : "rank-" + rank + ".jsonl");
        LoaderOptions own = options.rank(new Rank(rank, world)).stepLog(log);
        try (DataLoader loader = DataLoader.of(dataset, own)) {
          loader.setEpoch(epoch);
          if (from != null) {
            loader.resume(from);
          }
          EpochIterator<Batch> batches =
              loader.iterator((number, rows) -> received.put(epoch, first + number, rank, rows));
          for (int step = 0; step < steps && batches.hasNext(); step++) {
            batches.next().close();
            if (rank == 0 && epoch == EPOCH && step == 0) {
              state = loader.state(); // more steps may come behind it
            }
          }
          if (rank == 0 && steps < 9999 && loader.state().epoch() == epoch) {
            state = loader.state();
          }
        }
      }
      received.course =
          epoch == EPOCH && state != null ? EpochCourse.of(state.saved) : EpochCourse.whole(world);
    }

    Received received() {
      return received(EPOCH);
    }

    Received received(long epoch) {
      return Objects.requireNonNull(epochs.get(epoch));
    }

    AuditResult audit() throws IOException {
      for (Map.Entry<Path, List<String>> each : lines.entrySet()) {
        Files.write(each.getKey(), each.getValue());
      }
      return StepCheck.check(
          List.copyOf(lines.keySet()),
          digests,
          epoch -> new Expected(received(epoch).course, received(epoch)::rows));
    }

    String line(StepDigest of, Stream<StepRow> rows) {
      OfRows made = digests.bySteps(rows).getOrDefault(of.step(), RowDigests.none());
      return new StepDigest(
              of.epoch(), of.step(), of.rank(), of.world(), made.rows(), made.digest())
          .toJson();
    }
  }

  @Seeded(runs = 60)
  void trueLogsHaveNothingWrong(Random random) throws IOException {
    Run run = new Run(folder.resolve("" + random.nextLong()), random, true);
    repeatLines(run, random);
    skipSteps(run, random);
    AuditResult result = run.audit();
    assertThat(result.findings()).as("%s", run.received().course).isEmpty();
    assertThat(result.isAsExpected()).isTrue();
    assertThat(result.first()).isEmpty();
    long lines =
        run.lines.values().stream().flatMap(List::stream).filter(line -> !line.isEmpty()).count();
    assertThat(result.lines() + result.repeated()).isEqualTo(lines);
  }

  private static void repeatLines(Run run, Random random) {
    List<String> some = run.lines.values().iterator().next();
    some.addAll(some.subList(0, random.nextInt(3)));
    if (random.nextBoolean()) {
      some.add("");
    }
  }

  /// Takes out steps behind the state, as a run that skips them does; returns them.
  private static Steps skipSteps(Run run, Random random) {
    LoaderState state = Objects.requireNonNull(run.state);
    long from = state.batches() + random.nextInt(2);
    Steps skip = new Steps(from, from + 1 + random.nextInt(2));
    SavedState saved = state.saved;
    run.received().course =
        EpochCourse.of(
            new SavedState(
                saved.identity(),
                saved.epoch(),
                saved.past(),
                saved.dealing(),
                saved.rank(),
                saved.positions(),
                saved.batches(),
                List.of(skip),
                saved.excluded()));
    for (List<String> lines : run.lines.values()) {
      lines.removeIf(line -> {
        StepDigest step = line.isEmpty() ? null : StepDigest.parse(line);
        return step != null && step.epoch() == EPOCH && skip.contains(step.step());
      });
    }
    return skip;
  }

  /// A difference, and what has to be found.
  private record Planted(Kind kind, StepDigest at) {}

  @Seeded(runs = 20)
  void eachPlantedDifferenceIsFound(Random random) throws IOException {
    Run run = new Run(folder.resolve("" + random.nextLong()), random, random.nextBoolean());
    Run other = new Run(folder.resolve("" + random.nextLong()), random, false);
    Map<Path, List<String>> whole = new TreeMap<>();
    run.lines.forEach((file, lines) -> whole.put(file, List.copyOf(lines)));
    EpochCourse course = run.received().course;
    for (int i = 0; i < PLANTED; i++) {
      whole.forEach((file, lines) -> run.lines.put(file, new ArrayList<>(lines)));
      run.received().course = course;
      int kind = random.nextInt(12);
      Planted planted = plant(kind, run, other, random);
      AuditResult result = run.audit();
      String what = "difference " + kind + " at " + planted.at;
      assertThat(result.findings()).as(what).hasSize(1);
      assertThat(result.wrong()).as(what).isEqualTo(1);
      Finding found = result.first().orElseThrow();
      assertThat(found.kind()).as(what).isEqualTo(planted.kind);
      if (planted.kind != Kind.UNREADABLE) {
        assertThat(found.epoch()).as(what).isEqualTo(planted.at.epoch());
        assertThat(found.steps()).as(what).isEqualTo(Steps.of(planted.at.step()));
        assertThat(found.rank()).as(what).isEqualTo(planted.at.rank());
      }
    }
  }

  @Test
  void linesThatTheRunWentBackBehindAreAbandoned() throws IOException {
    EpochCourse course =
        new EpochCourse(
            List.of(
                new EpochCourse.Leg(4, 2, List.of()),
                new EpochCourse.Leg(2, Long.MAX_VALUE, List.of(new Steps(4, 5)))),
            2);
    List<String> log = new ArrayList<>();
    lines(log, 4, 0, 4); // to step 4, but the last state is that behind step 2
    lines(log, 2, 2, 5); // to step 5, back to 3, without step 4
    lines(log, 2, 3, 4);
    lines(log, 2, 5, 6);
    Path file = Files.write(folder.resolve("log.jsonl"), log);
    AuditResult result =
        StepCheck.check(
            List.of(file),
            new RowDigests(List.of()),
            epoch -> new Expected(course, (steps, rank) -> Stream.of()));
    assertThat(result.abandoned()).isEqualTo(8 + 2);
    assertThat(result.repeated()).isEqualTo(2);
    assertThat(result.findings()).extracting(Finding::kind).containsOnly(Kind.UNEXPECTED);
    assertThat(result.lines()).isEqualTo(8 + 2 + 2 + 2);
  }

  /// Writes lines of all ranks.
  private static void lines(List<String> log, int world, long from, long to) {
    for (long step = from; step < to; step++) {
      for (int rank = 0; rank < world; rank++) {
        log.add(new StepDigest(EPOCH, step, rank, world, 1, 7).toJson());
      }
    }
  }

  private static Planted plant(int kind, Run run, Run other, Random random) {
    List<List<String>> files = List.copyOf(run.lines.values());
    List<String> lines = files.get(random.nextInt(files.size()));
    int at = random.nextInt(lines.size());
    StepDigest step = StepDigest.parse(lines.get(at));
    List<StepRow> rows =
        new ArrayList<>(
            run.received(step.epoch()).rows(Steps.of(step.step()), step.rank()).toList());
    String changed = lines.get(at);
    switch (kind) {
      case 0 -> { // two rows swapped
        if (rows.size() > 1) {
          Collections.swap(rows, 0, rows.size() - 1);
          changed = run.line(step, swapped(rows).stream());
        }
      }
      case 1 -> { // rows of another order: seed, epoch or dataset
        changed = other.lines.values().iterator().next().getFirst();
        changed = relabelled(StepDigest.parse(changed), step);
      }
      case 2 -> { // another file
        Location file = run.dataset.table().files().getLast().location();
        Location first = run.dataset.table().files().getFirst().location();
        changed =
            run.line(
                step, rows.stream().map(row -> in(row, row.file().equals(file) ? first : file)));
      }
      case 3 -> // another digit
          changed =
              new StepDigest(
                      step.epoch(),
                      step.step(),
                      step.rank(),
                      step.world(),
                      step.rows(),
                      ~step.digest())
                  .toJson();
      case 4 -> // another number of rows
          changed =
              new StepDigest(
                      step.epoch(),
                      step.step(),
                      step.rank(),
                      step.world(),
                      step.rows() + 1,
                      step.digest())
                  .toJson();
      case 5 -> { // missing, in front of another line of the rank
        boolean hasLater =
            lines.stream()
                .map(StepDigest::parse)
                .anyMatch(each ->
                    each.epoch() == step.epoch()
                        && each.rank() == step.rank()
                        && each.step() > step.step());
        if (hasLater) {
          lines.remove(at);
          return new Planted(Kind.MISSING, step);
        }
      }
      case 6 -> { // the same step once more, with other rows
        lines.add(
            new StepDigest(step.epoch(), step.step(), step.rank(), step.world(), step.rows(), 1)
                .toJson());
        return new Planted(Kind.DIFFERENT, step);
      }
      case 7 -> { // skipped, but it came
        long first = run.received().course.had();
        String came =
            run.lines.values().stream()
                .flatMap(List::stream)
                .filter(line ->
                    StepDigest.parse(line).epoch() == EPOCH
                        && StepDigest.parse(line).step() >= first)
                .findFirst()
                .orElse("");
        Steps skip = skipSteps(run, random);
        if (!came.isEmpty() && skip.contains(StepDigest.parse(came).step())) {
          lines.add(came);
          return new Planted(Kind.SKIPPED, StepDigest.parse(came));
        }
        return plant(3, run, other, random);
      }
      case 8 -> { // another rank's
        int rank = step.rank() == 0 ? step.world() - 1 : step.rank() - 1;
        changed = run.line(step, run.received(step.epoch()).rows(Steps.of(step.step()), rank));
      }
      case 9 -> { // half a line
        lines.add(at, changed.substring(0, changed.length() / 2));
        return new Planted(Kind.UNREADABLE, step);
      }
      case 10 -> { // behind the end
        StepDigest behind =
            new StepDigest(EPOCH + 1, 1L << 40, 0, worldOf(run), step.rows(), step.digest());
        lines.add(behind.toJson());
        return new Planted(Kind.UNEXPECTED, behind);
      }
      default -> { // another world
        changed =
            new StepDigest(step.epoch(), step.step(), step.rank(), 7, step.rows(), step.digest())
                .toJson();
        lines.add(changed);
        return new Planted(Kind.UNEXPECTED, step);
      }
    }
    if (changed.equals(lines.get(at))) { // it makes no difference here
      return plant(3, run, other, random);
    }
    lines.set(at, changed);
    return new Planted(Kind.DIFFERENT, step);
  }

  private static int worldOf(Run run) {
    return 1 + Collections.max(run.received(EPOCH + 1).rows.keySet());
  }

  private static List<StepRow> swapped(List<StepRow> rows) {
    return IntStream.range(0, rows.size()).mapToObj(i -> at(rows.get(i), i)).toList();
  }

  private static StepRow at(StepRow row, int place) {
    return new StepRow(
        row.epoch(),
        row.step(),
        row.rank(),
        place,
        row.source(),
        row.file(),
        row.row(),
        row.endRow(),
        row.rowId(),
        row.part());
  }

  private static StepRow in(StepRow row, Location file) {
    return new StepRow(
        row.epoch(),
        row.step(),
        row.rank(),
        row.place(),
        row.source(),
        file,
        row.row(),
        row.endRow(),
        row.rowId(),
        row.part());
  }

  private static String relabelled(StepDigest line, StepDigest as) {
    return new StepDigest(as.epoch(), as.step(), as.rank(), as.world(), line.rows(), line.digest())
        .toJson();
  }
}
