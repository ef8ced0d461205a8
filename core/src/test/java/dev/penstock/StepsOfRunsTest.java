package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Mixture.Stop;
import dev.penstock.TracedCase.Step;
import dev.penstock.TracedCase.Way;
import dev.penstock.batch.Batch;
import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Groups;
import dev.penstock.filter.Filter;
import dev.penstock.internal.plan.SkippedSteps;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.steps.AuditResult;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random runs of two epochs over every order, that stop anywhere, go on in other worlds, skip
/// steps and exclude rows: what is said of the rows of their steps, before and after, is what was
/// delivered, and an audit of their logs agrees.
class StepsOfRunsTest {
  private static final Steps ALL = new Steps(0, 1_000_000);

  @TempDir Path folder;

  /// Ranks are not behind the same step, or the epoch is over as soon as it goes on.
  private static final class NoState extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /// A row of a source of a mixture.
  private record Row(int source, long id) {}

  private final class Run {
    private final Random random;
    private final TracedCase data;
    private final Path logs;
    private final List<String> done = new ArrayList<>(); // for messages
    private LoaderOptions options;
    private int world;
    private List<DataLoader> loaders = List.of();
    private List<EpochIterator<Batch>> iterators = List.of();
    private @Nullable LoaderState last; // behind all that was decided in the epoch
    private long sinceSize; // the step from which on batches have the size that they have now
    private boolean isAnySize; // which batches of the epoch had
    private final List<Step> steps = new ArrayList<>(); // of the epoch
    private final List<List<StepRow>> said = new ArrayList<>(); // since all was decided
    private final Set<Row> skipped = new HashSet<>();
    private final Set<Row> excluded = new HashSet<>();
    private final List<LoaderState> ends = new ArrayList<>(); // the last state of each epoch

    Run(Random random) throws IOException {
      this.random = random;
      this.data =
          TracedCase.random(
              random,
              folder,
              Way.FILES,
              Way.FILES,
              Way.GLOBAL,
              Way.GLOBAL,
              Way.MIXTURE,
              Way.COMPOSED,
              Way.COMPOSED_MIXTURE,
              Way.TRANSFORMED);
      this.logs = Files.createDirectory(folder.resolve("logs"));
      this.options = data.options();
      if (isOfRows() && random.nextInt(6) == 0) {
        options =
            options
                .batchSize(1 + random.nextInt(4))
                .dropLast(false)
                .stepsPerEpoch(1 + random.nextInt(4));
      }
      this.world = 1 + random.nextInt(3);
    }

    private boolean isComposed() {
      return options.batching().composition().isPresent();
    }

    private boolean isOfRows() {
      return !isComposed() && options.transformation().keepsRows();
    }

    private LoaderOptions of(int rank) {
      return options.rank(new Rank(rank, world)).workers(random.nextInt(3));
    }

    /// Makes the loaders of a world, which go on from states.
    private void start(List<LoaderState> states) {
      boolean isOneLog = random.nextBoolean();
      loaders =
          IntStream.range(0, world)
              .mapToObj(rank ->
                  DataLoader.of(
                      data.dataset(),
                      of(rank).stepLog(logs.resolve((isOneLog ? "all" : rank) + ".jsonl"))))
              .toList();
      done.add("start " + world + " with " + states);
      LoaderState merged = states.isEmpty() ? null : LoaderState.merge(states);
      for (int rank = 0; rank < world && merged != null; rank++) {
        boolean isOwn = states.size() == world && random.nextBoolean();
        loaders.get(rank).resume(LoaderState.parse((isOwn ? states.get(rank) : merged).toJson()));
      }
      say();
      begin();
      decided();
    }

    private void begin() {
      List<EpochIterator<Batch>> begun = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        int own = rank;
        long first = loaders.get(rank).state().batches();
        begun.add(
            loaders
                .get(rank)
                .iterator((number, rows) -> steps.add(new Step(first + number, own, rows))));
      }
      iterators = begun;
    }

    private List<LoaderState> states() {
      return loaders.stream().map(DataLoader::state).toList();
    }

    /// Says now what is to come if nothing else is decided.
    private void say() {
      if (!isAnySize) {
        DataLoader one = loaders.get(random.nextInt(world));
        try {
          said.add(one.rowsOf(ALL).toList());
        } catch (IllegalStateException e) {
          assertThat(e).hasMessageContaining("RowsOfSteps.pass(true)");
        }
      }
    }

