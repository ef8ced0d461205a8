package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.cases.CachedEpoch.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.OutputFormat;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How much a cache takes, and what it keeps.
class CacheLimitTest extends CacheFolders {

  private static final long LIMIT = 1 << 20;

  /// Writes a file of at least `bytes` bytes. The cache needs about twice as much for it: for its
  /// decoded columns, and for its text, which is kept because types are guessed from it.
  private StructuredDataset written(String name, int bytes) throws IOException {
    Random random = new Random(name.hashCode());
    StringBuilder text = new StringBuilder("id,text\n");
    for (int id = 0; text.length() < bytes; id++) {
      text.append(id).append(',').append("x".repeat(random.nextInt(400))).append('\n');
    }
    return csv(name + ".csv", text.toString()).formatOption("row-group-rows", "200");
  }

  private StructuredDataset small(StructuredDataset dataset) {
    return dataset.cache(cache.toString(), "1MiB");
  }

  private void requireBounded() {
    assertThat(disk.bytes()).isLessThanOrEqualTo(LIMIT);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void partOfALargerTableStays(int workers) throws IOException {
    StructuredDataset dataset = written("large", 3 << 20);
    List<List<Object>> expected = rows(dataset);
    for (int run = 0; run < 2; run++) {
      try (DataLoader loader =
          DataLoader.of(small(dataset), o -> o.workers(workers).output(OutputFormat.MAP))) {
        for (int epoch = 0; epoch < 3; epoch++) {
          CachedEpoch read = CachedEpoch.of(loader);
          assertThat(read.rows()).isEqualTo(expected);
          requireBounded();
          assertThat(disk.bytes()).isGreaterThan(LIMIT / 4);
          if (run + epoch > 0) {
            assertThat(read.cached()).isPositive();
            assertThat(read.bytes()).isPositive();
          }
        }
      }
    }
    assertThat(disk.parts()).isEmpty();
  }

  @Seeded(runs = 6)
  void severalLoadersStayWithinIt(Random random) throws Exception {
    List<StructuredDataset> datasets = new ArrayList<>();
    List<List<List<Object>>> expected = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      datasets.add(written("file-" + i, 200_000 + random.nextInt(1_000_000)));
      expected.add(rows(datasets.getLast()));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int number = i;
        int workers = random.nextInt(4);
        running.add(
            threads.submit(() -> {
              for (int epoch = 0; epoch < 4; epoch++) {
                CachedEpoch read =
                    CachedEpoch.of(small(datasets.get(number)), o -> o.workers(workers));
                assertThat(read.rows()).isEqualTo(expected.get(number));
              }
              return number;
            }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    // Only now: while segments are renamed, a list of the folder may have one under both names.
    assertThat(disk.bytes()).isLessThanOrEqualTo(LIMIT);
  }

  /// A slice has up to 8192 rows, and is written as one record.
  @Test
  void recordsThatAreLargeStayWithinItToo() throws IOException {
    StringBuilder text = new StringBuilder("id,text\n");
    for (int i = 0; i < 20_000; i++) {
      text.append(i).append(',').append("x".repeat(i % 40)).append('\n');
    }
    StructuredDataset dataset = csv("large.csv", text.toString());
    List<List<Object>> expected = rows(dataset);
    for (int workers : new int[] {3, 0}) {
      for (String[] columns : new String[][] {{"id"}, {"text"}, {"id", "text"}}) {
        CachedEpoch read =
            CachedEpoch.of(
                small(dataset.columns(columns)), o -> o.workers(workers).batchSize(8192));
        assertThat(read.rows()).hasSameSizeAs(expected);
        requireBounded();
      }
    }
    assertThat(CachedEpoch.of(small(dataset)).rows()).isEqualTo(expected);
    requireBounded();
  }

  @Test
  void rowsLargerThanTheCacheAreReadAllTheSame() throws IOException {
    StringBuilder text = new StringBuilder("id,text\n");
    for (int i = 0; i < 3; i++) {
      text.append(i).append(',').append("x".repeat(1_500_000)).append('\n');
    }
    StructuredDataset dataset = csv("large.csv", text.toString());
    List<List<Object>> expected = rows(dataset);
    for (int i = 0; i < 2; i++) {
      assertThat(Logged.during(() -> assertThat(rows(small(dataset))).isEqualTo(expected)))
          .isEmpty();
      requireBounded();
    }
    rows(small(dataset.columns("id")));
    CachedEpoch.of(small(dataset.columns("id"))).requireCached();
  }

  @Test
  void smallerLimitMakesItSmaller() throws IOException {
    StructuredDataset dataset = written("large", 3 << 20);
    rows(cached(dataset));
    assertThat(disk.bytes()).isGreaterThan(2 * LIMIT);
    rows(small(dataset));
    requireBounded();
  }

  @Test
  void datasetThatWasUsedLongestAgoGoesFirst() throws IOException {
    List<StructuredDataset> all = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      all.add(written(name, 210_000));
    }
    rows(small(all.get(0)));
    rows(small(all.get(1)));
    CachedEpoch.of(small(all.get(0))).requireCached();
    rows(small(all.get(2)));
    CachedEpoch.of(small(all.get(2))).requireCached();
    CachedEpoch.of(small(all.get(0))).requireCached();
    assertThat(CachedEpoch.of(small(all.get(1))).bytes()).isPositive();
    requireBounded();
  }

  @Test
  void datasetThatIsInUseForLongIsNotAnOldOne() throws IOException {
    StructuredDataset b = written("b", 210_000);
    StructuredDataset c = written("c", 210_000);
    try (DataLoader a =
        DataLoader.of(small(written("a", 210_000)), o -> o.output(OutputFormat.MAP))) {
      CachedEpoch.of(a);
      rows(small(b));
      CachedEpoch.of(a).requireCached();
      rows(small(c));
      CachedEpoch.of(a).requireCached();
    }
    assertThat(CachedEpoch.of(small(b)).bytes()).isPositive();
    requireBounded();
  }

  @Test
  void nothingOutsideOfTheFolderChanges() throws IOException {
    StructuredDataset dataset = written("a", 300_000);
    Map<Path, FileTime> before = times();
    for (int i = 0; i < 2; i++) {
      rows(small(dataset));
    }
    assertThat(times()).isEqualTo(before);
  }

  private Map<Path, FileTime> times() throws IOException {
    Map<Path, FileTime> times = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.filter(path -> !path.startsWith(cache)).toList()) {
        if (!path.equals(folder)) {
          times.put(path, Files.getLastModifiedTime(path));
        }
      }
    }
    return times;
  }
}
