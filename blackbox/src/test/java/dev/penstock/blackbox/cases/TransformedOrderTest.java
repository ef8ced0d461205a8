package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.ColumnBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a transform makes of each row comes once, however rows are shuffled, and wherever a run is
/// stopped and goes on, with other workers and other ranks.
class TransformedOrderTest {
  private static final int BATCH_ROWS = 7;

  @TempDir Path folder;

  /// Gives row `id` `id % 3` times.
  private static ColumnBlock copies(ColumnBlock block) {
    List<Integer> rows = new ArrayList<>();
    long[] ids = block.longs("id");
    for (int row = 0; row < ids.length; row++) {
      rows.addAll(Collections.nCopies((int) (ids[row] % 3), row));
    }
    return block.take(rows.stream().mapToInt(Integer::intValue).toArray());
  }

  /// Files of which a filter keeps some row groups, and the rows that it keeps.
  private record Kept(StructuredDataset dataset, Set<Long> ids) {
    /// Keeps the inner rows of some row groups.
    ///
    /// @param kept by row group, whether the filter keeps it
    private static Kept of(String location, int[][] files, IntPredicate kept) {
      List<String> terms = new ArrayList<>();
      Set<Long> ids = new TreeSet<>();
      long start = 0;
      int group = 0;
      for (int rows : Arrays.stream(files).flatMapToInt(Arrays::stream).toArray()) {
        if (kept.test(group++)) {
          long last = Math.max(start, start + rows - 2);
          terms.add("id between " + start + " and " + last);
          LongStream.rangeClosed(start, last).forEach(ids::add);
        }
        start += rows;
      }
      String filter = terms.isEmpty() ? "id < 0" : String.join(" or ", terms);
      return new Kept(new StructuredDataset(location).where(filter), ids);
    }
  }

  private Kept dataset(Random random) throws IOException {
    int[][] files = new int[1 + random.nextInt(3)][];
    for (int file = 0; file < files.length; file++) {
      files[file] = new int[1 + random.nextInt(2)];
      for (int group = 0; group < files[file].length; group++) {
        files[file][group] = 1 + random.nextInt(120);
      }
    }
    int some = random.nextInt();
    int kept = some | random.nextInt();
    return Kept.of(write(files, random), files, group -> (kept & 1 << group) != 0);
  }

  private String write(int[][] files, Random random) throws IOException {
    return ParquetFiles.prunable()
        .write(folder.resolve("t" + random.nextLong()), Tables.counting(files), random)
        .toString();
  }

  private static LoaderOptions options(Random random) {
    Shuffle[] shuffles = {
      Shuffle.none(), Shuffle.splits(), Shuffle.window(1 + random.nextInt(90)).interleave(2)
    };
    return LoaderOptions.defaults()
        .batchSize(BATCH_ROWS)
        .nulls(NullPolicy.mask())
        .seed(random.nextLong())
        .shuffle(shuffles[random.nextInt(shuffles.length)])
        .transform((block, _) -> copies(block), 1 + random.nextInt(80));
  }

  /// Reads batches, and returns whether there were as many as wanted.
  private static boolean read(DataLoader loader, int most, List<Long> ids) {
    try (EpochIterator<Batch> batches = loader.iterator()) {
      for (int batch = 0; batch < most; batch++) {
        if (!batches.hasNext()) {
          return false;
        }
        try (Batch next = batches.next()) {
          for (int row = 0; row < next.rowCount(); row++) {
            ids.add(next.tensor("id").getLong(row));
          }
        }
      }
      return batches.hasNext();
    }
  }

  private static DataLoader open(
      StructuredDataset dataset, LoaderOptions options, Rank rank, LoaderState state) {
    DataLoader loader = DataLoader.of(dataset, options.rank(rank));
    if (state != null) {
      loader.resume(state);
    }
    return loader;
  }

