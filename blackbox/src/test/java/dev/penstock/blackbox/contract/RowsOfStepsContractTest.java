package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.Mixture;
import dev.penstock.RowsOfSteps;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.DeletedRowsFiles;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What every format promises of the rows of steps: they are those that loaders deliver, in every
/// order, world and resume.
class RowsOfStepsContractTest extends FileContract {
  private static final Steps ALL = new Steps(0, Long.MAX_VALUE);

  static List<ContractFiles> files() {
    return Stream.concat(ContractFiles.ofOrder().stream(), Stream.of(ContractFiles.deletedRows()))
        .collect(Collectors.toMap(ContractFiles::toString, each -> each, (_, last) -> last))
        .values()
        .stream()
        .toList();
  }

  /// A row that was delivered.
  private record Row(long step, int rank, int place, int source, long id) {}

  /// Where a row of a source is stored.
  private record Place(String file, long row) {}

  private record Case(StructuredDataset dataset, LoaderOptions options, List<List<Place>> stored) {
    /// Returns what a loader should have delivered where steps have these rows.
    List<Row> delivered(Stream<StepRow> rows) {
      return rows.map(
              row -> {
                int source = (int) row.source().orElse(0);
                String name = row.file().name();
                Place place = new Place(name.substring(0, name.indexOf('.')), row.row());
                assertThat(row.endRow()).isEqualTo(row.row() + 1);
                assertThat(row.part()).isEmpty();
                int id = stored.get(source).indexOf(place);
                return new Row(row.step(), row.rank(), row.place(), source, id);
              })
          .toList();
    }
  }

  private Case random(Random random) throws IOException {
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(1 + random.nextInt(20)).seed(random.nextLong());
    int sources = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0;
    List<List<Place>> stored = new ArrayList<>();
    Mixture mixture = null;
    StructuredDataset alone = dataset(random, stored);
    for (int source = 0; source < sources; source++) {
      StructuredDataset next = source == 0 ? alone : dataset(random, stored);
      double weight = 1 + random.nextInt(3);
      mixture = mixture == null ? Mixture.of(next, weight) : mixture.and(next, weight);
    }
    StructuredDataset dataset = alone;
    if (mixture != null) {
      Mixture.Stop stop = List.of(Mixture.Stop.values()).get(random.nextInt(3));
      dataset = new StructuredDataset(mixture.stop(stop).sourceColumn("source"));
    }
    return new Case(dataset, options.shuffle(shuffle(random, mixture != null)), stored);
  }

  private StructuredDataset dataset(Random random, List<List<Place>> stored) throws IOException {
    int[][] files = new int[1 + random.nextInt(3)][];
    for (int file = 0; file < files.length; file++) {
      files[file] = random.ints(1 + random.nextInt(4), 0, 60).toArray();
    }
    files[0][0] = 20 + random.nextInt(40); // no source is empty
    Table table = CountedRanksContractTest.table(files);
    StructuredDataset dataset =
        writer().dataset(folder.resolve("source-" + stored.size()), table, random);
    stored.add(places(table));
    if (random.nextInt(3) == 0) {
      int below = 1 + random.nextInt(5);
      dataset = dataset.where("id = 0 or pick < " + below);
    }
    return random.nextBoolean() ? dataset.splitRows(1 + random.nextInt(40)) : dataset;
  }

  /// Returns where each row is stored, in the order of the ids.
  private List<Place> places(Table table) {
    List<Place> places = new ArrayList<>();
    for (Table.DataFile file : table.files()) {
      long row = 0;
      for (List<List<Object>> group : file.groups()) {
        for (int live = 0; live < group.size(); live++) {
          while (writer().hidesRows() && DeletedRowsFiles.isDeleted(row)) {
            row++;
          }
          places.add(new Place(file.name(), row++));
        }
      }
    }
    return places;
  }

  private Shuffle shuffle(Random random, boolean isMixed) {
    return switch (random.nextInt(writer().isCached() ? 6 : 4)) {
      case 0 -> Shuffle.none();
      case 1 -> Shuffle.splits();
      case 2, 3 -> Shuffle.window(1 + random.nextInt(50)).interleave(1 + random.nextInt(4));
      default -> isMixed ? Shuffle.global().passes(Shuffle.Passes.ONE) : GlobalShuffles.any(random);
    };
  }

  /// A run in several worlds to the end of its epoch, and what it delivered.
  ///
  /// @param state a state in the last world; null where that was the only one, and had none
  /// @param said what loaders of the last world said when they were there
  private record Run(
      List<Row> delivered, int world, @Nullable LoaderState state, List<List<Row>> said) {}