    private void decided() {
      said.clear();
      List<LoaderState> states = states();
      long batches = states.getFirst().batches();
      if (!states.stream().allMatch(s -> s.epoch() == ends.size() && s.batches() == batches)) {
        throw new NoState();
      }
      last = LoaderState.parse(LoaderState.merge(states).toJson());
      say();
    }

    /// Delivers batches of every rank; all that are left where a rank has no more, and returns
    /// false then.
    private boolean deliver(int count) {
      done.add("deliver " + count);
      for (int i = 0; i < count && hasNext(); i++) {
        iterators.forEach(this::receive);
      }
      boolean isGoing = hasNext();
      for (EpochIterator<Batch> each : iterators) {
        while (!isGoing && each.hasNext()) {
          receive(each);
        }
      }
      return isGoing;
    }

    private boolean hasNext() {
      return iterators.stream().filter(EpochIterator::hasNext).count() == world;
    }

    private void receive(EpochIterator<Batch> from) {
      int before = steps.size();
      try (Batch batch = from.next()) {
        assertThat(steps).hasSize(before + 1);
        StepTraceTest.compare(data, batch, steps.getLast().rows());
      }
    }

    private List<Row> rows(StepRow row) {
      List<Long> stored = Objects.requireNonNull(data.stored().get(row.file().name()));
      List<Long> live = Objects.requireNonNull(data.live().get(row.file().name()));
      return stored.subList((int) row.row(), (int) row.endRow()).stream()
          .filter(live::contains)
          .map(id -> new Row((int) row.source().orElse(0), id))
          .toList();
    }

    private void skip() {
      LoaderState now = LoaderState.merge(states());
      long from = Math.max(0, now.batches() - 2 + random.nextInt(6));
      Steps wanted = new Steps(from, from + random.nextInt(4));
      Steps coming = new Steps(Math.max(from, now.batches()), Math.max(wanted.to(), now.batches()));
      loaders
          .getFirst()
          .rowsOfSteps(now)
          .pass(true)
          .rows(coming)
          .forEach(row -> skipped.addAll(rows(row)));
      done.add("skip " + wanted);
      loaders.forEach(each -> each.skip(wanted));
      decided();
    }

