package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.order.Counted;
import dev.penstock.internal.order.EpochPlan;
import dev.penstock.internal.order.EpochPlanner;
import dev.penstock.internal.order.Need;
import dev.penstock.internal.order.OrderInput;
import dev.penstock.internal.passes.Passes;
import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.state.SavedState;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.transform.Transform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What an epoch is planned to deliver, held against lists of rows: row `i` of three files together
/// has the number `i`, and a batch has 4.
class EpochPlannerTest {
  private static final int ROWS = 23;
  private static final int BATCH = 4;
  private static final Transform SAME = (block, _) -> block;

  @TempDir Path folder;
  private StructuredDataset dataset;

  @BeforeEach
  void writeFiles() throws IOException {
    write(0, 5);
    write(5, 12);
    write(12, ROWS);
    dataset = new StructuredDataset(folder.toString());
  }

  private void write(int first, int end) throws IOException {
    List<String> lines = new ArrayList<>(List.of("number,part"));
    IntStream.range(first, end).forEach(i -> lines.add(i + "," + i % 3));
    Files.write(folder.resolve(String.format(Locale.ROOT, "%02d.csv", first)), lines);
  }

  private EpochPlanner planner(UnaryOperator<LoaderOptions> change, int rank, int world) {
    LoaderOptions options = LoaderOptions.defaults().batchSize(BATCH).workers(2);
    Rank own = new Rank(rank, world);
    return new EpochPlanner(
        new OrderInput(
            dataset, change.apply(options), own, List.of(dataset.source(0)), Optional.empty()));
  }

  private static EpochPlan plan(EpochPlanner planner, @Nullable SavedState state) {
    return planner.plan(0, count(planner.counts(state)), state);
  }

  private static Counted count(List<Need> needs) {
    return new Passes(2, new MemoryMeter(1 << 20), 1)
        .count(
            needs,
            () -> {
              throw new AssertionError("Nothing is composed.");
            });
  }

  private static long batches(EpochPlanner planner) {
    return planner.batches(0, count(planner.countsOfBatches()));
  }

  /// Returns the rows of the files in a plan. The random order of a window is taken to be the
  /// reverse one, so that cutting windows otherwise loses rows.
  private static List<Integer> rows(List<Run> runs) {
    List<Integer> all = new ArrayList<>();
    for (Run run : runs) {
      List<Integer> own = run.parts().stream().flatMap(EpochPlannerTest::rows).toList();
      all.addAll(
          run instanceof WindowRun
              ? own.reversed().subList((int) run.firstRow(), (int) run.endRow())
              : own);
    }
    return all;
  }

  private static Stream<Integer> rows(RowRun run) {
    return rows(run.file().info().location().name(), run.firstRow(), run.endRow());
  }

  private static Stream<Integer> rows(FileSplit split) {
    return rows(split.file().location().name(), split.firstRow(), split.endRow());
  }

  private static Stream<Integer> rows(String file, long from, long to) {
    int first = Integer.parseInt(file.substring(0, 2));
    return IntStream.range(first + (int) from, first + (int) to).boxed();
  }

  private static List<Integer> rows(EpochPlan plan) {
    return rows(plan.runs());
  }

  /// Returns the rows of a plan's next batches, as far as there are some.
  private static List<Integer> delivered(EpochPlan plan, int batches) {
    List<Integer> rows = rows(plan);
    return rows.subList(0, Math.min(rows.size(), batches * BATCH));
  }

  private static SavedState after(EpochPlan plan, int batches) {
    int rows = delivered(plan, batches).size();
    return plan.state(new Position(rows, 0), rows, batches);
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  static List<Shuffle> shuffles() {
    return List.of(Shuffle.none(), Shuffle.splits(), Shuffle.window(6));
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void everyRowIsOneRanks(Shuffle shuffle) {
    for (int world = 1; world <= 4; world++) {
      List<Integer> all = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        List<Integer> share = rows(plan(planner(o -> o.shuffle(shuffle), rank, world), null));
        assertThat(share.size()).isBetween(ROWS / world, Math.ceilDiv(ROWS, world));
        all.addAll(share);
      }
      assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(0, ROWS));
    }
  }

