package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.iceberg.DrillRank.Left;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// The elasticity drill: 8 ranks, then 3, then 16, all of them killed at random but for the last.
/// What they trained on, up to the checkpoints that the next ones went on from, is the epoch: each
/// row once.
@Tag("outer")
class ElasticityTest {
  private static final int[] WORLDS = {8, 3, 16};

  @TempDir private Path folder;

  /// Which rows an epoch has, and who says where the ranks stopped.
  private enum Kind {
    /// Three datasets; the state of one rank says it for all.
    MIXTURE,

    /// The Iceberg table alone; likewise.
    TABLE,

    /// The Iceberg table; nobody counts which rows match, so the states of all ranks are merged.
    UNCOUNTED
  }

  /// A drill.
  ///
  /// @param options what all ranks have in common
  /// @param ids the rows of an epoch
  private record Drill(Kind kind, StructuredDataset dataset, LoaderOptions options, Set<Long> ids) {
    /// Returns whether ranks together have the order of one.
    boolean isOneOrder() {
      return kind != Kind.UNCOUNTED && !(options.order().shuffle() instanceof Shuffle.Window);
    }
  }

  /// Where the ranks of a world go on.
  ///
  /// @param states those of all ranks of the one before; none at the start
  private record Checkpoint(List<LoaderState> states) {
    static final Checkpoint NONE = new Checkpoint(List.of());

    long epoch() {
      return states.isEmpty() ? 0 : states.getFirst().epoch();
    }

    /// Chooses what the ranks resume with.
    @Nullable LoaderState state(Drill drill, Random random) {
      if (states.isEmpty()) {
        return null;
      }
      return drill.kind() == Kind.UNCOUNTED || random.nextBoolean()
          ? LoaderState.merge(states)
          : states.get(random.nextInt(states.size()));
    }
  }

  private Drill drill(Random random) throws IOException {
    DrillTables tables = new DrillTables(folder, 2 + random.nextInt(2));
    Set<Long> ids = tables.write(random);
    Kind kind =
        List.of(Kind.MIXTURE, Kind.MIXTURE, Kind.TABLE, Kind.UNCOUNTED).get(random.nextInt(4));
    List<Shuffle> shuffles =
        List.of(
            Shuffle.global(),
            Shuffle.global(),
            Shuffle.window(1 + random.nextInt(200)),
            random.nextBoolean() ? Shuffle.none() : Shuffle.splits());
    // In a global order rows are always counted.
    int first = kind == Kind.UNCOUNTED ? 2 : 0;
    Shuffle shuffle = shuffles.get(first + random.nextInt(shuffles.size() - first));
    LoaderOptions options =
        LoaderOptions.defaults()
            .shuffle(shuffle)
            .seed(random.nextLong())
            .countMatches(kind != Kind.UNCOUNTED);
    return kind == Kind.MIXTURE
        ? new Drill(kind, tables.mixture(), options, ids)
        : new Drill(kind, tables.table(), options, DrillTables.ofTable(ids));
  }

  @Seeded(runs = 18)
  void ranksOfThreeWorldsTogetherTrainOnEachRowOnce(Random random) throws Exception {
    Drill drill = drill(random);
    Training training = new Training(drill, random);
    for (int world : WORLDS) {
      training.run(world, world == WORLDS[WORLDS.length - 1]);
    }
    for (long epoch : training.trained.keySet()) {
      List<Long> ids = training.trained(epoch);
      assertThat(ids).as("epoch %s of %s", epoch, drill).hasSameSizeAs(drill.ids());
      assertThat(Set.copyOf(ids)).isEqualTo(drill.ids());
    }
  }

  /// A training whose ranks are killed and go on.
  private static final class Training {
    private final Drill drill;
    private final Random random;
    private final Map<Long, List<Long>> trained = new TreeMap<>(); // by epoch
    private List<Long> left = List.of(); // in order, where ranks together have one
    private long planned = -1; // the epoch that they are of
    private Checkpoint from = Checkpoint.NONE;

    private Training(Drill drill, Random random) {
      this.drill = drill;
      this.random = random;
    }

    List<Long> trained(long epoch) {
      return trained.computeIfAbsent(epoch, _ -> new ArrayList<>());
    }

