package dev.penstock.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What each transform makes of a column, against values recorded from numpy 2.4.6.
class ColumnTransformTest {
  private static final double NAN = Double.NaN;
  private static final double INF = Double.POSITIVE_INFINITY;

  private static ColumnBlock rows(int count) {
    return new ColumnBlock(Schema.of(List.of()), count, List.of());
  }

  private static ColumnBlock block(double... values) {
    return rows(values.length).with("x", values);
  }

  private static double[] applied(ColumnTransform transform, double... values) {
    return applied(transform, block(values)).doubles("x");
  }

  private static ColumnBlock applied(ColumnTransform transform, ColumnBlock block) {
    return transform.apply(block, Preprocessing.NOWHERE);
  }

  @Test
  void floatsAreRoundedOnce() {
    // Just above the middle of two floats, and nearer to it than any double.
    long above = (1L << 60) + (1L << 36) + 1;
    ColumnBlock block = rows(3).with("x", new long[] {above, -above, -1});
    assertThat(block.floats("x")).containsExactly(0x1.000002p60f, -0x1.000002p60f, -1);
    ColumnBlock unsigned =
        block.with(
            new Field("x", new DataType.Int(64, false), false),
            ColumnSlice.fixed(new DataType.Int(64, false), 3, 0, null, block.slice("x").values()));
    assertThat(unsigned.floats("x")).containsExactly(0x1.000002p60f, 0x1.ep63f, 0x1p64f);
    DataType decimal = new DataType.Decimal(18, 0);
    ColumnBlock decimals =
        block.with(
            new Field("x", decimal, false),
            ColumnSlice.fixed(
                decimal,
                3,
                0,
                null,
                rows(3)
                    .with("x", new long[] {1L << 30, (1L << 54) + (1L << 30) + 1, 0})
                    .slice("x")
                    .values()));
    assertThat(decimals.floats("x")).containsExactly(0x1p30f, 0x1.000002p54f, 0);
  }

  @Test
  void standardizeSubtractsTheMeanAndDividesByTheDeviation() {
    assertThat(applied(Standardize.of("x", 5, 2), 2, 4, 5, 9, NAN, INF))
        .containsExactly(-1.5, -0.5, 0, 2, NAN, INF);
    assertThat(
            applied(
                Standardize.of("x", 1.7701999999999998, 5.30385634797927),
                0.1,
                0.25,
                -3.5,
                1e-3,
                12.0))
        .containsExactly(
            -0.314902948047666,
            -0.28662163909834865,
            -0.9936543628312835,
            -0.33356861195421555,
            1.928747561931514);
    assertThat(applied(Standardize.of("x", 3, 0), 3, 5)).containsExactly(0, 2);
  }

  @Test
  void minMaxMovesTheRangeToZeroAndOne() {
    assertThat(applied(MinMax.of("x", -3.5, 12), 0.1, 0.25, -3.5, 1e-3, 12.0, NAN))
        .containsExactly(
            0.23225806451612904, 0.24193548387096775, 0.0, 0.22587096774193546, 1.0, NAN);
    assertThat(applied(MinMax.of("x", 7, 7), 7, 9)).containsExactly(0, 2);
  }

  @Test
  void log1pIsExactNearZeroAndNotANumberBelowMinusOne() {
    double[] logs = applied(Log1p.of("x"), 0, 1e-10, -0.5, 1, 1e300, -1, -2, INF, NAN);
    double[] numpy = {
      0.0,
      9.999999999500001e-11,
      -0.6931471805599453,
      0.6931471805599453,
      690.7755278982137,
      -INF,
      NAN,
      INF,
      NAN
    };
    for (int i = 0; i < numpy.length; i++) {
      // The last digit is the platform's.
      double ulp = Double.isFinite(numpy[i]) ? Math.ulp(numpy[i]) : 0;
      assertThat(logs[i] == numpy[i] || Math.abs(logs[i] - numpy[i]) <= ulp)
          .as("%s but numpy has %s", logs[i], numpy[i])
          .isEqualTo(!Double.isNaN(numpy[i]));
    }
  }

