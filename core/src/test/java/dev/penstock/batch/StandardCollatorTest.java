package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestPieces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StandardCollatorTest {
  record Point(int x, float y) {}

  @SuppressWarnings("ArrayRecordComponent") // As users write it.
  record Sample(float[] features, List<Integer> tokens, Point at, String id) {}

  private static final String OTHERS =
      " Collated are numbers, booleans, strings, tensors, arrays, lists, maps, records, data"
          + " classes and case classes; keep others with list(column), change them in the dataset,"
          + " or write a Collator of your own.";

  private static final String ONE_FORM =
      " Give all rows one form, keep the column with list(column), or write a Collator of your"
          + " own.";

  private final TestPieces memory = new TestPieces();
  private final List<Batch> batches = new ArrayList<>();

  @AfterEach
  void memoryGoesBack() {
    batches.forEach(Batch::close);
    assertThat(memory.held()).isZero();
  }

  private Batch collate(StandardCollator<Object> collator, @Nullable Object... rows) {
    try (BatchBuilder builder = new BatchBuilder(memory)) {
      @SuppressWarnings("NullAway") // Rows that are null are a test.
      List<Object> list = Arrays.asList(rows);
      Batch batch = collator.collate(list, builder);
      batches.add(batch);
      return batch;
    }
  }

  private Batch standard(@Nullable Object... rows) {
    return collate(Collators.standard(), rows);
  }

  private static void assertRefused(ThrowingCallable collating, String message) {
    assertThatThrownBy(collating).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  void recordsGiveAColumnForEachComponentWithDottedNames() {
    Sample first = new Sample(new float[] {1, 2}, List.of(5, 6), new Point(1, 0.5f), "a");
    Sample second = new Sample(new float[] {3, 4}, List.of(7, 8), new Point(2, 1.5f), "b");
    Batch batch = standard(first, second);
    assertThat(batch.names())
        .containsExactly("features", "tokens.0", "tokens.1", "at.x", "at.y", "id");
    assertThat(batch.tensor("features").shape()).isEqualTo(Shape.of(2, 2));
    assertThat((float[]) batch.tensor("features").toArray()).containsExactly(1, 2, 3, 4);
    assertThat((int[]) batch.tensor("tokens.1").toArray()).containsExactly(6, 8);
    assertThat((int[]) batch.tensor("at.x").toArray()).containsExactly(1, 2);
    assertThat((float[]) batch.tensor("at.y").toArray()).containsExactly(0.5f, 1.5f);
    assertThat(batch.strings("id")).containsExactly("a", "b");
  }

  @Test
  void listsAndMapsNameTheirParts() {
    assertThat(standard(List.of(1, Map.of("a", 2L)), List.of(3, Map.of("a", 4L))).names())
        .containsExactly("0", "1.a");
    assertThat(standard(Map.of(7, List.of(true))).names()).containsExactly("7.0");
    assertThat(standard(1.5).names()).containsExactly("value");
  }

  @Test
  void boxedNumbersHaveTheTypeOfTheFirst() {
    assertThat(standard(1.5, 2).tensor("value").dtype()).isEqualTo(DType.FLOAT64);
    assertThat(standard(1.5f, 0.25).tensor("value").dtype()).isEqualTo(DType.FLOAT32);
    assertThat(standard(1L, 2).tensor("value").dtype()).isEqualTo(DType.INT64);
    assertThat(standard(1, 2.0).tensor("value").dtype()).isEqualTo(DType.INT32);
    assertThat(standard((short) 1).tensor("value").dtype()).isEqualTo(DType.INT16);
    assertThat(standard((byte) 1).tensor("value").dtype()).isEqualTo(DType.INT8);
    assertThat(standard(true).tensor("value").dtype()).isEqualTo(DType.BOOL);
    assertThat((int[]) standard(1, 2.0, 3L).tensor("value").toArray()).containsExactly(1, 2, 3);
  }

  @Test
  void numberThatWouldChangeIsRefused() {
    assertRefused(
        () -> standard(Map.of("x", 1), Map.of("x", 2.5)),
        "Cannot batch column 'x': row 1 of the batch has 2.5 (Double) but the column's type INT32"
            + " cannot hold that exactly. State a type that can with dtype(\"x\", ...).");
    Object[][] rows = {
      {1, 1L << 31}, {1, Double.NaN}, {1L, 0x1p63}, {(byte) 1, 128}, {(short) 1, -32769},
      {1f, 0.1}, {1f, (1 << 24) + 1}, {1.0, (1L << 53) + 1}, {1.0, Long.MAX_VALUE}, {true, 1},
      {1, true}
    };
    for (Object[] row : rows) {
      assertThatThrownBy(() -> standard(row))
          .as(Arrays.toString(row))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("row 1 of the batch has " + row[1]);
    }
    assertThat(standard(1f, Double.NaN, 1 << 24).tensor("value").getFloat(2)).isEqualTo(0x1p24f);
  }

  @Test
  void statedTypeTakesOtherNumbers() {
    StandardCollator<Object> floats = Collators.standard().dtype("value", DType.FLOAT32);
    assertThat((float[]) collate(floats, 1, 0.1, true, (1 << 24) + 1).tensor("value").toArray())
        .containsExactly(1, 0.1f, 1, 0x1p24f);
    assertThatThrownBy(() -> collate(floats, 1e300)).hasMessageContaining("1.0E300 (Double)");
    StandardCollator<Object> bytes = Collators.standard().dtype("value", DType.UINT8);
    assertThat((short[]) collate(bytes, 255, 1.0).tensor("value").toArray())
        .containsExactly((short) 255, (short) 1);
    assertThatThrownBy(() -> collate(bytes, 256)).hasMessageContaining("256 (Integer)");
    assertThatThrownBy(() -> collate(bytes, 0.5)).hasMessageContaining("0.5 (Double)");
    StandardCollator<Object> flags = Collators.standard().dtype("value", DType.BOOL);
    assertThat(collate(flags, 0, 1.0).tensor("value").getBoolean(1)).isTrue();
    StandardCollator<Object> binaries = Collators.standard().dtype("value", DType.INT16);
    assertThat(collate(binaries, new byte[] {-1, 2}).tensor("value"))
        .hasToString("Tensor INT16 [1, 2]: [[-1, 2]]");
  }

  @Test
  void arraysOfSeveralDimensionsAreStackedWhole() {
    Batch batch = standard(new float[][] {{1, 2, 3}, {4, 5, 6}}, new float[2][3]);
    assertThat(batch.tensor("value").shape()).isEqualTo(Shape.of(2, 2, 3));
    assertThat(batch.tensor("value").getFloat(4)).isEqualTo(5);
    assertThat(standard(new int[0][][], new int[0][][]).tensor("value"))
        .hasToString("Tensor INT32 [2, 0, 0, 0]: [[], []]");
    assertThat((boolean[]) standard(new boolean[] {true, false}).tensor("value").toArray())
        .containsExactly(true, false);
    assertRefused(
        () -> standard(new int[2][2], new int[][] {{1}, {1, 2}}),
        "Cannot batch column 'value': row 1 of the batch is of type int[][] with arrays that"
            + " differ in length. Make them of one length.");
    assertThat(standard(new byte[][] {{1}, {2, 3}}, new byte[][] {{4}, {5}}).list("1"))
        .as("binaries side by side")
        .hasSize(2);
  }

  @Test
  void tensorsOfDifferentTypesKeepTheirValues() {
    Tensor floats = Tensor.of(new float[] {0.5f});
    assertThat((double[]) standard(floats, new double[] {0.1}).tensor("value").toArray())
        .containsExactly(0.5, 0.1);
    assertThat((float[]) standard(new int[] {3}, floats).tensor("value").toArray())
        .containsExactly(3, 0.5f);
    assertRefused(
        () -> standard(floats, new long[] {(1 << 24) + 1}),
        "Cannot batch column 'value': row 1 of the batch has 16777217 (INT64) at 0 but the column's"
            + " type FLOAT32 cannot hold that exactly. State a type that can with dtype(\"value\","
            + " ...).");
    Tensor unsigned = Tensor.of(DType.UINT16, Shape.of(1), floats.memory().asSlice(0, 2));
    assertRefused(
        () -> standard(unsigned, new int[1]),
        "Cannot batch column 'value': row 1 of the batch is of type INT32 but the rows before of"
            + " UINT16. State a type that can with dtype(\"value\", ...).");
  }

  @Test
  void rowsThatDifferInFormAreRefused() {
    assertRefused(
        () -> standard(List.of(1, 2), List.of(3, 4), List.of(5)),
        "Cannot batch the rows: row 2 of the batch has 1 elements but row 0 has 2. Use pad or"
            + " ragged of Collators for lists of numbers that differ in length.");
    assertRefused(
        () -> standard(List.of(List.of(1)), List.of(List.of())),
        "Cannot batch column '0': row 1 of the batch has 0 elements but row 0 has 1. Use pad or"
            + " ragged of Collators for lists of numbers that differ in length.");
    assertRefused(
        () -> standard(Map.of("a", 1), Map.of("b", 1)),
        "Cannot batch the rows: row 1 of the batch has no key 'a' but row 0 has. Its keys are:"
            + " [b]. Give all rows the same keys.");
    assertRefused(
        () -> standard(Map.of("a", 1), Map.of("a", 2), Map.of("a", 3, "b", 4)),
        "Cannot batch the rows: row 2 of the batch has key 'b' but row 0 has not. Its keys are:"
            + " [a]. Give all rows the same keys.");
    assertRefused(
        () -> standard(Map.of("m", Map.of()), Map.of("m", Map.of("b", 1))),
        "Cannot batch column 'm': row 1 of the batch has key 'b' but row 0 has not. Its keys are:"
            + " []. Give all rows the same keys.");
    assertRefused(
        () -> standard(new float[2], new float[3]),
        "Cannot batch column 'value': row 1 of the batch has shape [3] but row 0 has [2]. Use pad"
            + " or ragged of Collators for one axis that differs in length.");
    assertRefused(
        () -> standard("a", 1),
        "Cannot batch column 'value': row 1 of the batch is 1 (Integer) but row 0 is a String."
            + ONE_FORM);
    assertRefused(
        () -> standard(new Point(1, 2), "x"),
        "Cannot batch the rows: row 1 of the batch is a java.lang.String but row 0 is a Point."
            + ONE_FORM);
    for (Object first :
        List.of(1, "a", List.of(1), Map.of(), new Point(1, 1), new int[1], new byte[1])) {
      assertThatThrownBy(() -> standard(first, Optional.empty()))
          .hasMessageContaining("row 1 of the batch is a java.util.Optional but row 0 is a");
      assertThatThrownBy(() -> standard(first, null))
          .hasMessageContaining("row 1 of the batch is null.");
    }
  }

  @Test
  void whatIsNotCollatedIsRefused() {
    assertRefused(
        () -> standard(Map.of("a", Optional.of(1))),
        "Cannot batch column 'a': row 0 of the batch is a java.util.Optional." + OTHERS);
    assertRefused(
        () -> standard(new Object[] {null}, List.of(1)),
        "Cannot batch column '0': row 0 of the batch is null." + OTHERS);
    assertRefused(
        () -> standard((Object) null),
        "Cannot batch the rows: row 0 of the batch is null." + OTHERS);
    assertRefused(() -> standard(), "Cannot make a batch of rows: there are none.");
  }

  @Test
  void namesThatMeetAreRefused() {
    assertRefused(
        () -> standard(new java.util.TreeMap<>(Map.of("a", Map.of("b", 1), "a.b", 2))),
        "Cannot add column 'a.b' to the batch: there is one of that name.");
  }

  @Test
  void choiceForAColumnThatIsNotThereIsRefused() {
    assertRefused(
        () -> collate(Collators.standard().ragged("y").dtype("s", DType.INT8), Map.of("s", "text")),
        "Cannot collate as chosen for [s, y]: no such columns in the rows, or none of numbers."
            + " Columns are: [s].");
    assertThatThrownBy(
            () -> collate(Collators.standard().list("x").dtype("x", DType.INT8), Map.of("x", 1)))
        .hasMessageStartingWith("Cannot collate as chosen for [x]:");
  }

  @Test
  void columnsOfRowsAreTakenAsTheyAreUnlessAColumnIsChosen() {
    class Columns extends ArrayList<Object> implements RowColumns {
      private static final long serialVersionUID = 1;

      @Override
      public void addTo(BatchBuilder batch) {
        batch.list("fast", List.of("x"));
      }
    }
    List<Object> rows = new Columns();
    rows.add(Map.of("slow", 1));
    try (BatchBuilder builder = new BatchBuilder(memory);
        Batch batch = Collators.standard().collate(rows, builder)) {
      assertThat(batch.names()).containsExactly("fast");
    }
    try (BatchBuilder builder = new BatchBuilder(memory);
        Batch batch = Collators.standard().dtype("slow", DType.INT8).collate(rows, builder)) {
      assertThat(batch.names()).containsExactly("slow");
    }
  }

  @Nested
  class OfListsThatDifferInLength {
    @Test
    void paddedListsAreAsWideAsTheLongest() {
      StandardCollator<Object> collator = Collators.standard().pad("t", -1, "n");
      Batch batch =
          collate(
              collator,
              Map.of("t", List.of(1, 2)),
              Map.of("t", List.of()),
              Map.of("t", new int[] {3}));
      assertThat(batch.names()).containsExactly("t", "n");
      assertThat(batch.tensor("t")).hasToString("Tensor INT32 [3, 2]: [[1, 2], [-1, -1], [3, -1]]");
      assertThat((int[]) batch.tensor("t").toArray()).containsExactly(1, 2, -1, -1, 3, -1);
      assertThat((long[]) batch.tensor("n").toArray()).containsExactly(2, 0, 1);
    }

    @Test
    void raggedListsKeepTheirLengths() {
      Batch batch =
          collate(
              Collators.standard().ragged("t"),
              Map.of("t", List.of()),
              Map.of("t", List.of(1.5, 2)),
              Map.of("t", new Integer[] {3}));
      RaggedTensor lists = batch.ragged("t");
      assertThat((long[]) lists.offsets().toArray()).containsExactly(0, 0, 2, 3);
      assertThat((double[]) lists.values().toArray()).containsExactly(1.5, 2, 3);
    }

    @Test
    void allListsOfNumbersCanBePaddedAtOnce() {
      Batch batch =
          collate(
              Collators.pad(0),
              List.of(List.of(1L), new float[] {1}, "a", List.of("x", 1), 5),
              List.of(List.of(1L, 2L), new float[] {1, 2, 3}, "b", List.of("y", 2), 6));
      assertThat(batch.names()).containsExactly("0", "1", "2", "3.0", "3.1", "4");
      assertThat((long[]) batch.tensor("0").toArray()).containsExactly(1, 0, 1, 2);
      assertThat((float[]) batch.tensor("1").toArray()).containsExactly(1, 0, 0, 1, 2, 3);
      assertThat(batch.tensor("4").shape()).isEqualTo(Shape.of(2));
    }

    @Test
    void rowsThatAreListsThemselvesAreOneColumn() {
      Batch padded = collate(Collators.pad(0.5), List.of(1.0), List.of(1.0, 2.0));
      assertThat((double[]) padded.tensor("value").toArray()).containsExactly(1, 0.5, 1, 2);
      Batch ragged = collate(Collators.ragged(), new long[] {1}, new long[] {2, 3});
      assertThat(ragged.ragged("value").length(1)).isEqualTo(2);
    }

    @Test
    void columnsChosenHaveTheirOwnForm() {
      Batch batch =
          collate(
              Collators.ragged().pad("a", 9).list("c"),
              Map.of("a", List.of(1), "b", List.of(1), "c", List.of(1)));
      assertThat(batch.tensor("a")).isNotNull();
      assertThat(batch.ragged("b")).isNotNull();
      assertThat(batch.list("c")).hasToString("[[1]]");
    }

    @Test
    void valuesKeptAsAListMayBeNull() {
      Batch batch = collate(Collators.standard().list("value"), Optional.of(1), null);
      assertThat(batch.list("value")).hasToString("[Optional[1], null]");
    }

    @Test
    void listsWithoutAnyNumberNeedAType() {
      assertRefused(
          () -> collate(Collators.ragged(), List.of(), List.of()),
          "Cannot batch column 'value': all lists of the batch are empty, so their type is not"
              + " known. State a type that can with dtype(\"value\", ...).");
      Batch batch = collate(Collators.ragged().dtype("value", DType.INT8), List.of(), List.of());
      assertThat(batch.ragged("value").values()).hasToString("Tensor INT8 [0]: []");
      assertThat(collate(Collators.pad(0), new int[0], new int[0]).tensor("value"))
          .hasToString("Tensor INT32 [2, 0]: [[], []]");
    }

    @Test
    void whatIsNoNumberIsRefused() {
      assertRefused(
          () -> collate(Collators.ragged(), List.of(1), List.of(1, "x")),
          "Cannot batch column 'value': row 1 of the batch has a java.lang.String at 1. Expected"
              + " numbers or booleans.");
      assertRefused(
          () -> collate(Collators.pad(0), List.of(1), "x"),
          "Cannot batch column 'value': row 1 of the batch is a java.lang.String. Expected a list,"
              + " array or tensor of one axis, of numbers.");
      assertRefused(
          () -> collate(Collators.pad(0), List.of(1), List.of(2, 0.5)),
          "Cannot batch column 'value': row 1 of the batch has 0.5 (Double) at 1 but the column's"
              + " type INT32 cannot hold that exactly. State a type that can with"
              + " dtype(\"value\", ...).");
    }

    @Test
    void paddingThatDoesNotFitIsRefusedEvenIfNoneIsNeeded() {
      assertRefused(
          () -> collate(Collators.pad(0.5), List.of(1), List.of(2)),
          "Cannot pad column 'value' with 0.5 (Double): its type INT32 cannot hold that. State a"
              + " type that can with dtype(\"value\", ...).");
    }

    /// Padded and ragged against plain lists.
    @Seeded
    void elementsAreThoseOfTheLists(Random random) {
      List<List<Long>> lists = new ArrayList<>();
      int rows = 1 + random.nextInt(10);
      for (int row = 0; row < rows; row++) {
        lists.add(random.longs(random.nextInt(6)).boxed().toList());
      }
      Object[] given =
          lists.stream()
              .map(list ->
                  random.nextBoolean() ? list : list.stream().mapToLong(Long::longValue).toArray())
              .toArray();
      StandardCollator<Object> typed = Collators.pad(-7).dtype("value", DType.INT64);
      Tensor padded = collate(typed, given).tensor("value");
      RaggedTensor ragged =
          collate(Collators.ragged().dtype("value", DType.INT64), given).ragged("value");
      for (int row = 0; row < rows; row++) {
        List<Long> list = lists.get(row);
        assertThat(((long[]) ragged.row(row).toArray())).containsExactly(list.toArray(Long[]::new));
        for (int place = 0; place < padded.shape().dim(1); place++) {
          assertThat(padded.row(row).getLong(place))
              .isEqualTo(place < list.size() ? list.get(place) : -7);
        }
      }
    }
  }
}
