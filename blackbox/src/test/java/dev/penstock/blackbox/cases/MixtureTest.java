package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.Mixture;
import dev.penstock.Mixture.Stop;
import dev.penstock.OnBadFile;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.StringEncoding;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a mixture makes of its sources: one schema, shares that change, classes, and errors that
/// say what to do.
class MixtureTest {
  @TempDir Path path;

  private Folder folder() {
    return new Folder(path);
  }

  private StructuredDataset counting(String name, int rows) throws IOException {
    folder().write(name + "/part-0.parquet", Folder.ID, Folder.ids(0, rows));
    return new StructuredDataset(path.resolve(name).toString());
  }

  private StructuredDataset written(String name, Schema schema, List<List<Object>> rows)
      throws IOException {
    folder().write(name + "/part-0.parquet", schema, rows);
    return new StructuredDataset(path.resolve(name).toString());
  }

  private static Schema schema(Field... fields) {
    return Schema.of(List.of(fields));
  }

  private static DataLoader loader(StructuredDataset dataset, UnaryOperator<LoaderOptions> change) {
    LoaderOptions options = LoaderOptions.defaults().batchSize(100).rank(Rank.SINGLE);
    return DataLoader.of(dataset, change.apply(options));
  }

  private static List<List<Object>> rows(StructuredDataset dataset) {
    try (DataLoader loader = loader(dataset, o -> o.nulls(NullPolicy.mask()))) {
      return Delivery.ofEpoch(loader).rows();
    }
  }

  // --- One schema

  @Test
  void columnsOfOneNameAreWidened() throws IOException {
    StructuredDataset narrow =
        written(
            "narrow",
            schema(new Field("x", new DataType.Int(32, true), false)),
            List.of(List.of(1), List.of(2)));
    StructuredDataset wide =
        written(
            "wide",
            schema(new Field("x", new DataType.Int(64, true), true)),
            List.of(List.of(1L << 40), Collections.singletonList(null)));
    StructuredDataset mixed =
        new StructuredDataset(Mixture.of(narrow, 1).and(wide, 1).stop(Stop.ALL));

    assertThat(mixed.schema()).isEqualTo(schema(new Field("x", new DataType.Int(64, true), true)));
    assertThat(rows(mixed))
        .containsExactlyInAnyOrder(
            List.of(1L), List.of(2L), List.of(1L << 40), Collections.singletonList(null));
  }

  @Test
  void typesThatCannotBeJoinedNameBothSources() throws IOException {
    StructuredDataset text =
        written("text", schema(new Field("id", new DataType.Utf8(), false)), List.of(List.of("a")));
    StructuredDataset mixed =
        new StructuredDataset(Mixture.of(counting("numbers", 3), 1).and(text, 1));
    assertThatThrownBy(mixed::schema)
        .hasRootCauseInstanceOf(SchemaMismatchException.class)
        .hasMessage(
            "Cannot mix column 'id': it is int64 in source 0 but string in source 1. Cast it to one"
                + " type with cast() in one of them, or read other columns.");
  }

  @Test
  void sourceThatLacksAColumnSaysWhatBecomesOfIt() throws IOException {
    Field id = new Field("id", new DataType.Int(64, true), false);
    Field label = new Field("label", new DataType.Int(32, true), false);
    StructuredDataset labelled = written("labelled", schema(id, label), List.of(List.of(5L, 7)));
    StructuredDataset plain = counting("plain", 1);

    StructuredDataset refused = new StructuredDataset(Mixture.of(labelled, 1).and(plain, 1));
    assertThatThrownBy(refused::schema)
        .hasMessageContainingAll(
            "'label'", "source 0 has it but source 1 has not", "Leave it out of columns");
    assertThat(rows(refused.columns("id"))).containsExactlyInAnyOrder(List.of(0L), List.of(5L));

    StructuredDataset nulls = plain.missingColumns(MissingColumns.nulls());
    List<Object> unlabelled = new ArrayList<>(List.of(0L));
    unlabelled.add(null);
    assertThat(rows(new StructuredDataset(Mixture.of(labelled, 1).and(nulls, 1))))
        .containsExactlyInAnyOrder(List.of(5L, 7), unlabelled);
  }

