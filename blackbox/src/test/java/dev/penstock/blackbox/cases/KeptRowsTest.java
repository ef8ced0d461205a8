package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.contract.GlobalShuffles;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.NextIds;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// A transform that keeps rows moves none: order, ranks, states and numbers of batches are those
/// without it.
class KeptRowsTest extends CacheFolders {
  private record Case(StructuredDataset dataset, LoaderOptions options) {}

  private Case random(Random random) throws IOException {
    StructuredDataset dataset = counting("files", random);
    LoaderOptions options =
        LoaderOptions.defaults()
            .rank(new Rank(0, 1 + random.nextInt(3)))
            .rankEnd(List.of(RankEnd.values()).get(random.nextInt(3)))
            .dropLast(random.nextBoolean())
            .batchSize(1 + random.nextInt(40))
            .seed(random.nextLong())
            .workers(random.nextInt(4));
    boolean isMixed = random.nextInt(3) == 0;
    if (random.nextBoolean()) {
      dataset = dataset.where("id < 40 or id >= 90 and id <> 95");
    }
    if (isMixed) {
      Mixture mixture = Mixture.of(dataset, 0.3).and(counting("others", random), 0.7);
      dataset = new StructuredDataset(mixture.stop(Mixture.Stop.ALL));
    }
    options =
        switch (random.nextInt(5)) {
          case 0 -> options;
          case 1 -> options.shuffle(Shuffle.splits());
          case 2 -> options.shuffle(Shuffle.window(1 + random.nextInt(200)));
          case 3 -> options.shuffle(isMixed ? Shuffle.global() : GlobalShuffles.any(random));
          default -> options.countMatches(false);
        };
    return new Case(dataset, options);
  }

  private StructuredDataset counting(String name, Random random) throws IOException {
    int[][] files = new int[1 + random.nextInt(3)][];
    for (int file = 0; file < files.length; file++) {
      files[file] = random.ints(1 + random.nextInt(3), 1, 200).toArray();
    }
    return cached(new Folder(folder.resolve(name)).counting(files).dataset());
  }

  private static List<List<Long>> batches(DataLoader loader, long most) {
    List<List<Long>> all = new ArrayList<>();
    EpochIterator<Batch> batches = loader.iterator();
    while (all.size() < most && batches.hasNext()) {
      try (Batch batch = batches.next()) {
        if (loader.options().transformation().function().isPresent()) {
          NextIds.requireNext(batch);
        }
        all.add(
            IntStream.range(0, batch.rowCount()).mapToObj(batch.tensor("id")::getLong).toList());
      }
    }
    return all;
  }

  @Seeded(runs = 150)
  void batchesAndStatesAreThoseWithoutIt(Random random) throws IOException {
    Case each = random(random);
    LoaderOptions kept = each.options().transform(new NextIds(), 1 + random.nextInt(100));
    long stop = random.nextInt(6);
    try (DataLoader plain = DataLoader.of(each.dataset(), each.options());
        DataLoader loader = DataLoader.of(each.dataset(), kept.workers(random.nextInt(4)))) {
      loader.setEpoch(2);
      plain.setEpoch(2);
      assertThat(batches(loader, stop)).isEqualTo(batches(plain, stop));
      LoaderState state = LoaderState.parse(loader.state().toJson());
      if (!loader
          .isFiltered()) { // where one is, the place may be before or behind what is left out
        assertThat(state).isEqualTo(plain.state());
      }
      loader.resume(state);
      plain.resume(state);
      assertThat(batches(loader, Long.MAX_VALUE)).isEqualTo(batches(plain, Long.MAX_VALUE));
      assertThat(loader.state()).isEqualTo(plain.state());
      assertThat(loader.rowsPerEpoch()).isEqualTo(plain.rowsPerEpoch());
      assertThat(loader.plan(3).sequence()).isEqualTo(plain.plan(3).sequence());
      assertThat(loader.stats().read().skipped()).isEqualTo(plain.stats().read().skipped());
      assertThat(loader.stats().rowsOfSources()).isEqualTo(plain.stats().rowsOfSources());
      if (!loader.isFiltered()) {
        assertThat(loader.batchesPerEpoch()).isEqualTo(plain.batchesPerEpoch());
      }
    }
  }

