package dev.penstock.blackbox.contract;

import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.NullValueException;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.tck.Values;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What every format with nested columns promises of their forms: lists of numbers as ragged
/// tensors and blocks, all else as objects, parts of structs as columns.
class NestedContractTest extends ColumnContract {
  static final DataType INT64 = new DataType.Int(64, true);

  /// Addresses, which have a city and coordinates.
  private static final Schema ADDRESSES = addressSchema();

  static List<ContractFiles> files() {
    return ContractFiles.ofLists();
  }

  /// Writes one file of one nullable column, a value a row.
  StructuredDataset column(DataType type, Object... values) throws IOException {
    return dataset(
        Schema.of(List.of(new Field("c", type, true))),
        Arrays.stream(values).map(Values::row).toList());
  }

  /// Skips a test of what is never null where files do not say that.
  private void assumeReadAsWritten(Schema schema) {
    assumeTrue(writer().read(schema).equals(schema), "the format does not say what is never null");
  }

  static DataType list(DataType element) {
    return new DataType.List(element, true);
  }

  static Map<String, Object> struct(Object... namesAndValues) {
    Map<String, Object> struct = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      struct.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return struct;
  }

  private static Batch first(DataLoader loader) {
    return loader.iterator().next();
  }

  private static float[] floats(Tensor tensor) {
    return (float[]) tensor.toArray();
  }

  private static long[] longs(Tensor tensor) {
    return (long[]) tensor.toArray();
  }

  @Test
  void listsOfOneLengthAreABlock() throws IOException {
    StructuredDataset dataset =
        column(list(FLOAT32), row(1f, 2f), row(3f, 4f), row(5f, 6f), row(7f, 8f), row(9f, 10f));
    for (int workers : Workers.COUNTS) {
      try (DataLoader loader = DataLoader.of(dataset, options().batchSize(2).workers(workers));
          EpochIterator<Batch> epoch = loader.iterator()) {
        try (Batch batch = epoch.next()) {
          assertThat(batch.names()).containsExactly("c");
          Tensor block = batch.tensor("c");
          assertThat(block.dtype()).isEqualTo(DType.FLOAT32);
          assertThat(block.shape()).isEqualTo(Shape.of(2, 2));
          assertThat(floats(block)).containsExactly(1, 2, 3, 4);
          RaggedTensor lists = batch.ragged("c");
          assertThat(lists.isUniform()).isTrue();
          assertThat(lists.values().memory()).isEqualTo(block.memory());
          assertThat(longs(lists.offsets())).containsExactly(0, 2, 4);
        }
        epoch.next().close();
        try (Batch last = epoch.next()) {
          assertThat(last.tensor("c").shape()).isEqualTo(Shape.of(1, 2));
          assertThat(floats(last.tensor("c"))).containsExactly(9, 10);
          assertThat(longs(last.ragged("c").offsets())).containsExactly(0, 2);
        }
      }
    }
  }

