package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.cases.CachedEpoch.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.MemoryStorage.Site;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever happens to the files of a cache, it costs no more than reading the data again.
class CacheDamageTest extends CacheFolders {
  private static final DataType INT64 = new DataType.Int(64, true);
  private static final DataType TEXT = new DataType.Utf8();

  @BeforeEach
  void fill() throws IOException {
    ParquetFiles writer = new ParquetFiles();
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("id", INT64, false));
    fields.add(new Field("text", TEXT, true));
    fields.add(new Field("list", new DataType.List(TEXT, true), true));
    Schema schema = Schema.of(fields);
    Table table = new Table(schema, List.of(Table.file(new Random(2), schema, "part-0", 40, 20)));
    writer.write(files, table, new Random(4));
    site = MemoryStorage.site().put(files);
    stored = new StructuredDataset(site.location());
    expected = rows(new StructuredDataset(files.toString()));
    assertThat(rows(cached(stored))).isEqualTo(expected);
  }

  private StructuredDataset stored;
  private List<List<Object>> expected;
  private Site site;

  /// Reads with a damaged cache, which must be as it was after that.
  private void requireMended(String what) {
    for (int workers : new int[] {1, 0}) {
      Logged.during(() ->
          assertThat(CachedEpoch.of(cached(stored), o -> o.workers(workers)).rows())
              .as(what)
              .isEqualTo(expected));
    }
    site.requests().clear();
    assertThat(CachedEpoch.of(cached(stored)).requireCached().rows()).as(what).isEqualTo(expected);
    assertThat(site.requests()).as("requests after %s", what).isEmpty();
    assertThat(disk.parts()).isEmpty();
  }

  @Seeded(runs = 100)
  void flippedBitCostsAReload(Random random) throws IOException {
    Map<String, byte[]> contents = disk.contents();
    List<String> names = List.copyOf(contents.keySet());
    assertThat(names).hasSizeGreaterThanOrEqualTo(2); // of the footer, and of the rows
    String name = names.get(random.nextInt(names.size()));
    byte[] whole = contents.get(name);
    byte[] flipped = whole.clone();
    int at =
        random.nextBoolean()
            ? random.nextInt(whole.length)
            : whole.length - 1 - random.nextInt(Math.min(300, whole.length));
    flipped[at] ^= (byte) (1 << random.nextInt(8));
    Files.write(cache.resolve(name), flipped);
    requireMended("bit " + at + " of " + whole.length);
    // Only what no record has may be another: the zeros between them.
    assertThat(Files.exists(cache.resolve(name)) && whole[at] != 0).isFalse();
  }

  @Seeded(runs = 30)
  void flippedBitBetweenEpochsOfALoaderCostsAReload(Random random) throws IOException {
    try (DataLoader loader =
        DataLoader.of(cached(stored), o -> o.workers(1).output(OutputFormat.MAP))) {
      assertThat(CachedEpoch.of(loader).requireCached().rows()).isEqualTo(expected);
      for (Path segment : disk.segments()) {
        byte[] bytes = Files.readAllBytes(segment);
        bytes[random.nextInt(bytes.length * 3 / 4)] ^= (byte) (1 << random.nextInt(8));
        Files.write(segment, bytes);
      }
      Logged.during(() -> assertThat(CachedEpoch.of(loader).rows()).isEqualTo(expected));
    }
    requireMended("between epochs");
  }

  @Seeded(runs = 36)
  void segmentThatIsCutCostsAReload(Random random) throws IOException {
    List<Path> segments = disk.segments();
    Path segment = segments.get(random.nextInt(segments.size()));
    byte[] whole = Files.readAllBytes(segment);
    int length = random.nextInt(5) == 0 ? random.nextInt(30) : random.nextInt(whole.length);
    Files.write(segment, Arrays.copyOf(whole, length));
    requireMended("cut to " + length + " of " + whole.length);
    assertThat(segment).doesNotExist();
  }

  @Test
  void segmentThatIsCutBetweenEpochsOfALoaderCostsAReload() throws IOException {
    try (DataLoader loader =
        DataLoader.of(cached(stored), o -> o.workers(1).output(OutputFormat.MAP))) {
      assertThat(CachedEpoch.of(loader).requireCached().rows()).isEqualTo(expected);
      for (Path segment : disk.segments()) {
        Files.write(segment, new byte[100]);
      }
      Logged.during(() -> assertThat(CachedEpoch.of(loader).rows()).isEqualTo(expected));
      assertThat(CachedEpoch.of(loader).requireCached().rows()).isEqualTo(expected);
    }
  }

  @Test
  void segmentThatHasGrownCostsAReload() throws IOException {
    for (Path segment : disk.segments()) {
      Files.write(segment, new byte[64], StandardOpenOption.APPEND);
    }
    requireMended("longer");
  }

  @Test
  void segmentsThatAreSwappedCostNothing() throws IOException {
    List<Path> segments = disk.segments();
    Path aside = cache.resolve("aside");
    Files.move(segments.get(0), aside);
    Files.move(segments.get(1), segments.get(0));
    Files.move(aside, segments.get(1));
    site.requests().clear();
    assertThat(CachedEpoch.of(cached(stored)).requireCached().rows()).isEqualTo(expected);
    assertThat(site.requests()).isEmpty();
  }

  /// Returns a name that a segment could have.
  private String name(int number) {
    return "1-%016x".formatted(number);
  }

  @Test
  void emptyAndForeignFilesWithNamesOfSegmentsAreDeleted() throws IOException {
    Random random = new Random(1);
    List<byte[]> contents = new ArrayList<>();
    contents.add(new byte[0]);
    contents.add(new byte[23]);
    contents.add(new byte[24]);
    contents.add(new byte[100_000]);
    contents.add("PENSTOC1".repeat(100).getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < 20; i++) {
      contents.add(new byte[random.nextInt(1_000)]);
      random.nextBytes(contents.getLast());
    }
    List<Path> foreign = new ArrayList<>();
    for (byte[] content : contents) {
      Path file = cache.resolve(name(foreign.size()) + ".segment");
      foreign.add(Files.write(file, content));
    }
    requireMended("foreign files");
    assertThat(foreign).allSatisfy(file -> assertThat(file).doesNotExist());
  }

  @Test
  void foldersAndLinksWithNamesOfSegmentsAreLeftAlone() throws IOException {
    Path inside = Files.createDirectories(cache.resolve(name(1) + ".segment/inside"));
    Path empty = Files.createDirectories(cache.resolve(name(2) + ".segment"));
    Path part = Files.createDirectories(cache.resolve(name(3) + ".ff.part"));
    Path outside = Files.writeString(folder.resolve("outside"), "not a segment");
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
    Files.setLastModifiedTime(outside, old);
    Path link = Files.createSymbolicLink(cache.resolve(name(4) + ".segment"), outside);
    assertThat(CachedEpoch.of(cached(stored)).requireCached().rows()).isEqualTo(expected);
    rows(stored.columns("id").cache(cache.toString(), "1MiB"));
    assertThat(List.of(inside, empty, part, link, outside))
        .allSatisfy(each -> assertThat(each).exists());
    assertThat(Files.getLastModifiedTime(outside)).isEqualTo(old);
  }

  @Test
  void filesOfOthersAreLeftAlone() throws IOException {
    List<Path> others = new ArrayList<>();
    for (String name : List.of("notes.txt", "download.part", "my.segment", "1-1.segment")) {
      others.add(Files.writeString(cache.resolve(name), "x".repeat(2_000_000)));
    }
    assertThat(rows(stored.cache(cache.toString(), "1MiB"))).isEqualTo(expected);
    assertThat(others).allSatisfy(other -> assertThat(other).exists());
  }

  @Test
  void partThatNobodyWritesIsDeleted() throws IOException {
    List<Path> parts = new ArrayList<>();
    for (String end : List.of(".0.part", ".10000.part", ".fffffffffffffff.part")) {
      parts.add(Files.writeString(cache.resolve(name(parts.size()) + end), "left"));
    }
    assertThat(CachedEpoch.of(cached(stored)).requireCached().rows()).isEqualTo(expected);
    assertThat(parts).allSatisfy(part -> assertThat(part).doesNotExist());
  }

  @Test
  void partThatSomebodyHasLockedIsLeftAlone() throws IOException {
    Path part = Files.writeString(cache.resolve(name(1) + ".10000.part"), "being written");
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertThat(CachedEpoch.of(cached(stored)).requireCached().rows()).isEqualTo(expected);
      assertThat(lock.isValid()).isTrue();
      assertThat(part).exists();
    }
    CachedEpoch.of(cached(stored)).requireCached();
    assertThat(part).doesNotExist();
  }

  /// As another copy of the library does in the same process.
  @Test
  void lockOfTheFolderThatIsTakenInThisProcessIsNoError() throws IOException {
    Folder.delete(cache);
    Files.createDirectory(cache);
    try (FileChannel channel =
            FileChannel.open(
                cache.resolve("penstock.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertThat(rows(cached(stored))).isEqualTo(expected);
      assertThat(lock.isShared()).isFalse();
    }
    CachedEpoch.of(cached(stored)).requireCached();
  }

  @Test
  void folderMayBeDeletedBetweenEpochs() {
    try (DataLoader loader =
        DataLoader.of(cached(stored), o -> o.workers(2).output(OutputFormat.MAP))) {
      assertThat(CachedEpoch.of(loader).requireCached().rows()).isEqualTo(expected);
      Folder.delete(cache);
      String logged =
          Logged.during(() -> {
            CachedEpoch again = CachedEpoch.of(loader);
            assertThat(again.rows()).isEqualTo(expected);
            assertThat(again.bytes()).isPositive();
            assertThat(CachedEpoch.of(loader).requireCached().rows()).isEqualTo(expected);
          });
      assertThat(logged).isEmpty();
    }
    assertThat(cache).isDirectory();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void folderMayBeDeletedWithinAnEpoch(boolean isFilled) throws IOException {
    if (!isFilled) {
      Folder.delete(cache);
    }
    try (DataLoader loader =
        DataLoader.of(cached(stored), o -> o.workers(0).batchSize(5).output(OutputFormat.MAP))) {
      List<List<Object>> rows = new ArrayList<>();
      Logged.during(() -> {
        try (EpochIterator<Batch> epoch = loader.iterator()) {
          while (epoch.hasNext()) {
            if (rows.size() == 20) {
              Folder.delete(cache);
            }
            try (Batch batch = epoch.next()) {
              rows.addAll(Delivery.rows(batch, loader.dataset().schema(), OutputFormat.MAP));
            }
          }
        }
      });
      assertThat(rows).isEqualTo(expected);
      Logged.during(() -> assertThat(CachedEpoch.of(loader).rows()).isEqualTo(expected));
      assertThat(CachedEpoch.of(loader).requireCached().rows()).isEqualTo(expected);
    }
    assertThat(disk.parts()).isEmpty();
  }

  @Test
  void folderMayBeReplacedByAFile() throws IOException {
    try (DataLoader loader =
        DataLoader.of(cached(stored), o -> o.workers(2).output(OutputFormat.MAP))) {
      assertThat(CachedEpoch.of(loader).requireCached().rows()).isEqualTo(expected);
      Folder.delete(cache);
      Files.writeString(cache, "a file");
      String logged =
          Logged.during(() -> {
            for (int i = 0; i < 3; i++) {
              assertThat(CachedEpoch.of(loader).rows()).isEqualTo(expected);
            }
          });
      assertThat(logged.lines()).as(logged).hasSize(1);
      assertThat(logged).contains("WARN", "Cannot use the cache '" + cache + "'");
      assertThat(Files.readString(cache)).isEqualTo("a file");
      Files.delete(cache);
      assertThat(CachedEpoch.of(loader).rows()).isEqualTo(expected);
      assertThat(CachedEpoch.of(loader).requireCached().rows()).isEqualTo(expected);
    }
  }

  @Test
  void loadersThatOpenAndLeaveItAllTheTimeDoNotHinderEachOther() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        String[] columns = {List.of("id", "text", "list", "id").get(thread)};
        running.add(
            threads.submit(() -> {
              for (int i = 0; i < 25; i++) {
                StructuredDataset some = stored.columns(columns).cache(cache.toString(), "1MiB");
                assertThat(rows(some)).hasSameSizeAs(expected);
              }
              return columns;
            }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    requireMended("many loaders");
  }
}
