package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.RowDataset;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.ArrowFiles;
import dev.penstock.blackbox.files.AvroFiles;
import dev.penstock.blackbox.files.CsvFiles;
import dev.penstock.blackbox.files.JsonRows;
import dev.penstock.blackbox.files.OrcFiles;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.TableWriter;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.cli.Main;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Shuffle;
import dev.penstock.storage.StorageException;
import dev.penstock.tck.Table;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.MemoryStorage.Request;
import dev.penstock.testing.MemoryStorage.Site;
import dev.penstock.testing.RangeServer;
import dev.penstock.testing.Seeded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How files behind a network are read: few requests, ahead of the decoders, calm under faults.
class RemoteReadsTest {
  private static final int COLUMNS = 66;
  private static final int ROWS = 4_000; // 32 kB a column, above what is always read over
  private static final int FILES = 3;

  @TempDir static Path wideFiles;
  @TempDir Path folder;

  @BeforeAll
  static void writeWideFiles() throws IOException {
    int[] rows = {ROWS};
    Table table = Tables.wide(new Random(5), COLUMNS, rows, rows, rows);
    for (int i = 0; i < FILES; i++) {
      ParquetFiles.prunable()
          .write(
              wideFiles.resolve(i + ".parquet"),
              table.schema(),
              table.files().get(i).groups(),
              new Random(0));
    }
  }

  private static Site wide() throws IOException {
    return MemoryStorage.site().put(wideFiles);
  }

  static long bytes(List<Request> requests) {
    return requests.stream().mapToLong(request -> request.range().length()).sum();
  }