  @Test
  void listsOfAnyLengthAreRagged() throws IOException {
    StructuredDataset dataset = column(list(INT64), row(1L, 2L), row(), row(3L), row(4L, 5L, 6L));
    try (DataLoader loader = DataLoader.of(dataset, options())) {
      Batch batch = first(loader);
      RaggedTensor lists = batch.ragged("c");
      assertThat(longs(lists.values())).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(longs(lists.offsets())).containsExactly(0, 2, 2, 3, 6);
      assertThat(lists.rowCount()).isEqualTo(4);
      assertThat(lists.isUniform()).isFalse();
      assertThat(lists.length(3)).isEqualTo(3);
      assertThat(longs(lists.row(3))).containsExactly(4, 5, 6);
      assertThat(lists.row(1).shape()).isEqualTo(Shape.of(0));
      assertThatThrownBy(() -> lists.length(4)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> lists.row(-1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> batch.tensor("c"))
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage(
              "Cannot batch column 'c': row 1 has length 0 but row 0 has 2. Use ragged(\"c\"),"
                  + " which takes lists of any length.");
      assertThatThrownBy(() -> batch.list("c"))
          .hasMessage(
              "Cannot read column 'c' as List: it is held as a ragged tensor. Use ragged(\"c\").");
      batch.close();
      assertThatThrownBy(() -> lists.row(0)).hasMessageContaining("closed");
      assertThatThrownBy(() -> lists.length(0)).hasMessageContaining("closed");
      assertThatThrownBy(() -> batch.ragged("c")).hasMessageContaining("closed");
    }
  }

  /// Two elements and four in turn are three a row, by what a footer says.
  @Seeded(runs = 30)
  void listsThatAreUniformOnlyOnTheAverageComeAsTheyAre(Random random) throws IOException {
    List<List<List<Object>>> groups = new ArrayList<>();
    int next = 0;
    for (int group = 0; group < 1 + random.nextInt(4); group++) {
      List<List<Object>> rows = new ArrayList<>();
      boolean uniform = random.nextBoolean();
      for (int row = 0; row < 2 * (1 + random.nextInt(60)); row++) {
        int length = uniform ? 3 : row % 2 == 0 ? 2 : 4;
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < length; i++) {
          list.add(next++);
        }
        rows.add(row((Object) list));
      }
      groups.add(rows.size() % 2 == 0 ? rows : rows.subList(0, rows.size() - 1));
    }
    Schema schema = Schema.of(List.of(new Field("c", list(INT32), false)));
    Table table = new Table(schema, List.of(new Table.DataFile("part-0", groups)));
    StructuredDataset dataset = writer().dataset(folder, table, random);
    int batchSize = 1 + random.nextInt(30);
    Delivery first = null;
    for (int workers : Workers.COUNTS) {
      LoaderOptions options =
          options().workers(workers).batchSize(batchSize).nulls(NullPolicy.mask());
      DataLoader loader = DataLoader.of(dataset, options);
      try (loader) {
        Delivery delivery = Delivery.ofEpoch(loader);
        assertThat(delivery.rows()).isEqualTo(table.rows());
        first = first == null ? delivery : first;
        assertThat(delivery).isEqualTo(first);
      }
      Leaks.assertNone(loader, folder);
    }
  }

  @Test
  void nullListIsAnErrorWhereTensorsHaveNoPlaceForIt() throws IOException {
    StructuredDataset dataset = column(list(FLOAT32), row(1f), row(2f), null, row(3f));
    for (NullPolicy policy : List.of(NullPolicy.nan(), NullPolicy.fill(0), NullPolicy.error())) {
      Failure.of(dataset, options().nulls(policy))
          .hasCauseInstanceOf(NullValueException.class)
          .hasMessage(
              "Cannot batch column 'c': row 2 is null and a tensor of lists has no place for one."
                  + " Use NullPolicy.mask(), or OutputFormat.MAP. ["
                  + file()
                  + ", row 2]");
    }
    assertThat(Failure.meet(dataset, options().batchSize(2)).batches()).containsExactly(2);
  }

  @Test
  void maskTellsNullListsFromEmptyOnes() throws IOException {
    StructuredDataset dataset = column(list(INT32), row(1, null), null, row(), row(null, 2));
    try (DataLoader loader = DataLoader.of(dataset, options().nulls(NullPolicy.mask()));
        Batch batch = first(loader)) {
      assertThat(batch.names()).containsExactly("c", "c.mask", "c.element.mask");
      RaggedTensor lists = batch.ragged("c");
      assertThat((int[]) lists.values().toArray()).containsExactly(1, 0, 0, 2);
      assertThat(longs(lists.offsets())).containsExactly(0, 2, 2, 2, 4);
      assertThat((boolean[]) batch.tensor("c.mask").toArray())
          .containsExactly(true, false, true, true);
      RaggedTensor mask = batch.ragged("c.element.mask");
      assertThat((boolean[]) mask.values().toArray()).containsExactly(true, false, false, true);
      assertThat(longs(mask.offsets())).containsExactly(0, 2, 2, 2, 4);
    }
  }