  @Test
  void filterMayLookAtColumnsOfASourceAlone() throws IOException {
    Field id = new Field("id", new DataType.Int(64, true), false);
    Field score = new Field("score", new DataType.Int(32, true), false);
    StructuredDataset scored =
        written("scored", schema(id, score), List.of(List.of(100L, 1), List.of(101L, 9)))
            .columns("id")
            .where("score > 5");
    StructuredDataset mixed =
        new StructuredDataset(
            Mixture.of(scored, 1).and(counting("plain", 2), 1).stop(Stop.ALL).sourceColumn("of"));
    assertThat(rows(mixed))
        .containsExactlyInAnyOrder(List.of(101L, 0), List.of(0L, 1), List.of(1L, 1));
    assertThat(rows(mixed.where("id != 1").columns("of", "id")))
        .containsExactlyInAnyOrder(List.of(0, 101L), List.of(1, 0L));
  }

  @Test
  void badFilesAreThoseOfTheSources() throws IOException {
    StructuredDataset good = counting("good", 3);
    StructuredDataset some = counting("some", 3).onBadFile(OnBadFile.SKIP);
    Path bad = path.resolve("some/part-1.parquet");
    Files.writeString(bad, "PAR1 but nothing else");
    StructuredDataset mixed = new StructuredDataset(Mixture.of(good, 1).and(some, 1));
    try (DataLoader loader = DataLoader.of(mixed, LoaderOptions.defaults())) {
      assertThat(loader.stats().badFiles()).isZero(); // nothing is read to tell it
      assertThat(mixed.badFiles()).hasSize(1);
      assertThat(loader.stats().badFiles()).isEqualTo(1);
    }
    assertThat(mixed.badFiles().getFirst().location().name()).isEqualTo("part-1.parquet");
    assertThat(rows(mixed)).hasSize(6);
  }

  @Test
  void vocabularyHasTheTextsOfAllSources() throws IOException {
    Schema text = schema(new Field("t", new DataType.Utf8(), false));
    StructuredDataset mixed =
        new StructuredDataset(
            Mixture.of(written("a", text, List.of(List.of("x"), List.of("y"))), 1)
                .and(written("b", text, List.of(List.of("z"))), 1));
    try (DataLoader loader = loader(mixed, o -> o.strings("t", StringEncoding.codes()))) {
      assertThat(loader.batchesPerEpoch()).isOne();
      assertThat(loader.vocabulary("t").texts()).containsExactly("x", "y", "z");
    }
  }

  // --- Shares

  @Test
  void weightsChangeAtARow() throws IOException {
    Mixture mixture =
        Mixture.of(counting("a", 5_000), 1)
            .and(counting("b", 5_000), 1)
            .weightsFrom(1_000, 1, 0)
            .weightsFrom(3_000, 1, 3)
            .sourceColumn("of");
    List<List<Object>> rows = rows(new StructuredDataset(mixture));
    assertThat(ofSource(rows.subList(0, 1_000), 1)).isEqualTo(500);
    assertThat(ofSource(rows.subList(1_000, 3_000), 1)).isZero();
    assertThat(ofSource(rows.subList(3_000, 3_000 + 1_024), 1)).isEqualTo(768);
    assertThat(ofSource(rows, 1)).isEqualTo(5_000);
  }

  /// A curriculum is one for all ranks at the same time.
  @Seeded(runs = 20)
  void ranksHaveTheSameWeightsAtTheSameStep(Random random) throws IOException {
    int world = 2 + random.nextInt(3);
    Mixture mixture =
        Mixture.of(counting("a", 8_000), 1)
            .and(counting("b", 8_000), 1)
            .weightsFrom(2_000, 1, 0)
            .weightsFrom(5_003, 0, 1)
            .weightsFrom(7_001, 1, 3)
            .stop(one(random, Stop.values()))
            .sourceColumn("of");
    UnaryOperator<LoaderOptions> how =
        random.nextBoolean()
            ? o -> o.shuffle(Shuffle.window(1 + random.nextInt(700)))
            : UnaryOperator.identity();
    StructuredDataset mixed = new StructuredDataset(mixture);
    List<List<Object>> all = new ArrayList<>();
    Set<Long> batches = new HashSet<>();
    for (int rank = 0; rank < world; rank++) {
      Rank own = new Rank(rank, world);
      try (DataLoader loader = loader(mixed, o -> how.apply(o).rank(own))) {
        batches.add(loader.batchesPerEpoch());
        List<List<Object>> rows = Delivery.ofEpoch(loader).rows();
        all.addAll(rows);
        // A stage has another row where it does not divide evenly.
        assertThat(ofSource(rows.subList(0, 2_000 / world - 1), 1))
            .isCloseTo(1_000 / world, within(60L)); // a share begins within a block
        assertThat(ofSource(rows.subList(2_000 / world + 1, 5_003 / world - 2), 1)).isZero();
        assertThat(ofSource(rows.subList(5_003 / world + 2, 7_001 / world - 3), 0)).isZero();
        int from = 7_001 / world + 3;
        assertThat(ofSource(rows.subList(from, from + 1_024), 1)).isCloseTo(768, within(60L));
      }
    }
    assertThat(batches).hasSize(1);
    assertThat(all).containsExactlyInAnyOrderElementsOf(rows(mixed));
  }