  @Test
  void rowsComeInTheOrderOfTheFilesUnlessShuffled() {
    assertThat(rows(plan(planner(o -> o, 1, 3), null))).isEqualTo(numbers(8, 16));
    assertThat(rows(plan(planner(o -> o.shuffle(true), 0, 1), null)))
        .isNotEqualTo(numbers(0, ROWS));
  }

  @Test
  void shareThatIsShownIsTheOneThatIsPlanned() {
    EpochPlanner planner = planner(o -> o.shuffle(true), 1, 3);
    Plan shown = planner.share(0, count(planner.countsOfShare()));
    assertThat(shown.sequence().stream().flatMap(EpochPlannerTest::rows))
        .isEqualTo(rows(plan(planner, null)));
  }

  @Test
  void epochGoesOnFromItsBeginningAsItBegins() {
    EpochPlanner planner = planner(o -> o.shuffle(true), 1, 2);
    SavedState beginning = planner.beginning(0);
    assertThat(beginning).isEqualTo(after(plan(planner, null), 0));
    assertThat(plan(planner, beginning)).isEqualTo(plan(planner, null));
  }

  /// With three ranks shares are of 8, 8 and 7 rows; padded, of 8, and of 7 where rows are dropped.
  @ParameterizedTest
  @CsvSource({
    "1, EXACT, false, 6", "1, EXACT, true, 5",
    "3, EXACT, false, 2", "3, EXACT, true, 1",
    "3, PAD, false, 2", "3, PAD, true, 2",
    "3, DROP, false, 2", "3, DROP, true, 1"
  })
  void allRanksHaveTheNumberOfBatchesThatIsTold(
      int world, RankEnd end, boolean dropLast, long expected) {
    for (int rank = 0; rank < world; rank++) {
      EpochPlanner planner = planner(o -> o.rankEnd(end).dropLast(dropLast), rank, world);
      assertThat(batches(planner)).isEqualTo(expected);
      EpochPlan plan = plan(planner, null);
      long rows = dropLast ? expected * BATCH : rows(plan).size();
      assertThat(plan.end()).isEqualTo(new EpochEnd(1, rows, expected, false));
    }
  }

  @Test
  void numberOfBatchesIsUnknownWhereAFilterOrATransformDecides() {
    EpochPlanner transformed = planner(o -> o.transform(SAME), 0, 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> batches(transformed))
        .withMessage(
            "Cannot tell the number of batches: how many rows the transform makes shows only when"
                + " they are read. stepsPerEpoch(n) promises a number.");
    dataset = dataset.where("part = 0");
    EpochPlanner filtered = planner(o -> o.countMatches(false), 0, 2);
    assertThatIllegalStateException()
        .isThrownBy(() -> batches(filtered))
        .withMessage(
            "Cannot tell the number of batches: how many rows the filter keeps shows only when they"
                + " are read. stepsPerEpoch(n) promises a number.");
    assertThat(plan(filtered, null).end()).isEqualTo(EpochEnd.of(1));
  }