  /// Returns null where ranks end at different steps, so that they have no state together, or have
  /// too few rows for the steps that are promised.
  private static @Nullable Run run(Case each, Random random) {
    try {
      return runs(each, random);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("as stepsPerEpoch promises");
      return null;
    }
  }

  private static @Nullable Run runs(Case each, Random random) {
    List<Row> delivered = new ArrayList<>();
    List<List<Row>> said = new ArrayList<>();
    LoaderState state = null;
    int stages = 1 + random.nextInt(3);
    for (int stage = 0; stage < stages; stage++) {
      int world = 1 + random.nextInt(4);
      boolean isLast = stage == stages - 1;
      long first = state == null ? 0 : state.batches();
      long stop = first + random.nextInt(4);
      List<LoaderState> states = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        Rank one = new Rank(rank, world);
        try (DataLoader loader =
            DataLoader.of(each.dataset(), each.options().rank(one).workers(Workers.any(random)))) {
          if (state != null) {
            loader.resume(state);
          }
          EpochIterator<Batch> epoch = loader.iterator();
          for (long step = first; (isLast || step < stop) && epoch.hasNext(); step++) {
            if (isLast && step == stop) {
              states.add(loader.state());
              said.addAll(said(each, loader));
            }
            try (Batch batch = epoch.next()) {
              add(batch, step, rank, delivered);
            }
          }
          if (!isLast) {
            states.add(loader.state());
          }
        }
      }
      boolean isCommon =
          states.size() == world
              && states.stream().allMatch(s -> s.epoch() == 0 && s.batches() == stop);
      if (isLast && (isCommon || stage == 0)) {
        delivered.sort(
            Comparator.comparingLong(Row::step)
                .thenComparingInt(Row::rank)
                .thenComparingInt(Row::place));
        return new Run(delivered, world, isCommon ? any(states, random) : null, said);
      }
      if (!isCommon) {
        return null;
      }
      state = LoaderState.merge(states);
    }
    throw new IllegalStateException("No stage");
  }

  private static LoaderState any(List<LoaderState> states, Random random) {
    LoaderState one = states.get(random.nextInt(states.size()));
    return LoaderState.parse((random.nextBoolean() ? one : LoaderState.merge(states)).toJson());
  }

  /// Returns what a loader says of all steps; nothing if it would have to read for it.
  private static List<List<Row>> said(Case each, DataLoader loader) {
    try {
      return List.of(each.delivered(loader.rowsOf(ALL)));
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("RowsOfSteps.pass(true)");
      return List.of();
    }
  }

  private LoaderOptions more(LoaderOptions options, Random random) {
    LoaderOptions changed =
        options
            .rankEnd(List.of(RankEnd.values()).get(random.nextInt(3)))
            .dropLast(random.nextInt(4) == 0);
    return switch (random.nextInt(4)) {
      case 0 -> changed.countMatches(random.nextBoolean());
      case 1 -> changed.batchSize(1 + random.nextInt(5)).dropLast(false).stepsPerEpoch(1);
      default -> changed;
    };
  }

  @Seeded(runs = 500)
  void rowsOfStepsAreThoseThatLoadersDeliver(Random random) throws IOException {
    Case some = random(random);
    Case each = new Case(some.dataset(), more(some.options(), random), some.stored());
    Run run = run(each, random);
    if (run == null) {
      return;
    }
    List<Row> all = run.delivered();
    run.said().forEach(said -> assertThat(said).isEqualTo(all));
    RowsOfSteps asked =
        (run.state() == null
                ? RowsOfSteps.of(each.dataset(), each.options().rank(new Rank(0, run.world())), 0)
                : RowsOfSteps.of(each.dataset(), each.options(), run.state()))
            .pass(true);
    assertThat(each.delivered(asked.rows(ALL))).isEqualTo(all);
    long from = random.nextInt(4);
    Steps steps = new Steps(from, from + random.nextInt(3));
    int rank = random.nextInt(run.world());
    assertThat(each.delivered(asked.rows(steps, rank)))
        .isEqualTo(all.stream().filter(r -> steps.contains(r.step()) && r.rank() == rank).toList());
    long least = random.nextInt(60);
    long end = least + random.nextInt(10);
    assertThat(each.delivered(asked.find(Filter.parse("id >= " + least + " and id < " + end))))
        .isEqualTo(all.stream().filter(r -> r.id() >= least && r.id() < end).toList());
  }

  private static void add(Batch batch, long step, int rank, List<Row> rows) {
    boolean isMixed = batch.names().contains("source");
    for (int row = 0; row < batch.rowCount(); row++) {
      int source = isMixed ? (int) batch.tensor("source").getLong(row) : 0;
      rows.add(new Row(step, rank, row, source, batch.tensor("id").getLong(row)));
    }
  }
}