  @Test
  void maskOfUniformListsIsABlockLikeThem() throws IOException {
    StructuredDataset dataset = column(list(INT32), row(1, null), row(3, 4));
    try (DataLoader loader = DataLoader.of(dataset, options().nulls(NullPolicy.mask()));
        Batch batch = first(loader)) {
      assertThat((int[]) batch.tensor("c").toArray()).containsExactly(1, 0, 3, 4);
      assertThat(batch.tensor("c.element.mask").shape()).isEqualTo(Shape.of(2, 2));
      assertThat((boolean[]) batch.tensor("c.element.mask").toArray())
          .containsExactly(true, false, true, true);
    }
  }

  @Test
  void nullListAmongUniformOnesMakesTheBatchRagged() throws IOException {
    StructuredDataset dataset = column(list(INT32), row(1, 2), null, row(3, 4), row(5, 6));
    try (DataLoader loader =
        DataLoader.of(dataset, options().batchSize(2).nulls(NullPolicy.mask()))) {
      EpochIterator<Batch> epoch = loader.iterator();
      try (Batch batch = epoch.next()) {
        assertThat(batch.ragged("c").isUniform()).isFalse();
        assertThat(longs(batch.ragged("c").offsets())).containsExactly(0, 2, 2);
      }
      try (Batch batch = epoch.next()) {
        assertThat((int[]) batch.tensor("c").toArray()).containsExactly(3, 4, 5, 6);
      }
    }
  }

