package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.RowDataset;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.NullValueException;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RowColumns;
import dev.penstock.blackbox.files.Schemas;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What every format promises of rows by number: row `i` is the `i`-th that a loader delivers,
/// whatever is asked for in which order, by how many threads, and whatever is cached.
class RandomAccessContractTest extends FileContract {
  private static final String[] CACHES = {"0", "1", "3000", "64KiB", "64MiB"};

  static List<ContractFiles> files() {
    return ContractFiles.ofOrder();
  }

  @AfterEach
  void nothingIsLeft() {
    Leaks.assertNoThreads();
    Leaks.assertNoOpenFiles(folder);
  }

  private StructuredDataset write(Table table, Random random) throws IOException {
    return writer().dataset(folder, table, random);
  }

  private static RowDataset open(StructuredDataset dataset, Random random) {
    return dataset.openRows(CACHES[random.nextInt(CACHES.length)]);
  }

  private static List<List<Object>> delivered(StructuredDataset dataset) {
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(1).output(OutputFormat.MAP))) {
      return Delivery.ofEpoch(loader).rows();
    }
  }

  private static List<Object> values(Map<String, Object> row, Schema schema) {
    assertThat(row.keySet()).containsExactlyElementsOf(schema.names());
    assertThatThrownBy(row::clear).isInstanceOf(UnsupportedOperationException.class);
    List<Object> values = new ArrayList<>();
    row.values().forEach(value -> values.add(Delivery.comparable(value)));
    return values;
  }

  private static long[] random(Random random, long size) {
    int count = size == 0 ? 0 : random.nextInt(200);
    return random.longs(count, 0, Math.max(1, size)).toArray();
  }

  /// Reads random rows, one by one and several at once, and compares them.
  private static void check(RowDataset rows, List<List<Object>> expected, Random random, int rounds)
      throws IOException {
    for (int round = 0; round < rounds; round++) {
      long[] wanted = random(random, rows.size());
      List<Map<String, Object>> read = rows.getAll(wanted);
      assertThat(read).hasSize(wanted.length);
      for (int i = 0; i < wanted.length; i++) {
        List<Object> row = expected.get((int) wanted[i]);
        assertThat(values(read.get(i), rows.schema())).isEqualTo(row);
        if (i < 20) {
          assertThat(values(rows.get(wanted[i]), rows.schema())).isEqualTo(row);
        }
      }
    }
  }

  @Seeded(runs = 60)
  void rowsByNumberAreThoseThatALoaderDelivers(Random random) throws IOException {
    Table table = Table.random(random, random.nextInt(3), writer());
    StructuredDataset dataset = write(table, random);
    List<List<Object>> expected = delivered(dataset);
    assertThat(expected).isEqualTo(table.rows());
    RowDataset rows = open(dataset, random);
    try (rows) {
      assertThat(rows.size()).isEqualTo(expected.size());
      assertThat(rows.schema()).isEqualTo(dataset.schema());
      check(rows, expected, random, 5);
    }
    assertThat(rows.stats().memoryBytes()).isZero();
  }

  @Seeded(runs = 15)
  void severalThreadsReadTheSameRows(Random random) throws Exception {
    StructuredDataset dataset = write(Table.random(random, random.nextInt(3), writer()), random);
    List<List<Object>> expected = delivered(dataset);
    RowDataset rows = open(dataset, random);
    try (rows;
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Void>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random own = new Random(random.nextLong());
        readers.add(() -> {
          check(rows, expected, own, 5);
          return null;
        });
      }
      for (Future<Void> reader : threads.invokeAll(readers)) {
        reader.get();
      }
    }
    assertThat(rows.stats().memoryBytes()).isZero();
  }

  private static BatchBuilder builder() {
    return new BatchBuilder(
        bytes -> new BatchBuilder.Piece(Arena.ofAuto().allocate(Math.max(1, bytes), 64), () -> {}));
  }

  private static Batch batch(RowDataset rows, long[] wanted) throws IOException {
    try (BatchBuilder builder = builder()) {
      ((RowColumns) rows.getAll(wanted)).addTo(builder);
      return builder.build(wanted.length);
    }
  }

  /// A loader with default options is the judge, also of what cannot be delivered.
  @Seeded(runs = 80)
  void columnsOfRowsHaveTheFormThatALoaderGivesThem(Random random) throws IOException {
    Table table = Table.random(random, random.nextInt(3), writer());
    StructuredDataset dataset = write(table, random);
    int size = table.rows().size();
    if (size == 0) {
      return;
    }
    LoaderOptions options = LoaderOptions.defaults().workers(0).batchSize(size);
    try (RowDataset rows = open(dataset, random);
        DataLoader loader = DataLoader.of(dataset, options)) {
      Batch expected;
      try {
        expected = loader.iterator().next();
      } catch (UncheckedIOException e) {
        assertThat(e).hasCauseInstanceOf(NullValueException.class);
        assertThatThrownBy(() -> batch(rows, LongStream.range(0, size).toArray()))
            .isInstanceOf(UncheckedIOException.class)
            .hasCauseInstanceOf(NullValueException.class);
        return;
      }
      try (expected;
          Batch same = batch(rows, LongStream.range(0, size).toArray())) {
        assertThat(Schemas.forms(same)).isEqualTo(Schemas.forms(expected));
        assertThat(Delivery.bits(same)).isEqualTo(Delivery.bits(expected));
        List<List<Object>> inOrder = rows(expected, dataset);
        long[] wanted = random.longs(1 + random.nextInt(50), 0, size).toArray();
        try (Batch mixed = batch(rows, wanted)) {
          assertThat(rows(mixed, dataset))
              .isEqualTo(Arrays.stream(wanted).mapToObj(i -> inOrder.get((int) i)).toList());
        }
      }
    }
  }

  private static List<List<Object>> rows(Batch batch, StructuredDataset dataset) {
    return Delivery.rows(batch, dataset.schema(), OutputFormat.TENSOR);
  }

  @Test
  void cacheKeepsBlocksUpToItsSize() throws IOException {
    StructuredDataset dataset = write(Tables.counting(new int[] {3000, 100}), new Random(1));
    List<Long> order = new ArrayList<>(LongStream.range(0, 3100).boxed().toList());
    Collections.shuffle(order, new Random(2));
    long[] all = order.stream().mapToLong(Long::longValue).toArray();
    try (RowDataset large = dataset.openRows();
        RowDataset small = dataset.openRows("12KiB");
        RowDataset none = dataset.openRows("1")) {
      for (RowDataset rows : List.of(large, small, none)) {
        for (int pass = 0; pass < 3; pass++) {
          assertThat(rows.getAll(all)).extracting(row -> row.get("id")).isEqualTo(order);
        }
      }
      assertThat(large.stats().blocksReused()).isEqualTo(2 * large.stats().blocksRead());
      assertThat(large.stats().cachedBytes()).isBetween(3100 * 8L, 3100 * 8L + 1024);
      assertThat(small.stats().cachedBytes()).isBetween(6L << 10, 12L << 10);
      assertThat(small.stats().blocksReused()).isPositive();
      assertThat(none.stats().cachedBytes()).isZero();
      assertThat(none.stats().blocksReused()).isZero();
      assertThat(small.stats().blocksRead()).isLessThan(none.stats().blocksRead());
    }
  }

  @Test
  void rowsThatAreNotThereAreRefused() throws IOException {
    StructuredDataset dataset =
        write(Tables.counting(new int[] {0, 5}, new int[] {}), new Random(1));
    try (RowDataset rows = dataset.openRows()) {
      for (long row : new long[] {-1, 5, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> rows.get(row))
            .isInstanceOf(IndexOutOfBoundsException.class)
            .hasMessage("Row must be in [0, 5), got " + row + ".");
        assertThatThrownBy(() -> rows.getAll(new long[] {0, row}))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      assertThat(rows.getAll(new long[0])).isEmpty();
      assertThat(rows.stats().blocksRead()).isZero();
    }
  }

  @Test
  void rowsAreRefusedWhenTheyAreClosed() throws IOException {
    StructuredDataset dataset = write(Tables.counting(new int[] {5}), new Random(1));
    RowDataset rows = dataset.openRows();
    List<Map<String, Object>> read = rows.getAll(new long[] {4, 2});
    rows.close();
    rows.close();
    assertThat(rows.stats().memoryBytes()).isZero();
    assertThat(read).extracting(row -> row.get("id")).containsExactly(4L, 2L);
    for (org.assertj.core.api.ThrowableAssert.ThrowingCallable use :
        List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
            () -> rows.get(0), () -> rows.getAll(new long[] {0}))) {
      assertThatThrownBy(use)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot read rows: they are closed. Open them again.");
    }
  }

  @Test
  void filterIsRefused() throws IOException {
    StructuredDataset dataset = write(Tables.counting(new int[] {5}), new Random(1));
    assertThatThrownBy(() -> dataset.where("id > 2").openRows())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot open the rows by number: which of them the filter 'id > 2' keeps shows only"
                + " when they are read. Leave the filter out, or use a DataLoader.");
  }
}