  @Test
  void footersAndCoalescedRangesAreAllThatIsAskedFor() throws IOException {
    Site site = wide();
    StructuredDataset dataset = new StructuredDataset(site.location());
    assertThat(dataset.files()).hasSize(FILES);
    assertThat(site.requests()).hasSize(FILES);
    for (int workers : new int[] {0, 1, 3}) {
      site.requests().clear();
      try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(workers).batchSize(500))) {
        assertThat(Delivery.ofEpoch(loader).rows()).hasSize(FILES * ROWS);
        assertThat(loader.stats().read().bytes()).isEqualTo(bytes(site.requests()));
      }
      // The first file is cut to come over several connections, at 1 MiB; a row group is 2.1 MB.
      assertThat(site.requests()).as("%s workers", workers).hasSize(3 + 1 + 1);
    }
  }

  @Test
  void windowsThatCutRowGroupsShareWhatIsFetched() throws IOException {
    Filter some = Filter.parse("f9 < 0.5");
    checkWindows(dataset -> dataset);
    checkWindows(dataset -> dataset.filter(some));
    checkWindows(dataset -> dataset.columns("id", "f30")); // more workers than columns
  }

  private static void checkWindows(UnaryOperator<StructuredDataset> of) throws IOException {
    Site site = wide();
    site.advice(8, 1 << 20, 256 << 10, Optional.empty());
    StructuredDataset dataset = of.apply(new StructuredDataset(site.location()));
    StructuredDataset local = of.apply(new StructuredDataset(wideFiles.toString()));
    assertThat(dataset.files()).hasSize(FILES);
    for (int window : new int[] {500, 1_700, 3_000}) {
      UnaryOperator<LoaderOptions> shuffled =
          o -> o.batchSize(100).shuffle(Shuffle.window(window)).seed(window);
      List<Integer> expected;
      try (DataLoader loader = DataLoader.of(local, shuffled)) {
        expected = Delivery.bitsOfEpoch(loader);
      }
      for (int workers : new int[] {0, 1, 2, 3}) {
        site.requests().clear();
        try (DataLoader loader = DataLoader.of(dataset, o -> shuffled.apply(o).workers(workers))) {
          assertThat(Delivery.bitsOfEpoch(loader)).isEqualTo(expected);
        }
        assertThat(bytes(site.requests())).isLessThan(site.bytes());
        assertThat(site.requests()).hasSizeLessThanOrEqualTo((int) (site.bytes() >> 18) + FILES);
      }
    }
  }

  @Test
  void fewOfManyColumnsReadFewBytes() throws IOException {
    Site site = wide();
    long footers;
    StructuredDataset dataset = new StructuredDataset(site.location()).columns("id", "f20", "f50");
    assertThat(dataset.schema().size()).isEqualTo(3);
    footers = bytes(site.requests());
    site.requests().clear();
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(2))) {
      assertThat(Delivery.ofEpoch(loader).rows()).hasSize(FILES * ROWS);
    }
    assertThat(site.requests()).hasSize(FILES * 3);
    assertThat(bytes(site.requests())).isLessThan(site.bytes() * 8 / 100);
    assertThat(footers).isLessThanOrEqualTo(FILES * 65_536L);
  }

  @Test
  void requestsAtOnceAreAsManyAsTheStoreAdvises() throws IOException {
    Site site = wide();
    StructuredDataset dataset = new StructuredDataset(site.location());
    site.advice(4, 0, 100_000, Optional.empty());
    CountDownLatch four = new CountDownLatch(4);
    assertThat(dataset.files()).hasSize(FILES);
    site.fault(_ -> await(four)); // no answer before four were asked for
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(1))) {
      assertThat(Delivery.ofEpoch(loader).rows()).hasSize(FILES * ROWS);
    }
    assertThat(site.requestsAtOnce()).isEqualTo(4);
  }

  private static void await(CountDownLatch latch) {
    latch.countDown();
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Seeded(runs = 30, dropsFooters = false) // those read to plan an epoch do not count either
  void faultsThatPassChangeNothing(Random random) throws IOException {
    Table table = Tables.random(random, 2);
    Path files = new ParquetFiles().write(folder.resolve("t"), table, random);
    Site site = MemoryStorage.site().put(files);
    boolean isHedged = random.nextBoolean();
    site.advice(
        1 + random.nextInt(8),
        random.nextInt(3) * 1000L,
        1 + random.nextInt(5000),
        isHedged ? Optional.of(Duration.ofNanos(1)) : Optional.empty());
    AtomicInteger count = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    site.fault(_ -> {
      if (count.incrementAndGet() % 3 == 0) {
        failed.incrementAndGet();
        throw new SocketException("Connection reset");
      }
    });
    LoaderOptions options =
        LoaderOptions.defaults()
            .nulls(dev.penstock.batch.NullPolicy.mask())
            .batchSize(1 + random.nextInt(200))
            .workers(random.nextInt(4));
    try (DataLoader local = DataLoader.of(new StructuredDataset(files.toString()), options);
        DataLoader remote = DataLoader.of(new StructuredDataset(site.location()), options)) {
      assertThat(remote.dataset().files()).isNotEmpty(); // reads the footers, which do not count
      failed.set(0);
      assertThat(Delivery.ofEpoch(remote)).isEqualTo(Delivery.ofEpoch(local));
      long retries = remote.stats().read().retries();
      if (isHedged) { // the slower of two requests may be ended before it tries again
        assertThat(retries).isLessThanOrEqualTo(failed.get());
      } else {
        assertThat(retries).isEqualTo(failed.get());
      }
    }
  }

  @Test
  void secondRequestHelpsWhereTheFirstIsSlow() throws IOException {
    Site site = wide();
    StructuredDataset dataset = new StructuredDataset(site.location());
    site.advice(4, 0, 10 << 20, Optional.of(Duration.ofNanos(1)));
    assertThat(dataset.files()).hasSize(FILES);
    site.requests().clear();
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger stuck = new AtomicInteger();
    List<Object> seen = new ArrayList<>();
    site.fault(request -> {
      boolean isFirst;
      synchronized (seen) {
        isFirst = !seen.contains(request.range());
        seen.add(request.range());
      }
      if (isFirst) { // until it is interrupted, because the second one has it all
        stuck.incrementAndGet();
        try {
          never.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
      }
    });
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(1))) {
      assertThat(Delivery.ofEpoch(loader).rows()).hasSize(FILES * ROWS);
    }
    assertThat(stuck.get()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"404, it is gone (404)", "403, access is denied (403)"})
  void fileThatMayNoLongerBeReadInMidEpochIsAnErrorBehindItsPredecessors(
      int status, String sentence) throws IOException {
    Site site = wide();
    StructuredDataset dataset = new StructuredDataset(site.location());
    assertThat(dataset.files()).hasSize(FILES);
    site.fault(request -> {
      if (request.location().name().equals("1.parquet")) {
        throw StorageException.ofStatus(status, "", Optional.empty(), null);
      }
    });
    for (int workers : new int[] {0, 1, 3}) {
      try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(workers).batchSize(1000));
          EpochIterator<Batch> epoch = loader.iterator()) {
        for (int i = 0; i < ROWS / 1000; i++) {
          epoch.next().close();
        }
        assertThatThrownBy(epoch::next)
            .hasMessageContaining("of '" + site.location() + "/1.parquet'")
            .hasMessageContaining(sentence);
      }
    }
  }

  @Test
  void serverThatStaysDownIsAskedAsOftenAsItsOptionsSay() throws IOException {
    try (RangeServer server = new RangeServer(wideFiles)) {
      StructuredDataset dataset =
          new StructuredDataset(server.url() + "/0.parquet")
              .columns("f20")
              .storageOption("attempts", "2");
      assertThat(dataset.files()).hasSize(1);
      server.answer(exchange -> {
        exchange.sendResponseHeaders(503, -1);
        return true;
      });
      for (int workers : new int[] {0, 1, 3}) {
        server.requests().clear();
        try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(workers))) {
          assertThatThrownBy(() -> Delivery.ofEpoch(loader)).hasMessageContaining("in 2 attempts");
        }
        assertThat(server.requests()).hasSize(2);
      }
    }
  }

  @Test
  void rowsThatWereReadBeforeAStoreFailedArrive() throws IOException {
    Site site = paged(200_000);
    site.advice(1, 0, 8_000, Optional.empty()); // a page
    for (String where : List.of("", "id >= 0 and a >= 0")) {
      StructuredDataset dataset =
          new StructuredDataset(site.location() + "/paged.parquet").columns("id");
      StructuredDataset some = where.isEmpty() ? dataset : dataset.filter(Filter.parse(where));
      assertThat(some.files()).hasSize(1);
      for (int workers : new int[] {0, 1, 2}) {
        List<Request> failed = new CopyOnWriteArrayList<>();
        site.fault(request -> {
          if (request.range().offset() <= 1_500_000 && request.range().end() > 1_500_000) {
            failed.add(request);
            throw StorageException.ofStatus(503, "", Optional.empty(), null);
          }
        });
        long rows = 0;
        try (DataLoader loader = DataLoader.of(some, o -> o.workers(workers).batchSize(100));
            EpochIterator<Batch> epoch = loader.iterator()) {
          while (true) {
            try (Batch batch = epoch.next()) {
              rows += batch.rowCount();
            }
          }
        } catch (UncheckedIOException e) {
          assertThat(e).hasMessageContaining("in 6 attempts");
        }
        assertThat(rows).as("%s workers, '%s'", workers, where).isGreaterThan(50_000);
        assertThat(failed).hasSize(6);
        site.fault(_ -> {});
      }
    }
  }

  @Test
  void fileThatChangesInMidEpochIsAnErrorThatSaysSo() throws IOException {
    Site site = wide();
    site.advice(1, 0, 100_000, Optional.empty());
    StructuredDataset dataset = new StructuredDataset(site.location());
    assertThat(dataset.files()).hasSize(FILES);
    site.fault(request -> {
      if (request.location().name().equals("2.parquet")) {
        throw StorageException.ofStatus(412, "", Optional.empty(), null);
      }
    });
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(2))) {
      assertThatThrownBy(() -> Delivery.ofEpoch(loader))
          .hasMessageContaining("it is no longer the file that was planned (412)");
    }
  }

  @Test
  void closeEndsRequestsThatNeverEnd() throws Exception {
    Site site = wide();
    StructuredDataset dataset = new StructuredDataset(site.location());
    assertThat(dataset.files()).hasSize(FILES);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    site.fault(_ -> {
      asked.countDown();
      try {
        never.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    });
    DataLoader loader = DataLoader.of(dataset, o -> o.workers(2));
    EpochIterator<Batch> epoch = loader.iterator();
    Thread waiting = Thread.ofVirtual().start(() -> assertThatThrownBy(epoch::next).isNotNull());
    asked.await();
    loader.close();
    waiting.join();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("penstock-fetch"));
  }

  @Test
  void resumedRunFetchesTheRestOnly() throws IOException {
    Site site = wide();
    StructuredDataset dataset = new StructuredDataset(site.location());
    List<Integer> whole = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(2).batchSize(700))) {
      for (Batch batch : loader) {
        whole.add(Delivery.bits(batch));
        batch.close();
      }
    }
    for (int stop = 0; stop < whole.size(); stop += 3) {
      List<Integer> parts = new ArrayList<>();
      dev.penstock.LoaderState state;
      try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(1).batchSize(700));
          EpochIterator<Batch> epoch = loader.iterator()) {
        for (int i = 0; i < stop; i++) {
          try (Batch batch = epoch.next()) {
            parts.add(Delivery.bits(batch));
          }
        }
        state = loader.state();
      }
      try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(2).batchSize(700))) {
        loader.resume(state);
        for (Batch batch : loader) {
          parts.add(Delivery.bits(batch));
          batch.close();
        }
      }
      assertThat(parts).as("stopped after %s", stop).isEqualTo(whole);
    }
  }

  /// Each stage is answered when all of it was asked for. Were anything asked for one after
  /// another, nothing would ever come.
  @Test
  @Timeout(300)
  void firstBatchIsThreeRoundTripsAway() throws IOException {
    int files = 200;
    Site site = MemoryStorage.site();
    byte[] content = Files.readAllBytes(wideFiles.resolve("0.parquet"));
    List<String> locations = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      String name = String.format(Locale.ROOT, "%03d.parquet", i);
      site.put(name, content);
      locations.add(site.location() + "/" + name);
    }
    CountDownLatch looks = new CountDownLatch(files);
    CountDownLatch footers = new CountDownLatch(files);
    CountDownLatch data = new CountDownLatch(3);
    site.look(() -> await(looks));
    site.fault(request -> {
      if (request.number() < files) {
        await(footers);
      } else if (request.location().name().equals("000.parquet")) {
        await(data);
      }
    });
    StructuredDataset dataset = new StructuredDataset(locations);
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(1).batchSize(100));
        EpochIterator<Batch> epoch = loader.iterator()) {
      epoch.next().close();
    }
    assertThat(site.requests())
        .filteredOn(request -> request.location().name().equals("000.parquet"))
        .as("its footer, and the three ranges of its row group")
        .hasSize(1 + 3);
  }

  private Site paged() throws IOException {
    return paged(40_000);
  }

  /// Writes a row group in pages of 1,000 rows.
  private Site paged(int rows) throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", new DataType.Int(64, true), false),
                new Field("a", new DataType.Floating(64), false),
                new Field("b", new DataType.Floating(64), false)));
    MessageType message = ParquetFiles.message(schema);
    Path path = folder.resolve("paged.parquet");
    try (var writer =
        WrongFilesTest.writer(path, message)
            .withPageRowCountLimit(1000)
            .withDictionaryEncoding(false)
            .build()) {
      for (long i = 0; i < rows; i++) {
        List<Object> row = List.of(i, i / 2.0, i / 4.0);
        writer.write(ParquetFiles.group(message, schema, row));
      }
    }
    return MemoryStorage.site().put(path);
  }

  @Test
  @Timeout(300)
  void blockOfRowsIsTwoRoundTripsAway() throws IOException {
    Site site = paged();
    StructuredDataset dataset = new StructuredDataset(site.location() + "/paged.parquet");
    try (RowDataset rows = dataset.openRows("1")) {
      for (long row : new long[] {20_500, 39_999, 5_000}) {
        site.requests().clear();
        CountDownLatch columns = new CountDownLatch(3);
        AtomicInteger count = new AtomicInteger();
        site.fault(_ -> {
          if (count.getAndIncrement() > 0) { // behind the places of the pages
            await(columns);
          }
        });
        assertThat(rows.get(row))
            .containsEntry("id", row)
            .containsEntry("a", row / 2.0)
            .containsEntry("b", row / 4.0);
        int lastPages = row == 20_500 ? 3 : 0; // the places are held against them once
        assertThat(site.requests()).hasSize(1 + 3 + lastPages);
        assertThat(bytes(site.requests())).isLessThan(site.bytes() / 8);
      }
    }
  }

  @Test
  void stepsThatArePromisedAreAllThatIsFetched() throws IOException {
    Site site = paged(200_000);
    StructuredDataset dataset = new StructuredDataset(site.location() + "/paged.parquet");
    assertThat(dataset.files()).hasSize(1);
    for (Shuffle shuffle : List.of(Shuffle.none(), Shuffle.splits())) {
      site.requests().clear();
      try (DataLoader loader =
          DataLoader.of(
              dataset, o -> o.workers(1).batchSize(5).stepsPerEpoch(3).shuffle(shuffle))) {
        assertThat(Delivery.ofEpoch(loader).rows()).hasSize(15);
      }
      assertThat(bytes(site.requests())).isLessThan(site.bytes() / 3);
      assertThat(site.requests()).hasSizeLessThanOrEqualTo(3 + 3);
    }
  }

  @Test
  void headFetchesNoMoreThanTheRowsThatItShows() throws IOException {
    Site site = paged(200_000);
    String location = site.location() + "/paged.parquet";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    assertThat(Main.run(new String[] {"head", "-n", "5", location}, out, err)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines().skip(3).map(String::strip))
        .hasSize(5)
        .allMatch(line -> line.matches("[0-4] .*"));
    assertThat(bytes(site.requests())).isLessThan(site.bytes() / 3);
  }

  /// Opens its file behind a filter, with the footer read.
  private static StructuredDataset paged(Site site, String where) throws IOException {
    StructuredDataset dataset =
        new StructuredDataset(site.location() + "/paged.parquet").filter(Filter.parse(where));
    assertThat(dataset.files()).hasSize(1);
    return dataset;
  }

  @Test
  void pageIndexOfAFilterIsOneRequest() throws IOException {
    Site site = paged();
    StructuredDataset dataset = paged(site, "id >= 20000 and a < 10010");
    for (int workers : new int[] {0, 2}) {
      site.requests().clear();
      try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(workers))) {
        assertThat(Delivery.ofEpoch(loader).rows()).hasSize(20);
      }
      assertThat(site.requests())
          .filteredOn(request -> request.range().offset() > 40_000 * 3 * 8)
          .as("what is behind the pages")
          .hasSize(1);
      assertThat(site.requests()).hasSizeLessThanOrEqualTo(1 + 3);
    }
  }

  @Test
  void laterEpochsAskForNoMoreThanThePageIndexLeft() throws IOException {
    Site site = paged();
    StructuredDataset dataset = paged(site, "id >= 20000 and a < 10010");
    for (int workers : new int[] {0, 2}) {
      try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(workers))) {
        assertThat(Delivery.ofEpoch(loader).rows()).hasSize(20);
        for (int epoch = 1; epoch < 3; epoch++) {
          site.requests().clear();
          assertThat(Delivery.ofEpoch(loader).rows()).hasSize(20);
          assertThat(site.requests()).as("where its pages are, and three columns").hasSize(1 + 3);
          assertThat(bytes(site.requests())).isLessThan(site.bytes() / 20);
        }
      }
    }
  }

  @Test
  void laterEpochsDoNotReadAFiltersColumn() throws IOException {
    Site site = paged();
    StructuredDataset dataset = paged(site, "a < 19000.25 and b > 2.0").columns("id");
    for (int workers : new int[] {0, 1, 2}) {
      try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(workers))) {
        site.requests().clear();
        List<Long> ids = Delivery.ofEpoch(loader).ids();
        assertThat(ids).hasSize(38_001 - 9).startsWith(9L);
        assertThat(bytes(site.requests())).isGreaterThan(site.bytes() * 9 / 10);
        for (int epoch = 1; epoch < 3; epoch++) {
          site.requests().clear();
          assertThat(Delivery.ofEpoch(loader).ids()).isEqualTo(ids);
          assertThat(bytes(site.requests())).isLessThan(site.bytes() * 4 / 10);
        }
      }
    }
  }

  @Test
  void whatAnIndexRulesOutIsNotAskedForAgain() throws IOException {
    Site site = paged();
    StructuredDataset dataset = paged(site, "a = 499.75"); // between two pages
    for (int workers : new int[] {0, 1, 2}) {
      try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(workers))) {
        assertThat(Delivery.ofEpoch(loader).rows()).isEmpty();
        assertThat(loader.stats().read().skipped().total()).isEqualTo(40_000);
        for (int epoch = 1; epoch < 3; epoch++) {
          site.requests().clear();
          assertThat(Delivery.ofEpoch(loader).rows()).isEmpty();
          assertThat(site.requests()).isEmpty();
          assertThat(loader.stats().read().skipped().total()).isEqualTo(40_000);
        }
      }
    }
  }

  @Seeded(runs = 24)
  void answersThatBreakAnywhereChangeNothingAndLeaveNoMemory(Random random) throws IOException {
    List<TableWriter> writers =
        List.of(
            new ParquetFiles(),
            new CsvFiles(),
            new JsonRows(true),
            new AvroFiles(),
            new ArrowFiles(),
            new OrcFiles());
    TableWriter writer = writers.get(random.nextInt(writers.size()));
    Table table = Table.random(random, 2, writer);
    Path files = writer.write(folder.resolve("t"), table, random);
    Site site = MemoryStorage.site().put(files);
    site.advice(
        1 + random.nextInt(8),
        random.nextInt(3) * 1000L,
        1 + random.nextInt(5000),
        random.nextInt(4) == 0 ? Optional.of(Duration.ofNanos(1)) : Optional.empty());
    long seed = random.nextLong();
    Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
    // At most three times in a row at the same place, whatever the order of requests is.
    ToIntFunction<Request> roll =
        request -> {
          String place = request.location() + "@" + request.range().offset();
          int times = asked.computeIfAbsent(place, _ -> new AtomicInteger()).getAndIncrement();
          return times >= 3 ? 9 : new Random(seed + (place + times).hashCode()).nextInt(10);
        };
    Map<Request, Integer> rolled = new ConcurrentHashMap<>();
    site.fault(request -> {
      int what = roll.applyAsInt(request);
      rolled.put(request, what);
      switch (what) {
        case 0 -> throw new SocketException("Connection reset");
        case 1 -> throw StorageException.ofStatus(503, "", Optional.empty(), null);
        case 2 -> throw new SocketTimeoutException("nothing came for 10000 ms");
        default -> {}
      }
    });
    site.cut(
        request -> rolled.getOrDefault(request, 9) < 6 ? request.range().length() * 2 / 3 : -1);
    LoaderOptions options =
        LoaderOptions.defaults()
            .nulls(dev.penstock.batch.NullPolicy.mask())
            .batchSize(1 + random.nextInt(200))
            .workers(random.nextInt(4));
    DataLoader remote = DataLoader.of(writer.open(site.location(), table), options);
    try (remote;
        DataLoader local = DataLoader.of(writer.open(files.toString(), table), options)) {
      assertThat(Delivery.ofEpoch(remote)).isEqualTo(Delivery.ofEpoch(local));
    }
    assertThat(remote.stats().memory().bytes()).isZero();
  }
}