  /// Worlds that stop within an epoch lose no row of a curriculum, and bring none twice.
  @Seeded(runs = 40)
  void otherWorldsGoOnWithTheStages(Random random) throws IOException {
    Mixture mixture =
        Mixture.of(counting("a", 900), 1)
            .and(counting("b", 500), 2)
            .weightsFrom(100 + random.nextInt(100), 1, 0)
            .weightsFrom(300 + random.nextInt(300), 1, 3)
            .stop(one(random, Stop.values()))
            .sourceColumn("of");
    StructuredDataset mixed = new StructuredDataset(mixture);
    RankEnd end = random.nextInt(3) == 0 ? RankEnd.DROP : RankEnd.EXACT;
    Shuffle shuffle =
        random.nextBoolean() ? Shuffle.none() : Shuffle.window(1 + random.nextInt(90));
    List<List<Object>> received = new ArrayList<>();
    List<LoaderState> states = List.of();
    for (int world : new int[] {1 + random.nextInt(4), 1 + random.nextInt(4), 1}) {
      List<LoaderState> next = new ArrayList<>();
      long steps = world == 1 && !states.isEmpty() ? Long.MAX_VALUE : random.nextInt(5);
      for (int rank = 0; rank < world; rank++) {
        Rank own = new Rank(rank, world);
        try (DataLoader loader =
            loader(mixed, o -> o.batchSize(30).rankEnd(end).shuffle(shuffle).rank(own))) {
          if (!states.isEmpty()) {
            loader.resume(LoaderState.merge(states));
          }
          EpochIterator<Batch> epoch = loader.iterator();
          for (long step = 0; step < steps && epoch.hasNext(); step++) {
            try (Batch batch = epoch.next()) {
              long[] ids = (long[]) batch.tensor("id").toArray();
              int[] sources = (int[]) batch.tensor("of").toArray();
              for (int row = 0; row < batch.rowCount(); row++) {
                received.add(List.of(ids[row], sources[row]));
              }
            }
          }
          next.add(LoaderState.parse(loader.state().toJson()));
        }
      }
      states = next;
      if (states.getFirst().epoch() > 0) {
        break;
      }
    }
    if (states.getFirst().epoch() == 0) {
      try (DataLoader loader = loader(mixed, o -> o.batchSize(30).rankEnd(end).shuffle(shuffle))) {
        loader.resume(LoaderState.merge(states));
        received.addAll(Delivery.ofEpoch(loader).rows());
      }
      assertThat(received).containsExactlyInAnyOrderElementsOf(rows(mixed));
    } else {
      assertThat(received).isNotEmpty();
    }
  }

  private static <T> T one(Random random, T[] all) {
    return all[random.nextInt(all.length)];
  }

  private static long ofSource(List<List<Object>> rows, int source) {
    return rows.stream().filter(row -> row.get(1).equals(source)).count();
  }

  @Test
  void placesAreRandomWithinABlock() throws IOException {
    StructuredDataset mixed =
        new StructuredDataset(
            Mixture.of(counting("a", 4_096), 1).and(counting("b", 4_096), 1).sourceColumn("of"));
    List<List<Boolean>> orders = new ArrayList<>();
    for (long seed : new long[] {1, 2}) {
      try (DataLoader loader = loader(mixed, o -> o.seed(seed))) {
        for (int epoch = 0; epoch < 2; epoch++) {
          List<Boolean> first =
              Delivery.ofEpoch(loader).rows().stream().map(row -> row.get(1).equals(0)).toList();
          orders.add(first.subList(0, 1_024));
          orders.add(first.subList(1_024, 2_048));
        }
      }
    }
    for (List<Boolean> order : orders) {
      assertThat(order.stream().filter(each -> each)).hasSize(512);
      long changes =
          IntStream.range(1, 1_024).filter(i -> !order.get(i).equals(order.get(i - 1))).count();
      // Of 1,023 neighbours half differ, with a deviation of 16.
      assertThat(changes).isBetween(430L, 594L);
    }
    assertThat(orders).doesNotHaveDuplicates();
  }