  @Seeded(runs = 60)
  void copiesOfARowComeAsOftenAsTheyAreMade(Random random) throws IOException {
    Kept kept = dataset(random);
    StructuredDataset dataset = kept.dataset();
    LoaderOptions options = options(random);
    List<Long> seen = new ArrayList<>();
    LoaderState state = null;
    boolean isOver = false;
    for (int stage = 0; !isOver; stage++) {
      int world = 1 + random.nextInt(4);
      int most = 1 + random.nextInt(4);
      List<Long> ids = new ArrayList<>();
      List<LoaderState> states = new ArrayList<>();
      boolean haveMore = stage < 4;
      for (int rank = 0; rank < world && haveMore; rank++) {
        try (DataLoader loader =
            open(dataset, options.workers(random.nextInt(4)), new Rank(rank, world), state)) {
          haveMore = read(loader, most, ids);
          states.add(loader.state());
        }
      }
      if (haveMore) {
        seen.addAll(ids);
        state = LoaderState.merge(states);
        continue;
      }
      for (int rank = 0; rank < world; rank++) { // one is at its end: then all go there
        try (DataLoader loader =
            open(dataset, options.workers(random.nextInt(4)), new Rank(rank, world), state)) {
          read(loader, Integer.MAX_VALUE, seen);
        }
      }
      isOver = true;
    }
    List<Long> expected =
        kept.ids().stream()
            .flatMap(id -> Collections.nCopies((int) (id % 3), id).stream())
            .toList();
    assertThat(seen.stream().sorted()).as("%s", options.order().shuffle()).isEqualTo(expected);
  }

  @Seeded(runs = 40)
  void theOrderIsThatOfOneRunWhereverItStops(Random random) throws IOException {
    StructuredDataset dataset = dataset(random).dataset();
    LoaderOptions options = options(random);
    List<Long> whole = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(dataset, options.workers(0))) {
      read(loader, Integer.MAX_VALUE, whole);
    }
    assertThat(
            inParts(dataset, () -> options.workers(random.nextInt(4)), () -> 1 + random.nextInt(3)))
        .isEqualTo(whole);
  }

  /// Reads an epoch with a new loader after each stop.
  private static List<Long> inParts(
      StructuredDataset dataset, Supplier<LoaderOptions> options, IntSupplier batches) {
    List<Long> parts = new ArrayList<>();
    LoaderState state = null;
    boolean hasMore = true;
    while (hasMore) {
      try (DataLoader loader = open(dataset, options.get(), new Rank(0, 1), state)) {
        hasMore = read(loader, batches.getAsInt(), parts);
        state = loader.state();
      }
    }
    return parts;
  }

  /// Whichever row groups, and with them whole splits, the filter rules out by their statistics.
  @Test
  void theOrderIsThatOfOneRunWhateverIsRuledOut() throws IOException {
    int[][] files = {{9, 8}, {7}};
    String location = write(files, new Random(6));
    for (int mask = 0; mask < 8; mask++) {
      int left = mask;
      Kept kept = Kept.of(location, files, group -> (left & 1 << group) != 0);
      for (Shuffle shuffle :
          List.of(Shuffle.none(), Shuffle.splits(), Shuffle.window(12).interleave(2))) {
        for (SplitStrategy strategy :
            List.of(TargetSizeSplitStrategy.ofDefault(), TargetSizeSplitStrategy.ofRows(8))) {
          StructuredDataset dataset = kept.dataset().splitStrategy(strategy);
          LoaderOptions plain =
              LoaderOptions.defaults().batchSize(5).workers(0).seed(mask).shuffle(shuffle);
          for (LoaderOptions options : List.of(plain, plain.transform((block, _) -> block, 6))) {
            List<Long> whole = new ArrayList<>();
            try (DataLoader loader = DataLoader.of(dataset, options)) {
              read(loader, Integer.MAX_VALUE, whole);
            }
            assertThat(whole).containsExactlyInAnyOrderElementsOf(kept.ids());
            assertThat(inParts(dataset, () -> options, () -> 1))
                .as("kept %s of %s, %s", Integer.toBinaryString(mask), strategy, shuffle)
                .isEqualTo(whole);
          }
        }
      }
    }
  }
}
