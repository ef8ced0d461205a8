package dev.penstock.blackbox.contract;

import static dev.penstock.blackbox.files.Schemas.nullable;
import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The codes that strings get by a vocabulary, given or found, on every format.
class VocabularyContractTest extends ColumnContract {
  private final Schema schema = nullable("id", INT32, "s", TEXT);

  static List<ContractFiles> files() {
    return ContractFiles.ofLooseFiles();
  }

  private static Table table(Random random) {
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", INT32, false),
                new Field("r", TEXT, false),
                new Field("n", TEXT, true)));
    Table table = Table.random(random, schema);
    // Few different texts, as such columns have.
    int different = 1 + random.nextInt(30);
    List<Table.DataFile> files = new ArrayList<>();
    for (Table.DataFile file : table.files()) {
      List<List<List<Object>>> groups = new ArrayList<>();
      for (List<List<Object>> group : file.groups()) {
        groups.add(
            group.stream()
                .map(row -> row(row.get(0), few(row.get(1), different), few(row.get(2), different)))
                .toList());
      }
      files.add(new Table.DataFile(file.name(), groups));
    }
    return new Table(schema, files);
  }

  /// Returns one of a few texts: some empty, some not ASCII, some longer than a hash's stripe.
  private static Object few(Object text, int different) {
    if (text == null) {
      return null;
    }
    int number = Math.floorMod(text.hashCode(), different);
    String[] pieces = {"\uD83D\uDE00", "ß\uFFFD", "b"};
    return number == 0 ? "" : pieces[number % 3].repeat(number);
  }

  private static Set<String> texts(List<List<Object>> rows, int column) {
    Set<String> texts = new HashSet<>();
    rows.forEach(row -> texts.add((String) row.get(column)));
    texts.remove(null);
    return texts;
  }

  /// Returns texts in the order of their bytes.
  private static List<String> sorted(Set<String> texts) {
    List<String> sorted = new ArrayList<>(texts);
    sorted.sort(
        Comparator.comparing(
            text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned));
    return sorted;
  }

  /// Returns the numbers of two encoded columns, row by row, null where the mask says so.
  private static List<List<Object>> numbers(DataLoader loader) {
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        for (String name : List.of("r", "n")) {
          assertThat(batch.tensor(name).dtype()).isEqualTo(DType.INT32);
        }
        for (int row = 0; row < batch.rowCount(); row++) {
          boolean there = batch.tensor("n.mask").getBoolean(row);
          rows.add(
              row(batch.tensor("r").getInt(row), there ? batch.tensor("n").getInt(row) : null));
        }
      }
    }
    return rows;
  }

  private static List<List<Object>> expected(
      List<List<Object>> rows, List<String> first, List<String> second) {
    return rows.stream()
        .map(row ->
            row(first.indexOf(row.get(1)), row.get(2) == null ? null : second.indexOf(row.get(2))))
        .toList();
  }

  @Seeded(runs = 30)
  void codesAreThePlacesInTheGivenVocabulary(Random random) throws IOException {
    Table table = table(random);
    StructuredDataset data = writer().dataset(folder, table, random);
    List<String> vocabulary = new ArrayList<>(texts(table.rows(), 1));
    vocabulary.addAll(List.of("unused", "also unused"));
    Collections.shuffle(vocabulary, random);
    List<String> half = vocabulary.subList(0, vocabulary.size() / 2);
    int most = random.nextInt();
    StructuredDataset dataset = data.filter(Filter.col("id").le(most));
    List<List<Object>> kept =
        table.rows().stream().filter(row -> (Integer) row.get(0) <= most).toList();
    LoaderOptions options =
        options()
            .batchSize(1 + random.nextInt(100))
            .nulls(NullPolicy.mask())
            .strings("r", StringEncoding.codes(Vocabulary.of(vocabulary)))
            .strings("n", StringEncoding.codes(Vocabulary.of(half)).unknown(-1));
    for (int workers : Workers.COUNTS) {
      try (DataLoader loader = DataLoader.of(dataset, options.workers(workers))) {
        assertThat(numbers(loader)).isEqualTo(expected(kept, vocabulary, half));
      }
    }
  }

  @Seeded(runs = 30)
  void vocabularyThatIsFoundIsSortedWhateverTheWorkersAndTheOrder(Random random)
      throws IOException {
    Table table = table(random);
    StructuredDataset data = writer().dataset(folder, table, random);
    List<String> first = sorted(texts(table.rows(), 1));
    List<String> second = sorted(texts(table.rows(), 2));
    LoaderOptions options =
        options()
            .batchSize(1 + random.nextInt(100))
            .nulls(NullPolicy.mask())
            .strings("r", StringEncoding.codes())
            .strings("n", StringEncoding.codes());
    for (int workers : Workers.COUNTS) {
      DataLoader loader = DataLoader.of(data, options.workers(workers));
      try (loader) {
        for (int epoch = 0; epoch < 2; epoch++) {
          assertThat(numbers(loader)).isEqualTo(expected(table.rows(), first, second));
          assertThat(loader.vocabulary("r").texts()).isEqualTo(first);
          assertThat(loader.vocabulary("n").texts()).isEqualTo(second);
        }
      }
      Leaks.assertNone(loader, folder);
    }
    try (DataLoader loader = DataLoader.of(data.splitRows(50), options.shuffle(true).seed(3))) {
      assertThat(numbers(loader))
          .containsExactlyInAnyOrderElementsOf(expected(table.rows(), first, second));
    }
  }

  @Test
  void vocabularyHasTheTextsOfTheRowsThatTheFilterKeeps() throws IOException {
    StructuredDataset dataset =
        dataset(schema, List.of(row(1, "c"), row(2, "b"), row(3, "a"), row(4, null)))
            .where("id >= 2");
    for (OutputFormat output : OutputFormat.values()) {
      LoaderOptions options =
          options()
              .output(output)
              .nulls("s", NullPolicy.fill("none"))
              .strings("s", StringEncoding.codes());
      DataLoader loader = DataLoader.of(dataset, options);
      assertThat(loader.vocabulary("s")).isEqualTo(Vocabulary.of("a", "b", "none"));
      loader.close();
      assertThat(loader.vocabulary("s").size()).isEqualTo(3);
    }
  }

  @Test
  void vocabularyHasTheTextsThatATransformMakes() throws IOException {
    StructuredDataset dataset =
        dataset(schema, List.of(row(1, "c"), row(null, "b"), row(3, null), row(4, "c")));
    LoaderOptions options =
        options()
            .nulls(NullPolicy.mask())
            .strings("u", StringEncoding.codes())
            .transform((block, _) -> {
              String[] texts = block.strings("s");
              for (int i = 0; i < texts.length; i++) {
                texts[i] = texts[i] == null ? "none" : texts[i].toUpperCase(Locale.ROOT);
              }
              return block.with("u", texts);
            });
    try (DataLoader loader = DataLoader.of(dataset, options);
        Batch batch = loader.iterator().next()) {
      assertThat(loader.vocabulary("u")).isEqualTo(Vocabulary.of("B", "C", "none"));
      assertThat(values(batch, "u")).containsExactly(1, 0, 2, 1);
    }
  }

  @Test
  void vocabularyOfAColumnThatHasNoneIsRefused() throws IOException {
    try (DataLoader loader = DataLoader.of(dataset(schema, List.of(row(1, "a"))), options())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> loader.vocabulary("s"))
          .withMessage(
              "Cannot give the vocabulary of column 's': it is not delivered as codes. Use"
                  + " LoaderOptions.strings(column, StringEncoding.codes()).");
    }
  }

  @Nested
  class WhileAVocabularyIsFound {
    private FaultStorage.Site site;

    private DataLoader loader(int workers) throws IOException {
      dataset(nullable("s", TEXT), List.of(row("a"), row("b")));
      site = FaultStorage.over(folder);
      return DataLoader.of(
          new StructuredDataset(site.location()),
          options().workers(workers).strings("s", StringEncoding.codes()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void closingEndsThePass(int workers) throws Exception {
      FaultStorage.Gate gate = new FaultStorage.Gate();
      try (DataLoader loader = loader(workers)) {
        var _ = loader.dataset().schema();
        site.onRead(gate);
        FutureTask<Object> starting = new FutureTask<>(loader::iterator);
        Thread.ofPlatform().daemon().start(starting);
        gate.awaitArrival();
        assertThat(loader.stats().rows()).isZero(); // nobody waits for the pass but its caller
        Thread closing = Thread.ofPlatform().daemon().start(loader::close);
        while (closing.getState() != Thread.State.TIMED_WAITING) {
          Thread.onSpinWait(); // until it waits for those who are at the store
        }
        gate.open();
        closing.join();
        assertThatThrownBy(starting::get)
            .cause()
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("closed");
        Leaks.assertNone(loader, folder);
        assertThat(site.openFiles()).isZero();
      }
    }

    @Test
    void interruptEndsThePassAndSaysWhatItWasFor() throws Exception {
      FaultStorage.Gate gate = new FaultStorage.Gate();
      try (DataLoader loader = loader(2)) {
        var _ = loader.dataset().schema();
        site.onRead(gate);
        FutureTask<Object> starting = new FutureTask<>(loader::iterator);
        Thread thread = Thread.ofPlatform().daemon().start(starting);
        gate.awaitArrival();
        while (!isWaitingForThePass(thread) || thread.getState() == Thread.State.RUNNABLE) {
          Thread.onSpinWait();
        }
        thread.interrupt();
        while (isWaitingForThePass(thread)) { // else the pass may be over before it is interrupted
          Thread.onSpinWait();
        }
        gate.open();
        assertThatThrownBy(starting::get)
            .cause()
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("waiting for the pass that is to find a vocabulary");
        assertThat(loader.vocabulary("s").size()).isEqualTo(2);
      }
    }

    private static boolean isWaitingForThePass(Thread thread) {
      return Arrays.stream(thread.getStackTrace())
          .anyMatch(each -> each.getClassName().endsWith(".PassEpoch"));
    }

    @Test
    void faultOfAFileIsThrownAndThePassCanBeMadeAgain() throws Exception {
      try (DataLoader loader = loader(2)) {
        var _ = loader.dataset().schema();
        site.onRead(_ -> {
          throw new IOException("no route to host");
        });
        assertThatThrownBy(loader::iterator)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("no route to host");
        site.onRead(_ -> {});
        try (Batch batch = loader.iterator().next()) {
          assertThat(values(batch, "s")).containsExactly(0, 1);
        }
      }
    }
  }
}