  @Test
  void classesAreBalanced() throws IOException {
    Schema schema =
        schema(
            new Field("id", new DataType.Int(64, true), false),
            new Field("label", new DataType.Utf8(), true));
    List<List<Object>> rows = new ArrayList<>();
    for (long id = 0; id < 1_000; id++) {
      List<Object> row = new ArrayList<>(List.of(id));
      row.add(id % 10 == 0 ? "rare" : id % 100 == 1 ? null : "usual");
      rows.add(row);
    }
    StructuredDataset dataset = written("labels", schema, rows);
    Mixture mixture = Mixture.balanced(dataset.where("id < 990"), "label");
    assertThat(mixture.sources()).hasSize(3);

    List<List<Object>> under = rows(new StructuredDataset(mixture));
    assertThat(under).hasSizeBetween(29, 31).doesNotHaveDuplicates();
    List<List<Object>> over = rows(new StructuredDataset(mixture.stop(Stop.REPEAT)));
    assertThat(over.stream().distinct()).hasSize(990);
    for (String label : new String[] {"rare", "usual", null}) {
      assertThat(under.stream().filter(row -> Objects.equals(row.get(1), label)))
          .hasSizeBetween(9, 11);
      assertThat(over.stream().filter(row -> Objects.equals(row.get(1), label)))
          .hasSizeBetween(878, 884);
    }
    assertThatThrownBy(() -> Mixture.balanced(dataset.cast("id", DataType.float64()), "id"))
        .hasMessage(
            "Cannot balance by column 'id': it is float64. Expected strings, integers or booleans.");
    StructuredDataset many = counting("many", 1_500);
    assertThatThrownBy(() -> Mixture.balanced(many, "id"))
        .hasMessageContaining("it has more than 1000 values, such as [0, 1, 2]");
  }

  @Test
  void matrixHasTheRowsOfItsSources() throws IOException {
    Mixture mixture = Mixture.of(floats("a", 3_000, 0), 3).and(floats("b", 2_000, 10_000), 1);
    StructuredDataset mixed = new StructuredDataset(mixture.stop(Stop.ALL));
    String[] names = IntStream.range(0, 37).mapToObj(column -> "f" + column).toArray(String[]::new);
    for (int workers : new int[] {0, 1, 2, 3}) {
      List<Integer> firsts = new ArrayList<>();
      try (DataLoader loader =
          loader(mixed, o -> o.workers(workers).batchSize(700).features("m", names))) {
        for (Batch batch : loader) {
          try (batch) {
            float[] all = (float[]) batch.tensor("m").toArray();
            for (int row = 0; row < batch.rowCount(); row++) {
              int first = (int) all[row * 37];
              firsts.add(first);
              for (int column = 0; column < 37; column++) {
                assertThat(all[row * 37 + column]).isEqualTo(first + column * 0.125f);
              }
            }
          }
        }
      }
      assertThat(firsts.stream().filter(each -> each < 10_000))
          .isEqualTo(IntStream.range(0, 3_000).boxed().toList());
      assertThat(firsts.stream().filter(each -> each >= 10_000))
          .isEqualTo(IntStream.range(10_000, 12_000).boxed().toList());
    }
  }