    /// Trains with some ranks, until they are killed or the epoch ends.
    void run(int world, boolean isLast) throws Exception {
      long epoch = from.epoch();
      if (epoch != planned) {
        left = drill.isOneOrder() ? alone(drill, epoch) : List.of();
        planned = epoch;
      }
      LoaderOptions options = drill.options().batchSize(1 + random.nextInt(16));
      int size = options.batching().size();
      int every = 1 + random.nextInt(3);
      int[] steps = isLast ? forever(world) : steps(world, size);
      List<Left> ranks =
          ElasticityTest.run(drill, options, from.state(drill, random), every, steps, random);
      int saved = saved(ranks);
      count(ranks, isLast ? Integer.MAX_VALUE : Math.max(0, saved), size);
      if (saved >= 0) { // else the next ones go on where these did
        from = checkpoint(ranks, saved);
      }
    }

    private static int[] forever(int world) {
      int[] steps = new int[world];
      Arrays.fill(steps, Integer.MAX_VALUE);
      return steps;
    }

    /// Returns how many steps each rank takes until it is killed: some one more than others.
    private int[] steps(int world, int batchSize) {
      int rows = drill.ids().size() - trained(from.epoch()).size();
      int stop = random.nextInt(Math.ceilDiv(rows, world * batchSize) + 2);
      return IntStream.range(0, world).map(_ -> stop + random.nextInt(2)).toArray();
    }

    /// Counts the rows before a checkpoint, and compares them with those of one rank.
    private void count(List<Left> ranks, int steps, int batchSize) {
      List<Long> rest = new ArrayList<>();
      for (int rank = 0; rank < ranks.size(); rank++) {
        List<Long> own = upTo(ranks.get(rank), steps);
        trained(planned).addAll(own);
        if (drill.isOneOrder()) {
          List<Long> share = share(left, ranks.size(), rank);
          int end = (int) Math.min(share.size(), (long) steps * batchSize);
          assertThat(own)
              .as("epoch %s, rank %s of %s, %s steps", planned, rank, ranks.size(), steps)
              .isEqualTo(share.subList(0, end));
          rest.addAll(share.subList(end, share.size()));
        }
      }
      left = rest;
    }
  }

  /// Returns the rows of an epoch as one rank has them, that nobody kills.
  private static List<Long> alone(Drill drill, long epoch) {
    LoaderOptions options = drill.options().rank(Rank.SINGLE).batchSize(100);
    LoaderState start = null;
    if (epoch > 0) {
      try (DataLoader loader = DataLoader.of(drill.dataset(), options)) {
        loader.setEpoch(epoch);
        start = loader.state();
      }
    }
    Left whole = DrillRank.train(drill.dataset(), options, start, 1, Integer.MAX_VALUE);
    return upTo(whole, Integer.MAX_VALUE);
  }

  /// Returns the part of a rank: each has neighbouring rows, the first ones one more.
  private static List<Long> share(List<Long> rows, int world, int rank) {
    int more = rows.size() % world;
    int start = rows.size() / world * rank + Math.min(more, rank);
    return rows.subList(start, start + rows.size() / world + (rank < more ? 1 : 0));
  }

  private static List<Left> run(
      Drill drill,
      LoaderOptions options,
      @Nullable LoaderState from,
      int every,
      int[] steps,
      Random random)
      throws Exception {
    List<Future<Left>> ranks = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(steps.length)) {
      for (int i = 0; i < steps.length; i++) {
        LoaderOptions own = options.rank(new Rank(i, steps.length)).workers(random.nextInt(3));
        int most = steps[i];
        ranks.add(threads.submit(() -> DrillRank.train(drill.dataset(), own, from, every, most)));
      }
    }
    List<Left> left = new ArrayList<>();
    for (Future<Left> rank : ranks) {
      left.add(rank.get());
    }
    return left;
  }

  /// Returns the last step after which all ranks saved, in the same epoch.
  ///
  /// @return the step; -1 if there is none, because a rank began with nothing left to do
  private static int saved(List<Left> ranks) {
    int step = ranks.stream().mapToInt(rank -> rank.steps().size()).min().orElseThrow();
    while (step >= 0 && !isWhole(ranks, step)) {
      step--;
    }
    return step;
  }

  private static boolean isWhole(List<Left> ranks, int step) {
    return ranks.stream().map(rank -> rank.savedAfter(step)).noneMatch(Objects::isNull)
        && checkpoint(ranks, step).states().stream().map(LoaderState::epoch).distinct().count()
            == 1;
  }

  private static Checkpoint checkpoint(List<Left> ranks, int step) {
    return new Checkpoint(
        ranks.stream()
            .map(rank -> LoaderState.parse(Objects.requireNonNull(rank.savedAfter(step))))
            .toList());
  }

  private static List<Long> upTo(Left rank, int step) {
    return rank.steps().stream().limit(step).flatMap(Collection::stream).toList();
  }
}
