package dev.penstock.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderOptions;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.ColumnBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
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

  private StructuredDataset dataset(Random random, int[] rows) throws IOException {
    int[][] files = new int[1 + random.nextInt(3)][];
    for (int file = 0; file < files.length; file++) {
      files[file] = new int[1 + random.nextInt(2)];
      for (int group = 0; group < files[file].length; group++) {
        files[file][group] = 1 + random.nextInt(120);
        rows[0] += files[file][group];
      }
    }
    Table table = Table.counting(files);
    return new StructuredDataset(
        new ParquetFiles()
            .write(folder.resolve("t" + random.nextLong()), table, random)
            .toString());
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
    DataLoader loader = new DataLoader(dataset, options.rank(rank));
    if (state != null) {
      loader.resume(state);
    }
    return loader;
  }

  @Seeded(runs = 60)
  void copiesOfARowComeAsOftenAsTheyAreMade(Random random) throws IOException {
    int[] rows = {0};
    StructuredDataset dataset = dataset(random, rows);
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
        LongStream.range(0, rows[0])
            .boxed()
            .flatMap(id -> Collections.nCopies((int) (id % 3), id).stream())
            .toList();
    assertThat(seen.stream().sorted()).as("%s", options.order().shuffle()).isEqualTo(expected);
  }

  @Seeded(runs = 40)
  void theOrderIsThatOfOneRunWhereverItStops(Random random) throws IOException {
    StructuredDataset dataset = dataset(random, new int[1]);
    LoaderOptions options = options(random);
    List<Long> whole = new ArrayList<>();
    try (DataLoader loader = new DataLoader(dataset, options.workers(0))) {
      read(loader, Integer.MAX_VALUE, whole);
    }
    List<Long> parts = new ArrayList<>();
    LoaderState state = null;
    boolean hasMore = true;
    while (hasMore) {
      try (DataLoader loader =
          open(dataset, options.workers(random.nextInt(4)), new Rank(0, 1), state)) {
        hasMore = read(loader, 1 + random.nextInt(3), parts);
        state = loader.state();
      }
    }
    assertThat(parts).isEqualTo(whole);
  }
}