  /// Columns of floats, of which every third is stored as doubles.
  private StructuredDataset floats(String name, int rows, int first) throws IOException {
    List<Field> fields = new ArrayList<>();
    for (int column = 0; column < 37; column++) {
      int bits = column % 3 == 0 ? 64 : 32;
      fields.add(new Field("f" + column, new DataType.Floating(bits), false));
    }
    List<List<Object>> values = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      List<Object> each = new ArrayList<>();
      for (int column = 0; column < 37; column++) {
        float value = first + row + column * 0.125f;
        each.add(column % 3 == 0 ? (Object) (double) value : (Object) value);
      }
      values.add(each);
    }
    return written(name, Schema.of(fields), values);
  }

  // --- What is refused

  @Test
  void sourcesWithoutAShareOrRowsAreRefused() throws IOException {
    StructuredDataset some = counting("some", 10);
    assertThatThrownBy(() -> Mixture.of(some, -0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The weight of a source must be a positive number, got -0.5.");
    assertThatThrownBy(() -> Mixture.of(some, Double.NaN)).hasMessageContaining("NaN");
    Mixture zero = Mixture.of(some, 1).and(some, 0);
    assertThatThrownBy(() -> new StructuredDataset(zero))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The weight of source 1 is 0.0, so it has no row:");
    assertThatThrownBy(() -> new StructuredDataset(Mixture.of(some, 1).and(some, 1e-9)))
        .hasMessageContaining("at least a millionth");
    Mixture never = Mixture.of(some, 0).and(some, 0).weightsFrom(5, 1, 1);
    assertThatThrownBy(() -> new StructuredDataset(never))
        .hasMessageStartingWith("The weights of a mixture's first rows must not all be 0.");
    // One that begins later has a share.
    assertThat(rows(new StructuredDataset(zero.weightsFrom(5, 0, 1)))).hasSize(15);

    StructuredDataset empty =
        new StructuredDataset(Mixture.of(some, 1).and(some.where("id < 0 or id = 77"), 1));
    try (DataLoader loader = loader(empty, o -> o)) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot mix source 1, StructuredDataset")
          .hasMessageEndingWith("it has no rows. Leave it out.");
    }
    StructuredDataset often =
        new StructuredDataset(
            Mixture.of(counting("one", 1), 0.999)
                .and(counting("more", 2_000), 0.001)
                .stop(Stop.REPEAT));
    try (DataLoader loader = loader(often, o -> o)) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot mix source 0: its 1 rows would be read 199");
    }
    StructuredDataset mixed = new StructuredDataset(Mixture.of(some, 1));
    assertThatThrownBy(() -> Mixture.of(mixed, 1)).hasMessageContaining("cannot be a source");
    assertThatThrownBy(() -> mixed.cast("id", DataType.int32()))
        .hasMessageContaining("on a mixture: each of its sources has its own");
    assertThatThrownBy(mixed::openRows).hasMessageContaining("on a mixture");
    assertThatThrownBy(() -> Mixture.of(some, 1).weightsFrom(10, 1, 2))
        .hasMessage("Expected a weight for each of 1 sources, got 2.");
  }

  @Test
  void optionsThatNeedOneSourceAreRefused() throws IOException {
    StructuredDataset mixed = new StructuredDataset(Mixture.of(counting("some", 10), 1));
    try (DataLoader loader = loader(mixed, o -> o.splitPerWorker(true).workers(2))) {
      assertThatThrownBy(loader::iterator).hasMessageContaining("splitPerWorker(true)");
    }
    try (DataLoader loader = loader(mixed, o -> o.transform((block, _) -> block))) {
      assertThatThrownBy(loader::iterator).hasMessageContaining("rows of a mixture");
    }
  }

  @Test
  void stateOfOtherWeightsIsRefused() throws IOException {
    StructuredDataset some = counting("some", 500);
    LoaderState state;
    try (DataLoader loader =
        loader(new StructuredDataset(Mixture.of(some, 1).and(some, 2)), o -> o)) {
      EpochIterator<Batch> epoch = loader.iterator();
      epoch.next().close();
      state = loader.state();
    }
    try (DataLoader loader =
        loader(new StructuredDataset(Mixture.of(some, 1).and(some, 3)), o -> o)) {
      loader.resume(state);
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(
              "Cannot resume: the shuffle is 'none, mixed by weights [1.0, 3.0], stop first' here"
                  + " but 'none, mixed by weights [1.0, 2.0], stop first' in the state.");
    }
  }

  @Test
  void shownWithoutOpeningAnything() {
    assertThat(
            new StructuredDataset(
                    Mixture.of(new StructuredDataset("web"), 0.7)
                        .and(new StructuredDataset("books"), 0.3)
                        .sourceColumn("of"))
                .toString())
        .isEqualTo(
            "StructuredDataset of Mixture of 0.7 of StructuredDataset [web], not opened yet, 0.3 of"
                + " StructuredDataset [books], not opened yet, stop first, source column of");
  }
}