  @Test
  void clipMovesWhatIsBeyondToTheEnds() {
    double[] values = {-5, 0.5, 9, NAN, INF, -INF};
    assertThat(applied(Clip.of("x", -1, 2), values)).containsExactly(-1, 0.5, 2, NAN, 2, -1);
    assertThat(applied(Clip.of("x", -INF, 2), values)).containsExactly(-5, 0.5, 2, NAN, 2, -INF);
  }

  @Test
  void bucketsAreOpenAtTheRight() {
    Bucketize bucketize = Bucketize.of("x", 0.0, 0.5, 10.0);
    double[] values = {-1, -0.0, 0, 0.25, 0.5, 9.999, 10, 11, INF, -INF};
    assertThat(applied(bucketize, values)).containsExactly(0, 1, 1, 1, 2, 2, 3, 3, 3, 0);
    assertThat(applied(Bucketize.of("x"), 3, -INF)).containsExactly(0, 0);
    ColumnBlock made = applied(bucketize, block(1, NAN));
    assertThat(made.schema().fields()).containsExactly(new Field("x", DataType.int32(), true));
    assertThat(made.present("x")).containsExactly(true, false);
    ColumnBlock whole = applied(bucketize, rows(2).with("x", new int[] {0, 10}));
    assertThat(whole.schema().fields()).containsExactly(new Field("x", DataType.int32(), false));
    assertThat(whole.longs("x")).containsExactly(1, 3);
  }

  @Test
  void numbersKeepTheirNullsAndFloatsTheirWidth() {
    boolean[] present = {true, false};
    ColumnBlock floats = rows(2).with("x", new float[] {0.1f, 5}).withPresent("x", present);
    ColumnBlock made = applied(Log1p.of("x"), floats);
    assertThat(made.schema().fields()).containsExactly(new Field("x", DataType.float32(), true));
    assertThat(made.present("x")).isEqualTo(present);
    assertThat(made.floats("x")[0]).isEqualTo((float) 0.09531018137931824);
    ColumnBlock longs = applied(Log1p.of("x"), rows(1).with("x", new long[] {1}));
    assertThat(longs.schema().fields()).containsExactly(new Field("x", DataType.float64(), false));
  }

  @Test
  void oneHotColumnsTakeThePlaceOfTheirs() {
    ColumnBlock block =
        rows(4)
            .with("a", new int[] {1, 2, 3, 4})
            .with("x", new String[] {"b", null, "", "b"})
            .with("z", new int[] {5, 6, 7, 8});
    OneHot oneHot = OneHot.of("x", "", "b");
    ColumnBlock made = applied(oneHot, block);
    assertThat(made.schema().names()).containsExactly("a", "x_", "x_b", "z");
    assertThat(oneHot.outputs()).containsExactly("x_", "x_b");
    assertThat(made.booleans("x_")).containsExactly(false, false, true, false);
    assertThat(made.booleans("x_b")).containsExactly(true, false, false, true);
    assertThat(made.longs("z")).containsExactly(5, 6, 7, 8);
  }

  @Test
  void unknownCategoryIsAnErrorOrFalseEverywhere() {
    ColumnBlock block = rows(3).with("x", new long[] {7, -2, 9});
    assertThatThrownBy(() -> applied(OneHot.of("x", 7, -2), block))
        .hasMessage(
            "Cannot transform column 'x': '9' is not one of its 2 categories. Add it, or use"
                + " ignoringUnknown().");
    ColumnBlock made = applied(OneHot.of("x", 7, -2).ignoringUnknown(), block);
    assertThat(made.booleans("x_7")).containsExactly(true, false, false);
    assertThat(made.booleans("x_-2")).containsExactly(false, true, false);
    assertThatThrownBy(() -> applied(OneHot.of("x", "7", "x"), block))
        .hasMessageContaining("the category 'x' is none");
    ColumnBlock flags = rows(2).with("x", new boolean[] {true, false});
    assertThat(applied(OneHot.of("x", "true", "false"), flags).booleans("x_true"))
        .containsExactly(true, false);
  }