  /// Rows 0, 3, ..., 21: four matches a rank.
  @Test
  void countedMatchesAreDealtAndGiveTheNumberOfBatches() {
    dataset = dataset.where("part = 0");
    List<Integer> all = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      EpochPlanner planner = planner(o -> o.batchSize(3), rank, 2);
      assertThat(batches(planner)).isEqualTo(2);
      List<Integer> share = matching(rows(plan(planner, null)));
      assertThat(share).hasSize(4);
      all.addAll(share);
    }
    assertThat(all).isEqualTo(matching(numbers(0, ROWS)));
    assertThat(batches(planner(o -> o.batchSize(3).dropLast(true), 0, 2))).isEqualTo(1);
  }

  private static List<Integer> matching(List<Integer> rows) {
    return rows.stream().filter(row -> row % 3 == 0).toList();
  }

  @Test
  void promisedStepsCutTheShare() {
    EpochPlan cut = plan(planner(o -> o.stepsPerEpoch(2), 0, 2), null);
    assertThat(rows(cut)).isEqualTo(numbers(0, 8));
    assertThat(cut.end()).isEqualTo(EpochEnd.promised(2, 1));
    EpochPlan tooFew = plan(planner(o -> o.stepsPerEpoch(9).dropLast(true), 0, 1), null);
    assertThat(rows(tooFew)).isEqualTo(numbers(0, ROWS));
    assertThat(tooFew.end()).isEqualTo(EpochEnd.promised(9, BATCH));
  }

  @Test
  void rowsBehindThePromisedStepsAreNotPlanned() {
    int steps = ROWS / BATCH;
    List<Integer> planned = rows(plan(planner(o -> o.stepsPerEpoch(steps), 0, 1), null));
    assertThat(planned).hasSize(steps * BATCH).hasSizeLessThan(ROWS);
  }

  @Test
  void promisedStepsThatWereReceivedAreNotPlannedAnew() {
    EpochPlanner planner = planner(o -> o.stepsPerEpoch(3), 0, 1);
    EpochPlan rest = plan(planner, after(plan(planner, null), 2));
    assertThat(rows(rest)).isEqualTo(numbers(8, 12));
    assertThat(rest.end()).isEqualTo(EpochEnd.promised(1, 1));
    EpochPlan none = plan(planner, after(rest, 1));
    assertThat(rows(none)).isEmpty();
    assertThat(none.end()).isEqualTo(EpochEnd.promised(0, 1));
  }

  @Test
  void promisedStepsOfAFilterCutNothing() {
    dataset = dataset.where("part = 0");
    EpochPlan plan = plan(planner(o -> o.stepsPerEpoch(1), 0, 1), null);
    assertThat(rows(plan)).isEqualTo(numbers(0, ROWS));
    assertThat(plan.end()).isEqualTo(EpochEnd.promised(1, 1));
  }

  /// But after the last one, where a state is that of the next epoch.
  @ParameterizedTest
  @MethodSource("shuffles")
  void runThatStopsAfterAnyBatchGoesOnWithTheRest(Shuffle shuffle) {
    for (RankEnd end : RankEnd.values()) {
      EpochPlanner planner = planner(o -> o.shuffle(shuffle).rankEnd(end), 1, 2);
      EpochPlan whole = plan(planner, null);
      EpochPlan step = whole;
      for (int batch = 1; batch < batches(planner); batch++) {
        EpochPlan rest = plan(planner, after(whole, batch));
        int from = delivered(whole, batch).size();
        assertThat(rows(rest)).isEqualTo(rows(whole).subList(from, rows(whole).size()));
        assertThat(rest.end().batchesMin()).isEqualTo(batches(planner) - batch);
        step = plan(planner, after(step, 1));
        assertThat(step).as("stopped after each batch before").isEqualTo(rest);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACT", "DROP"})
  void rowsThatAreLeftAreEachOneRanksOfAnotherWorld(RankEnd end) {
    for (Shuffle shuffle : shuffles()) {
      UnaryOperator<LoaderOptions> before = o -> o.shuffle(shuffle).rankEnd(end);
      for (int batches = 0; batches <= 2; batches++) {
        for (int world : new int[] {1, 2, 4}) {
          List<Integer> all = new ArrayList<>();
          for (int rank = 0; rank < 3; rank++) {
            all.addAll(delivered(plan(planner(before, rank, 3), null), batches));
          }
          SavedState state = after(plan(planner(before, 0, 3), null), batches);
          for (int rank = 0; rank < world; rank++) {
            all.addAll(rows(plan(planner(o -> o.shuffle(shuffle), rank, world), state)));
          }
          assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(0, ROWS));
        }
      }
    }
  }

  @Test
  void worldThatChangesAgainAndAgainDeliversEachRowOnce() {
    List<Integer> all = new ArrayList<>();
    SavedState state = planner(o -> o.shuffle(true), 0, 3).beginning(0);
    for (int world : new int[] {3, 2, 1}) {
      SavedState next = state;
      for (int rank = 0; rank < world; rank++) {
        EpochPlan plan = plan(planner(o -> o.batchSize(2).shuffle(true), rank, world), state);
        List<Integer> two = rows(plan).subList(0, 2);
        all.addAll(two);
        next = plan.state(new Position(2, 0), 2, 1);
      }
      state = next;
    }
    assertThat(state.batches()).isEqualTo(3);
    assertThat(state.past()).hasSize(2);
    for (int rank = 0; rank < 5; rank++) {
      all.addAll(rows(plan(planner(o -> o.shuffle(true), rank, 5), state)));
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(0, ROWS));
  }

  /// Four matches a rank, of which each received three.
  @Test
  void matchesThatAreLeftAreDealtToAnotherWorld() {
    dataset = dataset.where("part = 0");
    EpochPlan stopped = plan(planner(o -> o.batchSize(3), 0, 2), null);
    SavedState state = stopped.state(new Position(9, 0), 3, 1);
    assertThat(state.positions()).containsExactly(new Position(3, 0));
    EpochPlanner single = planner(o -> o, 0, 1);
    assertThat(single.counts(null)).isEmpty();
    assertThat(single.counts(state)).hasSize(1);
    assertThat(matching(rows(plan(single, state)))).containsExactly(9, 21);
    for (int rank = 0; rank < 3; rank++) {
      assertThat(matching(rows(plan(planner(o -> o, rank, 3), state))))
          .isEqualTo(List.of(List.of(9), List.of(21), List.<Integer>of()).get(rank));
    }
  }

  @Test
  void matchesThatWereNotCountedTakeTheStatesOfAllRanks() {
    dataset = dataset.where("part = 0");
    UnaryOperator<LoaderOptions> change = o -> o.countMatches(false);
    SavedState first = plan(planner(change, 0, 2), null).state(new Position(5, 0), 2, 1);
    SavedState second = plan(planner(change, 1, 2), null).state(new Position(7, 0), 2, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(planner(change, 1, 2), first))
        .withMessageStartingWith("Cannot resume rank 1/2 with the state of rank 0: ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(planner(change, 0, 3), first))
        .withMessageStartingWith(
            "Cannot deal the rest of the epoch anew with the state of one rank of 2: ");
    SavedState merged = SavedState.merge(List.of(first, second));
    assertThat(rows(plan(planner(change, 1, 2), merged))).isEqualTo(numbers(19, ROWS));
    List<Integer> left = new ArrayList<>(numbers(5, 12));
    left.addAll(numbers(19, ROWS));
    assertThat(rows(plan(planner(change, 0, 1), merged))).isEqualTo(left);
  }

  @Test
  void stateOfAnotherSeedIsRefused() {
    SavedState state = after(plan(planner(o -> o.shuffle(true).seed(1), 0, 1), null), 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(planner(o -> o.shuffle(true).seed(2), 0, 1), state))
        .withMessage(
            "Cannot resume: the seed is '2' here but '1' in the state. Resume with the dataset and"
                + " the options of the stopped run.");
  }

  @Test
  void stateBehindTheEndIsRefusedInAnyWorld() {
    EpochPlan plan = plan(planner(o -> o, 1, 2), null);
    SavedState end = plan.state(new Position(12, 0), 12, 3); // as rank 0 has, of 12 rows
    SavedState behind = plan.state(new Position(13, 0), 13, 4);
    for (int world = 1; world <= 3; world++) {
      EpochPlanner planner = planner(o -> o, 0, world);
      assertThat(rows(plan(planner, end))).isEmpty();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> plan(planner, behind))
          .withMessage(
              "Cannot resume: the state is behind row 13 of a rank that has 12. Give what"
                  + " LoaderState.toJson() wrote.");
    }
  }

  @Test
  void stateWithinTheRowsOfATransformTakesATransform() {
    EpochPlanner transformed = planner(o -> o.transform(SAME, 2), 0, 1);
    SavedState state = plan(transformed, null).state(new Position(4, 1), 5, 1);
    EpochPlan rest = plan(transformed, state);
    assertThat(rest.runs().getFirst().behind()).isEqualTo(1);
    assertThat(rows(rest)).isEqualTo(numbers(4, ROWS));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(planner(o -> o, 0, 1), state))
        .withMessageStartingWith(
            "Cannot resume: the state is behind 1 of the rows that a transform made of row 4 and"
                + " its neighbours, but here is no transform.");
  }

  @Test
  void stateThatCountsMatchesIsRefusedByATransform() {
    dataset = dataset.where("part = 0");
    SavedState state = after(plan(planner(o -> o, 0, 2), null), 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(planner(o -> o.transform(SAME), 0, 2), state))
        .withMessageStartingWith(
            "Cannot resume: the state counts rows that match the filter, but here a transform may");
  }

  /// The files have 5, 7 and 11 rows: one worker has the largest, the other the rest.
  @ParameterizedTest
  @CsvSource({"false, 6", "true, 5"})
  void workersOnTheirOwnHaveWholeSplits(boolean dropLast, long batches) {
    EpochPlanner planner = planner(o -> o.splitPerWorker(true).dropLast(dropLast), 0, 1);
    EpochPlan plan = plan(planner, null);
    assertThat(plan.workers().stream().map(EpochPlannerTest::rows))
        .containsExactly(numbers(12, ROWS), numbers(0, 12));
    assertThat(batches(planner)).isEqualTo(batches);
    assertThat(plan.end()).isEqualTo(EpochEnd.of(1));
  }

  @Test
  void workersOnTheirOwnAreRefusedWhereTheirBatchesAreNotKnown() {
    SavedState state = after(plan(planner(o -> o, 0, 1), null), 2);
    assertApartIsRefused(o -> o, 1, 2, null, "ranks would have different numbers of batches, and");
    assertApartIsRefused(o -> o.transform(SAME), 0, 1, null, "how many rows each has shows only");
    assertApartIsRefused(o -> o, 0, 1, state, "the state to resume is that of a sequence, after");
    dataset = dataset.where("part = 0");
    assertApartIsRefused(o -> o, 0, 1, null, "how many rows each has shows only when the filter");
  }

  private void assertApartIsRefused(
      UnaryOperator<LoaderOptions> change,
      int rank,
      int world,
      @Nullable SavedState state,
      String reason) {
    EpochPlanner planner = planner(o -> change.apply(o).splitPerWorker(true), rank, world);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(planner, state))
        .withMessageStartingWith("Cannot let each worker make batches of its own Split: " + reason);
  }

  @Test
  void matchesAreCountedOnlyWhereTheyDecideTheNumberOfBatches() {
    assertThat(planner(o -> o, 0, 2).counts(null)).as("without a filter").isEmpty();
    SavedState uncounted = planner(o -> o, 0, 2).beginning(0);
    dataset = dataset.where("part = 0");
    EpochPlanner counted = planner(o -> o, 0, 2);
    assertThat(counted.counts(null)).hasSize(1);
    SavedState byMatches = counted.beginning(0);
    assertThat(byMatches.countsMatches()).isTrue();
    assertThat(counted.counts(uncounted)).hasSize(1);
    for (EpochPlanner other :
        List.of(
            planner(o -> o, 0, 1),
            planner(o -> o.countMatches(false), 0, 2),
            planner(o -> o.stepsPerEpoch(1), 0, 2),
            planner(o -> o.transform(SAME), 0, 2),
            planner(o -> o.splitPerWorker(true), 0, 2))) {
      assertThat(other.beginning(0).countsMatches()).isFalse();
      assertThat(other.counts(null)).isEmpty();
      assertThat(other.counts(uncounted)).isEmpty();
      assertThat(other.counts(byMatches)).hasSize(1);
    }
  }
}