    private void exclude() {
      ExcludedRows rows = ExcludedRows.of(List.of());
      List<String> names = data.live().keySet().stream().sorted().toList();
      Set<Row> gone = new HashSet<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        String name = names.get(random.nextInt(names.size()));
        List<Long> stored = Objects.requireNonNull(data.stored().get(name));
        int row = random.nextInt(stored.size());
        long id = stored.get(row);
        boolean isThere = Objects.requireNonNull(data.live().get(name)).contains(id);
        rows =
            rows.and(
                isThere && random.nextBoolean()
                    ? ExcludedRows.keys("id", List.of(id))
                    : ExcludedRows.row(name, row));
        gone.addAll(List.of(new Row(0, id), new Row(1, id)));
      }
      done.add("exclude " + rows);
      try {
        for (DataLoader each : loaders) {
          each.exclude(rows);
        }
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageStartingWith("Cannot exclude rows behind batch");
        return;
      } catch (IllegalArgumentException e) {
        assertThat(e)
            .hasMessageMatching(
                "Cannot deal the rest of the epoch anew (with the state of one rank|.*skipped).*");
        return;
      }
      excluded.addAll(gone);
      decided();
    }

    private void goOn() {
      List<LoaderState> states = states();
      loaders.forEach(DataLoader::close);
      int before = world;
      world = 1 + random.nextInt(3);
      boolean isSkipAhead = // steps of batches of another size would have other rows
          SkippedSteps.isAhead(states.getFirst().saved.skips(), states.getFirst().batches());
      boolean maySize = isOfRows() && options.batching().stepsPerEpoch().isEmpty();
      if (maySize && !isSkipAhead && random.nextInt(5) == 0) {
        options = options.batchSize(1 + random.nextInt(20));
        isAnySize = true;
        sinceSize = states.getFirst().batches();
      }
      try {
        start(states);
      } catch (IllegalArgumentException e) {
        assertThat(e)
            .hasMessageContaining("and which rows they have shows only when they are read");
        loaders.forEach(DataLoader::close);
        world = before;
        start(states);
      }
    }

    /// Runs the epoch that has begun.
    void epoch() throws IOException {
      boolean isGoing = true;
      Set<Row> before = new HashSet<>(excluded);
      for (int turn = random.nextInt(8); turn > 0 && isGoing; turn--) {
        switch (random.nextInt(5)) {
          case 0 -> skip();
          case 1 -> exclude();
          case 2 -> goOn();
          default -> deliver(1 + random.nextInt(4));
        }
        isGoing = deliver(0);
      }
      if (isGoing) {
        deliver(Integer.MAX_VALUE);
      }
      requireSaid();
      requireOthersOnce(before);
      ends.add(Objects.requireNonNull(last));
    }

    private RowsOfSteps asked() {
      return RowsOfSteps.of(data.dataset(), of(0), Objects.requireNonNull(last)).pass(true);
    }

    private void requireSaid() {
      List<StepRow> delivered = data.rows(steps, ends.size());
      RowsOfSteps asked = asked();
      String run = options.text() + " " + done + " " + last;
      if (isAnySize) {
        delivered = delivered.stream().filter(row -> row.step() >= sinceSize).toList();
        assertThat(asked.rows(new Steps(sinceSize, ALL.to())).toList())
            .as(run)
            .isEqualTo(delivered);
        return;
      }
      assertThat(asked.rows(ALL).toList()).as(run).isEqualTo(delivered);
      said.forEach(each ->
          assertThat(each).as("said before, " + run).isEqualTo(data.rows(steps, ends.size())));
      long from = random.nextInt(6);
      Steps some = new Steps(from, from + random.nextInt(4));
      int rank = random.nextInt(world);
      assertThat(asked.rows(some, rank).toList())
          .as("rank %s, steps %s, %s", rank, some, run)
          .isEqualTo(
              delivered.stream()
                  .filter(row -> row.rank() == rank && some.contains(row.step()))
                  .toList());
      long key = random.nextInt(10);
      assertThat(asked.find(Filter.parse("key = " + key)).toList())
          .as("key %s, %s", key, run)
          .isEqualTo(
              delivered.stream()
                  .filter(row -> rows(row).stream().anyMatch(each -> each.id() / 7 == key))
                  .toList());
      try (TracedRun traced =
          new TracedRun(
              data.dataset(),
              of(0),
              new Rank(0, world),
              ends.size(),
              Objects.requireNonNull(last).saved,
              false)) {
        List<StepRow> rows = traced.rows(ALL, OptionalInt.empty(), _ -> true).take();
        assertThat(rows).as("traced, " + run).isEqualTo(delivered);
      }
    }

    private void requireOthersOnce(Set<Row> before) {
      List<Row> delivered =
          steps.stream()
              .flatMap(step -> step.rows().stream().flatMap(List::stream))
              .flatMap(part ->
                  data.ids(part).stream()
                      .map(id -> new Row(data.isMixed() ? part.source() : 0, id)))
              .toList();
      if (!data.isUntold()) {
        assertThat(delivered).noneMatch(before::contains);
      }
      Composition how = options.batching().composition().orElse(null);
      boolean isOnce =
          options.rankShare().end() == RankEnd.EXACT
              && !options.batching().dropLast()
              && options.batching().stepsPerEpoch().isEmpty()
              && options.transformation().keepsRows()
              && (how == null || how instanceof Groups || how instanceof Buckets)
              && data.dataset().mixture().stream().allMatch(m -> m.stop() == Stop.ALL);
      if (!isOnce) {
        return;
      }
      assertThat(delivered).doesNotHaveDuplicates().noneMatch(skipped::contains);
      Set<Row> all = new HashSet<>(delivered);
      all.addAll(skipped);
      all.addAll(excluded);
      Set<Row> expected = new HashSet<>(matching());
      expected.addAll(excluded);
      assertThat(all).isEqualTo(expected);
    }

    private Set<Row> matching() {
      Set<Row> all = new HashSet<>();
      List<StructuredDataset> sources = data.dataset().sources();
      for (int source = 0; source < sources.size(); source++) {
        try (DataLoader loader =
            DataLoader.of(sources.get(source), o -> o.workers(0).rank(Rank.SINGLE))) {
          for (Batch batch : loader) {
            try (batch) {
              for (int row = 0; row < batch.rowCount(); row++) {
                all.add(new Row(source, batch.tensor("id").getLong(row)));
              }
            }
          }
        }
      }
      return all;
    }

    void nextEpoch() {
      steps.clear();
      skipped.clear();
      said.clear();
      isAnySize = false;
      if (random.nextBoolean()) {
        List<LoaderState> states = states();
        loaders.forEach(DataLoader::close);
        world = 1 + random.nextInt(3);
        start(states);
      } else {
        begin();
        decided();
      }
    }

    private void audit() throws IOException {
      StepAudit audit = StepAudit.of(data.dataset(), of(0)).pass(true);
      for (LoaderState each : ends) {
        audit = audit.state(each);
      }
      List<Path> files;
      try (Stream<Path> found = Files.list(logs)) {
        files = found.sorted().toList();
      }
      AuditResult result = audit.check(files);
      assertThat(result.findings()).as("%s %s", options.text(), ends).isEmpty();
      assertThat(result.abandoned()).isZero();
      plant(audit, files);
    }

    private void plant(StepAudit audit, List<Path> files) throws IOException {
      Path file = files.get(random.nextInt(files.size()));
      List<String> lines = new ArrayList<>(Files.readAllLines(file));
      if (lines.isEmpty()) {
        return;
      }
      int at = random.nextInt(lines.size());
      StepDigest step = StepDigest.parse(lines.get(at));
      StepDigest wrong =
          new StepDigest(
              step.epoch(),
              step.step(),
              step.rank(),
              step.world(),
              step.rows(),
              step.digest() ^ (1L << random.nextInt(64)));
      lines.set(at, wrong.toJson());
      Files.write(file, lines);
      assertThat(audit.check(files).findings())
          .singleElement()
          .satisfies(found -> {
            assertThat(found.kind()).isEqualTo(AuditResult.Kind.DIFFERENT);
            assertThat(found.line()).isEqualTo(at + 1);
            assertThat(found.expected()).contains(step);
          });
    }

    void run() throws IOException {
      start(List.of());
      epoch();
      boolean isAudited = !isAnySize;
      nextEpoch();
      epoch();
      loaders.forEach(DataLoader::close);
      if (isAudited && !isAnySize) {
        audit();
      }
    }
  }

  @Test
  void digestsTellSourcesApartThatReadOneFile() throws IOException {
    Path own = Files.createDirectory(folder.resolve("own"));
    TracedCase.write(own.resolve("a.parquet"), LongStream.range(0, 40).toArray(), 10);
    StructuredDataset deleted = TracedCase.withDeletes(own);
    StructuredDataset whole = new StructuredDataset(own.toString());
    StructuredDataset both =
        new StructuredDataset(Mixture.of(whole, 1).and(deleted, 1).stop(Stop.ALL));
    Path log = folder.resolve("log.jsonl");
    LoaderOptions options = LoaderOptions.defaults().batchSize(8).workers(1);
    try (DataLoader loader = DataLoader.of(both, options.stepLog(log))) {
      loader.forEach(Batch::close);
    }
    assertThat(StepAudit.of(both, options).check(List.of(log)).findings()).isEmpty();
    List<StepDigest> told = Files.readAllLines(log).stream().map(StepDigest::parse).toList();
    RowsOfSteps asked = RowsOfSteps.of(both, options, 0);
    for (StepDigest step : told) {
      assertThat(asked.digest(step.step(), 0)).isEqualTo(step);
    }
  }

  @Test
  void rankThatNoWorldHasIsRefused() throws IOException {
    TracedCase.write(folder.resolve("a.parquet"), new long[] {1, 2, 3}, 10);
    StructuredDataset dataset = new StructuredDataset(folder.toString());
    LoaderOptions two = LoaderOptions.defaults().rank(new Rank(0, 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowsOfSteps.of(dataset, two, 4).rows(ALL, 2))
        .withMessage("Cannot tell the rows of rank 2: the ranks of epoch 4 are in [0, 2).");
    try (DataLoader loader = DataLoader.of(dataset, two)) {
      loader.iterator().next().close();
      RowsOfSteps one = RowsOfSteps.of(dataset, two.rank(Rank.SINGLE), loader.state());
      assertThat(one.rows(ALL, 1)).hasSize(1);
      assertThatIllegalArgumentException().isThrownBy(() -> one.rows(ALL, -1));
    }
  }

  @Seeded(runs = 300)
  void whatIsSaidOfStepsIsWhatWasDelivered(Random random) throws IOException {
    Run run = new Run(random);
    try {
      run.run();
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("as stepsPerEpoch promises");
    } catch (NoState e) {
      // nothing to compare
    } catch (RuntimeException | AssertionError e) {
      e.addSuppressed(new AssertionError(run.options.text() + " " + run.done));
      throw e;
    } finally {
      run.loaders.forEach(DataLoader::close);
    }
  }
}