  @Test
  void hashBucketsAreThoseOfXxHash64() {
    ColumnBlock texts = rows(6).with("x", new String[] {"", "a", "abc", "ATL", "Zürich", null});
    ColumnBlock made = applied(HashBuckets.of("x", 1000), texts);
    assertThat(made.longs("x")).containsExactly(921, 955, 249, 758, 233, 0);
    assertThat(made.present("x")).containsExactly(true, true, true, true, true, false);
    assertThat(made.schema().fields()).containsExactly(new Field("x", DataType.int32(), true));
    long[] values = {0, 1, -1, 42, 255, Long.MAX_VALUE};
    assertThat(applied(HashBuckets.of("x", 1000), rows(6).with("x", values)).longs("x"))
        .containsExactly(579, 269, 761, 587, 615, 972);
    int[] narrow = {0, 1, -1, 42, 255};
    assertThat(applied(HashBuckets.of("x", 1000), rows(5).with("x", narrow)).longs("x"))
        .containsExactly(579, 269, 761, 587, 615);
  }

  @Test
  void columnsOfOtherTypesAreRefusedBeforeThereIsARow() {
    ColumnBlock texts =
        ColumnBlock.empty(Schema.of(List.of(new Field("x", DataType.string(), true))));
    List<ColumnTransform> numeric =
        List.of(
            Standardize.of("x", 0, 1),
            MinMax.of("x", 0, 1),
            Log1p.of("x"),
            Clip.of("x", 0, 1),
            Bucketize.of("x", 1));
    for (ColumnTransform transform : numeric) {
      assertThatThrownBy(() -> applied(transform, texts))
          .hasMessage(
              "Cannot transform column 'x': it is string but expected numbers or booleans.");
    }
    ColumnBlock doubles = block();
    for (ColumnTransform transform : List.of(OneHot.of("x", "a"), HashBuckets.of("x", 2))) {
      assertThatThrownBy(() -> applied(transform, doubles))
          .hasMessageContaining("it is float64 but expected strings");
    }
    List<ColumnTransform> all = new ArrayList<>(numeric);
    all.add(OneHot.of("x", "a"));
    all.add(HashBuckets.of("x", 2));
    for (ColumnTransform transform : all) {
      assertThatThrownBy(() -> applied(transform, rows(0).with("y", new int[0])))
          .hasMessage(
              "Cannot transform column 'x': no such column in the block. Columns are: [y].");
    }
  }

  @Test
  void numbersThatMakeNoSenseAreRefusedAtBirth() {
    assertThatThrownBy(() -> Standardize.of("x", NAN, 1))
        .hasMessage("The mean of column 'x' must be a finite number, got NaN.");
    assertThatThrownBy(() -> Standardize.of("x", 0, -1))
        .hasMessage("The deviation of column 'x' must be 0 or more, got -1.0.");
    assertThatThrownBy(() -> MinMax.of("x", 2, 1)).hasMessageContaining("must not be above 1.0");
    assertThatThrownBy(() -> MinMax.of("x", -1e308, 1e308)).hasMessageContaining("The range");
    assertThatThrownBy(() -> Clip.of("x", NAN, 1)).hasMessageContaining("got NaN and 1.0");
    assertThatThrownBy(() -> Bucketize.of("x", 1, 1)).hasMessageContaining("must rise");
    assertThatThrownBy(() -> Bucketize.of("x", -0.0, 0.0)).hasMessageContaining("must rise");
    assertThatThrownBy(() -> Bucketize.of("x", INF)).hasMessageContaining("finite");
    assertThatThrownBy(() -> OneHot.of("x", "a", "a")).hasMessageContaining("'a' twice");
    assertThatThrownBy(() -> OneHot.of("x", new String[0])).hasMessageContaining("at least one");
    assertThatThrownBy(() -> HashBuckets.of("x", 0)).hasMessageContaining("at least 1, got 0");
  }
}