  @Test
  void masksAreThereWhereTheTypeAllowsNulls() throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("a", new DataType.List(INT32, false), false),
                new Field("b", new DataType.List(INT32, true), false),
                new Field("c", new DataType.List(INT32, false), true)));
    assumeReadAsWritten(schema);
    StructuredDataset dataset = dataset(schema, List.of(row(row(1), row(2), row(3))));
    try (DataLoader loader = DataLoader.of(dataset, options().nulls(NullPolicy.mask()));
        Batch batch = first(loader)) {
      assertThat(batch.names()).containsExactly("a", "b", "b.element.mask", "c", "c.mask");
    }
  }

  @Test
  void nullElementsFollowThePolicy() throws IOException {
    StructuredDataset floats = column(list(FLOAT32), row(1f, null), row((Object) null));
    try (DataLoader loader = DataLoader.of(floats, options());
        Batch batch = first(loader)) {
      assertThat(floats(batch.ragged("c").values())).containsExactly(1, Float.NaN, Float.NaN);
    }
    try (DataLoader loader = DataLoader.of(floats, options().nulls(NullPolicy.fill(-1)));
        Batch batch = first(loader)) {
      assertThat(floats(batch.ragged("c").values())).containsExactly(1, -1, -1);
    }
    Failure.of(floats, options().nulls(NullPolicy.error()))
        .hasMessageContaining("element 1 of row 0 is null");
  }

  @Test
  void nullElementWithoutAPlaceIsNamed() throws IOException {
    StructuredDataset dataset = column(list(INT32), row(1, 2), row(), row(3, 4, null), row(5));
    Failure.of(dataset, options())
        .hasCauseInstanceOf(NullValueException.class)
        .hasMessage(
            "Cannot batch column 'c': element 2 of row 2 is null and its type has no place for one."
                + " Use NullPolicy.fill() or NullPolicy.mask(). ["
                + file()
                + ", row 2]");
  }

  @Test
  void fillThatDoesNotFitTheElementsIsRefused() throws IOException {
    StructuredDataset dataset = column(list(INT32), row(1));
    try (DataLoader loader = DataLoader.of(dataset, options().nulls(NullPolicy.fill(0.5)))) {
      assertThatIllegalArgumentException()
          .isThrownBy(loader::iterator)
          .withMessageStartingWith(
              "Cannot fill nulls of column 'c' with 0.5: its type int32 takes");
    }
  }

  @Test
  void listsBecomeArraysOfArrays() throws IOException {
    DataType unsigned = new DataType.Int(8, false);
    assumeTrue(writer().holds(unsigned), "the format has no unsigned numbers");
    Schema schema =
        Schema.of(
            List.of(
                new Field("f", list(FLOAT32), true),
                new Field("z", list(new DataType.Bool()), true),
                new Field("u", list(unsigned), true)));
    StructuredDataset dataset =
        dataset(
            schema,
            List.of(
                row(row(1f, 2f), row(true), row(255)),
                row(row(), row(false, true), row(0)),
                row(null, null, null)));
    for (NullPolicy policy : List.of(NullPolicy.nan(), NullPolicy.fill(1))) {
      LoaderOptions options = options().output(OutputFormat.ARRAY).nulls(policy);
      try (DataLoader loader = DataLoader.of(dataset, options);
          Batch batch = first(loader)) {
        assertThat(batch.names()).containsExactly("f", "z", "u");
        assertThat(batch.array("f", float[][].class))
            .isDeepEqualTo(new float[][] {{1, 2}, {}, null});
        assertThat(batch.array("z", boolean[][].class))
            .isDeepEqualTo(new boolean[][] {{true}, {false, true}, null});
        assertThat(batch.array("u", short[][].class))
            .isDeepEqualTo(new short[][] {{255}, {0}, null});
      }
    }
    LoaderOptions strict = options().output(OutputFormat.ARRAY).nulls(NullPolicy.error());
    Failure.of(dataset, strict).hasMessageContaining("column 'f': row 2 is null");
  }

  @Test
  void arraysHaveMasksWhenAskedFor() throws IOException {
    StructuredDataset dataset = column(list(INT32), row(1, null), null);
    LoaderOptions options = options().output(OutputFormat.ARRAY).nulls(NullPolicy.mask());
    try (DataLoader loader = DataLoader.of(dataset, options);
        Batch batch = first(loader)) {
      assertThat(batch.array("c", int[][].class)).isDeepEqualTo(new int[][] {{1, 0}, null});
      assertThat(batch.array("c.mask", boolean[].class)).containsExactly(true, false);
      assertThat(batch.array("c.element.mask", boolean[][].class))
          .isDeepEqualTo(new boolean[][] {{true, false}, null});
    }
  }

  @ParameterizedTest
  @EnumSource(names = "ARROW", mode = EnumSource.Mode.EXCLUDE)
  void otherNestedValuesAreObjects(OutputFormat output) throws IOException {
    assumeTrue(writer().hasMaps(), "the format has no maps whose keys have types and come again");
    DataType point =
        new DataType.Struct(List.of(new Field("y", INT32, true), new Field("x", TEXT, true)));
    Schema schema =
        Schema.of(
            List.of(
                new Field("tags", list(TEXT), true),
                new Field("grid", list(list(INT32)), true),
                new Field("point", point, true),
                new Field("map", new DataType.Map(TEXT, INT32, true), true)));
    StructuredDataset dataset =
        dataset(
            schema,
            List.of(
                row(
                    row("a", null),
                    row(row(1), null, row()),
                    struct("y", 3, "x", null),
                    List.of(entry("k", 1), entry("a", 2), entry("k", 3))),
                row(row(), row(), struct("y", null, "x", "e"), row()),
                row(null, null, null, null)));
    try (DataLoader loader = DataLoader.of(dataset, options().output(output));
        Batch batch = first(loader)) {
      assertThat(objects(batch, "tags")).containsExactly(row("a", null), List.of(), null);
      assertThat(objects(batch, "grid"))
          .containsExactly(row(List.of(1), null, List.of()), List.of(), null);
      assertThat(objects(batch, "point").getFirst()).hasToString("{y=3, x=null}");
      assertThat(objects(batch, "point").get(1)).isEqualTo(struct("y", null, "x", "e"));
      assertThat(objects(batch, "map"))
          .containsExactly(List.of(entry("k", 1), entry("a", 2), entry("k", 3)), List.of(), null);
    }
  }

  private static List<Object> objects(Batch batch, String name) {
    Object column = batch.column(name);
    return column instanceof List<?> list
        ? new ArrayList<>(list)
        : Arrays.asList((Object[]) column);
  }

  @Test
  void listsOfNumbersAreObjectsInMaps() throws IOException {
    StructuredDataset dataset = column(list(INT32), row(1, null), null, row());
    try (DataLoader loader = DataLoader.of(dataset, options().output(OutputFormat.MAP));
        Batch batch = first(loader)) {
      assertThat(batch.list("c")).isEqualTo(row(row(1, null), null, row()));
    }
  }

  @Test
  void errorPolicyRefusesNullRowsNotNullsInside() throws IOException {
    StructuredDataset dataset = column(list(TEXT), row("a", null), null);
    Failure failure = Failure.meet(dataset, options().batchSize(1).nulls(NullPolicy.error()));
    assertThat(failure.batches()).containsExactly(1);
    assertThat(failure.thrown())
        .hasMessageStartingWith("Cannot batch column 'c': row 1 is null")
        .hasMessageEndingWith(file() + ", row 1]");
  }

  private static Schema addressSchema() {
    DataType place =
        new DataType.Struct(
            List.of(
                new Field("lat", new DataType.Floating(64), false),
                new Field("tags", list(INT32), false)));
    DataType address =
        new DataType.Struct(
            List.of(new Field("city", TEXT, false), new Field("place", place, true)));
    return Schema.of(List.of(new Field("id", INT64, false), new Field("address", address, true)));
  }

  private StructuredDataset addresses() throws IOException {
    return dataset(
        ADDRESSES,
        List.of(
            row(1L, struct("city", "Bern", "place", struct("lat", 46.9, "tags", row(1, 2)))),
            row(2L, null),
            row(3L, struct("city", "Rome", "place", null))));
  }

  @Test
  void partsOfStructsAreColumns() throws IOException {
    assumeReadAsWritten(ADDRESSES);
    StructuredDataset dataset =
        addresses().columns("address.city", "id", "address.place.lat", "address.place.tags");
    assertThat(dataset.schema().fields())
        .containsExactly(
            new Field("address.city", TEXT, true),
            new Field("id", INT64, false),
            new Field("address.place.lat", new DataType.Floating(64), true),
            new Field("address.place.tags", list(INT32), true));
    assertThat(dataset.fileSchema().names()).containsExactly("id", "address");
    for (int workers : Workers.COUNTS) {
      LoaderOptions options = options().workers(workers).nulls(NullPolicy.mask());
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        assertThat(Delivery.ofEpoch(loader).rows())
            .containsExactly(
                row("Bern", 1L, 46.9, row(1, 2)),
                row(null, 2L, null, null),
                row("Rome", 3L, null, null));
      }
    }
  }

  @Test
  void structAndItsPartCanBeReadTogether() throws IOException {
    StructuredDataset dataset = addresses().columns("address.place", "address.place.lat");
    try (DataLoader loader = DataLoader.of(dataset, options().output(OutputFormat.MAP))) {
      assertThat(Delivery.ofEpoch(loader).rows().getFirst())
          .containsExactly(struct("lat", 46.9, "tags", row(1, 2)), 46.9);
    }
  }

  @Test
  void partsOfStructsFitAMatrix() throws IOException {
    StructuredDataset all = addresses();
    for (StructuredDataset dataset : List.of(all, all.columns("id", "address.place.lat"))) {
      try (DataLoader loader =
              DataLoader.of(dataset, options().features("x", "address.place.lat", "id"));
          Batch batch = first(loader)) {
        assertThat(floats(batch.tensor("x"))).containsExactly(46.9f, 1, Float.NaN, 2, Float.NaN, 3);
      }
    }
  }

  @Test
  void unknownPartListsThePartsThereAre() throws IOException {
    StructuredDataset dataset = addresses();
    Failure.of(dataset.columns("address.place.lon"), options())
        .hasMessage(
            "Cannot read column 'address.place.lon': no such column in "
                + file()
                + ". Columns are: [id, address]. The parts of 'address.place' are: [lat, tags].");
    Failure.of(dataset.columns("id.x"), options())
        .hasMessageEndingWith(". Did you mean 'id'? Columns are: [id, address].");
  }

  /// Chats, whose messages have a role, a number, tags, parts with a text, and details with a
  /// title.
  private static DataType.Struct messageType() {
    DataType part = new DataType.Struct(List.of(new Field("text", TEXT, true)));
    DataType details = new DataType.Struct(List.of(new Field("title", TEXT, true)));
    return new DataType.Struct(
        List.of(
            new Field("role", TEXT, true),
            new Field("number", INT64, true),
            new Field("tags", list(TEXT), true),
            new Field("parts", list(part), true),
            new Field("details", details, true)));
  }

  private static Object orNull(Random random, Supplier<Object> value) {
    return random.nextInt(6) == 0 ? null : value.get();
  }

  private static Object randomMessage(Random random) {
    Supplier<Object> text = () -> orNull(random, () -> Values.random(TEXT, random));
    Supplier<Object> part = () -> orNull(random, () -> struct("text", text.get()));
    return struct(
        "role",
        text.get(),
        "number",
        orNull(random, () -> Values.random(INT64, random)),
        "tags",
        orNull(random, () -> Values.list(random.nextInt(4), text)),
        "parts",
        orNull(random, () -> Values.list(random.nextInt(3), part)),
        "details",
        orNull(random, () -> struct("title", text.get())));
  }

  /// Takes what is at a path of names and `[]` out of a value, one step after another.
  private static Object at(Object value, List<String> path) {
    if (value == null || path.isEmpty()) {
      return value;
    }
    List<String> rest = path.subList(1, path.size());
    if (!path.getFirst().equals("[]")) {
      return at(((Map<?, ?>) value).get(path.getFirst()), rest);
    }
    List<Object> taken = new ArrayList<>();
    ((List<?>) value).forEach(element -> taken.add(at(element, rest)));
    return taken;
  }

  @Seeded(runs = 30)
  void fieldsOfStructsInListsAreColumns(Random random) throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("messages", list(messageType()), true),
                new Field(
                    "chat",
                    new DataType.Struct(List.of(new Field("turns", list(messageType()), true))),
                    true)));
    Supplier<Object> messages =
        () ->
            orNull(
                random,
                () ->
                    Values.list(
                        random.nextInt(5), () -> orNull(random, () -> randomMessage(random))));
    List<Table.DataFile> files = new ArrayList<>();
    for (int file = 0; file < 1 + random.nextInt(3); file++) {
      List<List<List<Object>>> groups = new ArrayList<>();
      for (int group = 0; group < 1 + random.nextInt(3); group++) {
        List<List<Object>> rows = new ArrayList<>();
        // Text formats find the types in the values.
        Object full = row(fullMessage());
        rows.add(row(full, struct("turns", full)));
        for (int row = random.nextInt(60); row > 0; row--) {
          rows.add(row(messages.get(), orNull(random, () -> struct("turns", messages.get()))));
        }
        groups.add(rows);
      }
      files.add(new Table.DataFile("part-" + file, groups));
    }
    Table table = new Table(schema, files);
    StructuredDataset all = writer().dataset(folder, table, random);
    List<String> names =
        new ArrayList<>(
            List.of(
                "messages[].role",
                "messages[].number",
                "messages[].tags",
                "messages[].parts",
                "messages[].parts[].text",
                "messages[].details",
                "messages[].details.title",
                "chat.turns[].parts[].text",
                "chat.turns[].number",
                "chat",
                "messages"));
    Collections.shuffle(names, random);
    List<String> chosen = names.subList(0, 1 + random.nextInt(names.size()));
    StructuredDataset dataset = all.columns(chosen.toArray(String[]::new));
    assertThat(dataset.schema().names()).isEqualTo(chosen);
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      Map<String, Object> whole = struct("messages", row.getFirst(), "chat", row.getLast());
      List<Object> values = new ArrayList<>();
      for (String name : chosen) {
        values.add(at(whole, List.of(name.replace("[]", ".[]").split("\\."))));
      }
      expected.add(values);
    }
    int batchSize = 1 + random.nextInt(40);
    for (int workers : Workers.COUNTS) {
      LoaderOptions options =
          options().workers(workers).batchSize(batchSize).output(OutputFormat.MAP);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        assertThat(Delivery.ofEpoch(loader).rows()).isEqualTo(expected);
      }
    }
  }

  private static Map<String, Object> fullMessage() {
    return struct(
        "role",
        "user",
        "number",
        1L,
        "tags",
        row("a"),
        "parts",
        row(struct("text", "b")),
        "details",
        struct("title", "c"));
  }

  @Test
  void fieldsOfStructsInListsAreListsLikeAllOthers() throws IOException {
    StructuredDataset dataset =
        column(
                list(messageType()),
                row(fullMessage(), null),
                null,
                row(),
                row(struct("role", null, "number", 7L)))
            .columns("c[].number", "c[].role");
    assertThat(dataset.schema().fields())
        .containsExactly(
            new Field("c[].number", list(INT64), true), new Field("c[].role", list(TEXT), true));
    try (DataLoader loader =
            DataLoader.of(dataset, options().nulls("c[].number", NullPolicy.mask()));
        Batch batch = first(loader)) {
      assertThat(longs(batch.ragged("c[].number").values())).containsExactly(1, 0, 7);
      assertThat(longs(batch.ragged("c[].number").offsets())).containsExactly(0, 2, 2, 2, 3);
      assertThat((boolean[]) batch.tensor("c[].number.mask").toArray())
          .containsExactly(true, false, true, true);
      assertThat(values(batch, "c[].role"))
          .containsExactly(row("user", null), null, row(), row((Object) null));
    }
  }

  @Test
  void pathIntoListsWithoutBracketsIsRefusedWithTheOneThatHasThem() throws IOException {
    StructuredDataset dataset = column(list(messageType()), row(fullMessage()));
    Failure.of(dataset.columns("c.role"), options())
        .hasMessage(
            "Cannot read column 'c.role': no such column in "
                + file()
                + ". Columns are: [c]. The field of the structs in lists is 'c[].role'.");
    Failure.of(dataset.columns("c[].parts.text"), options())
        .hasMessageEndingWith(
            "Columns are: [c]. The field of the structs in lists is 'c[].parts[].text'.");
    Failure.of(dataset.columns("c[].roles"), options())
        .hasMessageEndingWith(
            "Columns are: [c]. Did you mean 'role'?"
                + " The parts of 'c[]' are: [role, number, tags, parts, details].");
    Failure.of(dataset.columns("c[].details.titel"), options())
        .hasMessageEndingWith(" Did you mean 'title'? The parts of 'c[].details' are: [title].");
    Failure.of(dataset.columns("c[].tags[].x"), options())
        .hasMessageEndingWith(" are: [role, number, tags, parts, details].");
  }

  @Test
  void filesMayDifferInWhatIsNullableInside() throws IOException {
    assumeTrue(writer().saysTypes(), "the format does not say types");
    List<Table.DataFile> files =
        List.of(
            new Table.DataFile("part-0", List.of(List.of(row(row(row(1, 2)))))),
            new Table.DataFile("part-1", List.of(List.of(row(row(row(3, null)))))));
    boolean nullable = false;
    for (Table.DataFile file : files) {
      DataType type = new DataType.List(new DataType.List(INT32, nullable), !nullable);
      Schema schema = Schema.of(List.of(new Field("c", type, false)));
      assumeReadAsWritten(schema);
      writer().write(writer().path(folder, file), schema, file.groups(), new Random(1));
      nullable = true;
    }
    StructuredDataset dataset = new StructuredDataset(folder.toString());
    assertThat(dataset.schema().fields()).containsExactly(new Field("c", list(list(INT32)), false));
    try (DataLoader loader = DataLoader.of(dataset, options())) {
      assertThat(Delivery.ofEpoch(loader).rows())
          .containsExactly(row(row(row(1, 2))), row(row(row(3, null))));
    }
  }

  @Test
  void columnNamedLikeAMaskOfElementsIsRefusedWhereThereAreMasks() throws IOException {
    assumeTrue(writer().hasDotsInNames(), "names in the format have no dots");
    Schema schema =
        Schema.of(
            List.of(new Field("c", list(INT32), false), new Field("c.element.mask", INT32, false)));
    StructuredDataset dataset = dataset(schema, List.of(row(row(1), 5)));
    try (DataLoader loader = DataLoader.of(dataset, options().nulls(NullPolicy.mask()))) {
      assertThatIllegalArgumentException()
          .isThrownBy(loader::iterator)
          .withMessage(
              "Cannot make a batch with two columns named 'c.element.mask'. Leave one of them out,"
                  + " or rename the matrix.");
    }
    try (DataLoader loader = DataLoader.of(dataset, options().output(OutputFormat.MAP))) {
      assertThat(Delivery.ofEpoch(loader).rows()).containsExactly(row(row(1), 5));
    }
  }

  @Test
  void columnOfListsFitsNoMatrix() throws IOException {
    StructuredDataset dataset = column(list(FLOAT32), row(1f));
    try (DataLoader loader = DataLoader.of(dataset, options().features("x", "c"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(loader::iterator)
          .withMessage(
              "Cannot put column 'c' of type list<float32> into feature matrix 'x': only numeric"
                  + " and boolean columns fit. Leave it out of the matrix, and it comes as a column"
                  + " of its own.");
    }
  }

  /// A file of lists of which most have the length that is expected, so that batches have room and
  /// parts.
  private StructuredDataset mostlyUniform(Random random) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    for (int pair = 0; pair < 200; pair++) {
      int more = random.nextInt(10) > 0 ? 0 : 1;
      rows.add(row((Object) Values.list(4 + more, () -> random.nextInt())));
      rows.add(row((Object) Values.list(4 - more, () -> random.nextInt())));
    }
    return groups(
            Schema.of(List.of(new Field("c", list(INT32), false))),
            List.of(rows.subList(0, 150), rows.subList(150, 400)))
        .splitRows(60);
  }

  private static LoaderOptions random(Random random) {
    OutputFormat[] outputs = OutputFormat.values();
    return options()
        .workers(Workers.any(random))
        .batchSize(1 + random.nextInt(50))
        .output(outputs[random.nextInt(outputs.length)]);
  }

  @Seeded(runs = 40)
  void leavingAtAnyMomentFreesEverything(Random random) throws IOException {
    DataLoader loader = DataLoader.of(mostlyUniform(random), random(random));
    List<Batch> held = new ArrayList<>();
    try (loader) {
      for (int epoch = 0; epoch < 3; epoch++) {
        EpochIterator<Batch> batches = loader.iterator();
        for (int i = random.nextInt(12); i > 0 && batches.hasNext(); i--) {
          held.add(batches.next());
        }
      }
      held.subList(0, held.size() / 2).forEach(Batch::close);
    }
    held.forEach(Batch::close);
    Leaks.assertNone(loader, folder);
  }

  @Seeded(runs = 40)
  void closingFromAnotherThreadFreesEverything(Random random) throws IOException {
    DataLoader loader = DataLoader.of(mostlyUniform(random), random(random));
    CountDownLatch moment = new CountDownLatch(1);
    int closeAtBatch = random.nextInt(40);
    FutureTask<Void> closing =
        new FutureTask<>(() -> {
          moment.await();
          loader.close();
          return null;
        });
    Thread.ofPlatform().daemon().start(closing);
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          int batches = 0;
          try {
            for (int epoch = 0; epoch < 3; epoch++) {
              for (Batch batch : loader) {
                batch.close();
                if (++batches == closeAtBatch) {
                  moment.countDown();
                }
              }
            }
          } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("closed");
          }
          moment.countDown();
          closing.get();
        });
    Leaks.assertNone(loader, folder);
  }
}