  /// Also where rows of a window go to their places in a matrix at once.
  @Seeded(runs = 40)
  void matrixHasWhatItMakes(Random random) throws IOException {
    Case each = random(random);
    LoaderOptions kept = each.options().transform(new NextIds(), 1 + random.nextInt(100));
    try (DataLoader plain = DataLoader.of(each.dataset(), each.options());
        DataLoader loader = DataLoader.of(each.dataset(), kept.features("x", "id", "next"))) {
      EpochIterator<Batch> batches = loader.iterator();
      for (List<Long> ids : batches(plain, Long.MAX_VALUE)) {
        try (Batch batch = batches.next()) {
          for (int row = 0; row < ids.size(); row++) {
            assertThat(batch.tensor("x").getFloat(row, 0)).isEqualTo(ids.get(row).floatValue());
            assertThat(batch.tensor("x").getFloat(row, 1)).isEqualTo(ids.get(row) + 1f);
          }
        }
      }
      assertThat(batches.hasNext()).isFalse();
    }
  }

  /// A column that it replaces is replaced once, whether rows are put on piles or not.
  @Test
  void columnIsReplacedOnceInEveryShuffle() throws IOException {
    StructuredDataset dataset = cached(new Folder(files).counting(new int[] {300, 200}).dataset());
    Transform later =
        new Promising(
            (block, _) ->
                block.with("id", LongStream.of(block.longs("id")).map(id -> id + 1000).toArray()),
            true);
    for (Shuffle.Passes passes : Shuffle.Passes.values()) {
      LoaderOptions options =
          LoaderOptions.defaults()
              .rank(Rank.SINGLE)
              .shuffle(Shuffle.global().passes(passes))
              .transform(later);
      List<Long> ids = new ArrayList<>();
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        for (Batch batch : loader) {
          try (batch) {
            IntStream.range(0, batch.rowCount())
                .mapToObj(batch.tensor("id")::getLong)
                .forEach(ids::add);
          }
        }
      }
      assertThat(ids)
          .containsExactlyInAnyOrderElementsOf(LongStream.range(1000, 1500).boxed().toList());
    }
  }

  @Test
  void rankBehindAFilterHasAsManyBatchesAsOthers() throws IOException {
    StructuredDataset dataset =
        new Folder(files).counting(new int[] {300, 200}).dataset().where("id <> 7 and id <> 450");
    for (int rank = 0; rank < 3; rank++) {
      LoaderOptions options =
          LoaderOptions.defaults().rank(new Rank(rank, 3)).batchSize(10).transform(new NextIds());
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        assertThat(loader.batchesPerEpoch()).isEqualTo(17);
        assertThat(batches(loader, Long.MAX_VALUE)).hasSize(17);
      }
    }
  }

  // --- What does not keep rows

  /// A transform of which only the promise is that it keeps rows.
  private record Promising(Transform function, boolean keepsRows) implements Transform {
    @Override
    public ColumnBlock apply(ColumnBlock block, TransformContext context) throws Exception {
      return function.apply(block, context);
    }
  }

  private static Transform without(long id) {
    return new Promising(
        (block, _) -> {
          long[] ids = block.longs("id");
          return block.take(IntStream.range(0, ids.length).filter(i -> ids[i] != id).toArray());
        },
        true);
  }

  @Test
  void brokenPromiseNamesTheRowsAfterThoseBeforeThem() throws IOException {
    StructuredDataset dataset = new Folder(files).counting(new int[] {300, 200}).dataset();
    for (int workers : new int[] {0, 2}) {
      LoaderOptions options =
          LoaderOptions.defaults().batchSize(10).workers(workers).transform(without(434));
      try (DataLoader loader = DataLoader.of(dataset, options.rank(Rank.SINGLE))) {
        EpochIterator<Batch> batches = loader.iterator();
        for (int batch = 0; batch < 43; batch++) {
          batches.next().close();
        }
        assertThatThrownBy(batches::next)
            .hasMessage(
                "Cannot transform rows [434, 435) of "
                    + dataset.files().getFirst().location()
                    + ": java.lang.IllegalStateException: it gave 0 rows but expected 1, as it was"
                    + " given: its keepsRows() is true");
      }
    }
  }

  /// Such as one that looks for what comes twice in a block.
  @Test
  void promiseThatIsBrokenOnlyForSeveralRowsIsAnErrorToo() throws IOException {
    StructuredDataset dataset = new Folder(files).counting(new int[] {300}).dataset();
    Transform first =
        new Promising(
            (block, _) -> block.take(IntStream.range(0, Math.min(1, block.rowCount())).toArray()),
            true);
    try (DataLoader loader = DataLoader.of(dataset, o -> o.transform(first).rank(Rank.SINGLE))) {
      assertThatThrownBy(() -> batches(loader, Long.MAX_VALUE))
          .hasMessageContaining("Cannot transform rows [0, 300) of ")
          .hasMessageContaining("it gave 1 rows but expected 300");
    }
  }

  @Test
  void mixtureRefusesOneThatMayDropRows() throws IOException {
    StructuredDataset dataset = new Folder(files).counting(new int[] {300}).dataset();
    StructuredDataset mixed = new StructuredDataset(Mixture.of(dataset, 1));
    Transform next = new NextIds();
    for (LoaderOptions options :
        List.of(
            LoaderOptions.defaults().transform((block, _) -> block),
            LoaderOptions.defaults().transformRowGroups(next),
            LoaderOptions.defaults().transform(next.andThen((block, _) -> block)))) {
      try (DataLoader loader = DataLoader.of(mixed, options)) {
        assertThatThrownBy(loader::batchesPerEpoch)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "Cannot transform the rows of a mixture: the transform may change their number,"
                    + " and with it the shares. Give one whose keepsRows() is true, or mix without"
                    + " a transform.");
      }
    }
  }

  @Test
  void twoThatKeepRowsKeepThemTogether() throws IOException {
    Transform next = new NextIds();
    Transform later =
        new Promising((block, _) -> block.with("later", block.longs("next")).without("next"), true);
    assertThat(next.andThen(later).keepsRows()).isTrue();
    assertThat(next.andThen((block, _) -> block).keepsRows()).isFalse();
    StructuredDataset dataset = new Folder(files).counting(new int[] {300}).dataset();
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.transform(next.andThen(later)).rank(Rank.SINGLE))) {
      assertThat(loader.batchesPerEpoch()).isOne();
      try (Batch batch = loader.iterator().next()) {
        assertThat(batch.tensor("later").getLong(299)).isEqualTo(300);
      }
    }
  }

  /// A run that goes on makes no row again.
  @Test
  void resumedRunTransformsWhatIsLeft() throws IOException {
    StructuredDataset dataset = new Folder(files).counting(new int[] {3000}).dataset();
    AtomicInteger made = new AtomicInteger();
    Transform counting =
        new Promising(
            (block, context) -> {
              made.addAndGet(block.rowCount());
              return new NextIds().apply(block, context);
            },
            true);
    LoaderOptions options =
        LoaderOptions.defaults().rank(Rank.SINGLE).workers(0).batchSize(10).transform(counting);
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThat(batches(loader, 295)).hasSize(295);
      state = loader.state();
    }
    made.set(0);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.resume(state);
      assertThat(batches(loader, Long.MAX_VALUE)).hasSize(5);
      assertThat(made).hasValue(50);
    }
  }
}
