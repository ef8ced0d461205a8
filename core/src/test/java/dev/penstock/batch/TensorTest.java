package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TensorTest {
  @Test
  void arrayIsSeenThroughItsTensor() {
    float[] values = {1.5f, 2, 3, 4, 5, 6};
    Tensor tensor = Tensor.of(values, 2, 3);
    values[5] = 7;
    assertThat(tensor).hasToString("Tensor FLOAT32 [2, 3]: [[1.5, 2.0, 3.0], [4.0, 5.0, 7.0]]");
    assertThat(tensor.getFloat(0)).isEqualTo(1.5f);
    assertThat(tensor.getFloat(5)).isEqualTo(7);
    assertThat((float[]) tensor.toArray()).containsExactly(1.5f, 2, 3, 4, 5, 7);
  }

  @Test
  void everyArrayTypeHasItsElementType() {
    assertThat(Tensor.of(new double[] {0.1}).getDouble(0)).isEqualTo(0.1);
    assertThat(Tensor.of(new long[] {Long.MIN_VALUE}).getLong(0)).isEqualTo(Long.MIN_VALUE);
    assertThat(Tensor.of(new int[] {-3}).getInt(0)).isEqualTo(-3);
    assertThat(Tensor.of(new short[] {-3}).getInt(0)).isEqualTo(-3);
    assertThat(Tensor.of(new byte[] {-3}).getInt(0)).isEqualTo(-3);
    Tensor flags = Tensor.of(new boolean[] {true, false});
    assertThat(flags.dtype()).isEqualTo(DType.BOOL);
    assertThat((boolean[]) flags.toArray()).containsExactly(true, false);
  }

  @Test
  void memoryOfOnesOwnMayHoldAnyType() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[] {-1, 1});
    assertThat(Tensor.of(DType.UINT8, Shape.of(2), bytes).getInt(0)).isEqualTo(255);
    assertThat(Tensor.of(DType.UINT8, Shape.of(2), bytes).asByteBuffer().get(1))
        .isEqualTo((byte) 1);
  }

  @Test
  void anIntIsGivenOnlyIfItHoldsTheValue() {
    Tensor longs = Tensor.of(new long[] {-3, 1L << 31, -1});
    assertThat(longs.getInt(0)).isEqualTo(-3);
    assertThatThrownBy(() -> longs.getInt(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot read element 1 as an int: it is 2147483648. Use getLong().");
    Tensor unsigned = Tensor.of(DType.UINT64, Shape.of(3), longs.memory());
    assertThatThrownBy(() -> unsigned.getInt(2)).hasMessageContaining("18446744073709551615");
    assertThatThrownBy(() -> Tensor.of(new float[] {1}).getInt(0)).hasMessageContaining("FLOAT32");
  }

  @Test
  void textShowsTheEndsOfEachAxis() {
    assertThat(Tensor.of(new long[] {1, 2, 3, 4, 5, 6}))
        .hasToString("Tensor INT64 [6]: [1, 2, 3, 4, 5, 6]");
    assertThat(Tensor.of(new long[] {1, 2, 3, 4, 5, 6, 7}))
        .hasToString("Tensor INT64 [7]: [1, 2, 3, ..., 5, 6, 7]");
    assertThat(Tensor.of(new int[10], 5, 2))
        .hasToString("Tensor INT32 [5, 2]: [[0, 0], [0, 0], ..., [0, 0], [0, 0]]");
    int[] numbers = IntStream.range(0, 4 * 3 * 2).toArray();
    assertThat(Tensor.of(numbers, 4, 3, 2))
        .hasToString(
            "Tensor INT32 [4, 3, 2]:" + " [[[0, 1], ..., [4, 5]], ..., [[18, 19], ..., [22, 23]]]");
    assertThat(Tensor.of(new short[0], 2, 0)).hasToString("Tensor INT16 [2, 0]: [[], []]");
    assertThat(Tensor.of(new byte[0], 0, 7)).hasToString("Tensor INT8 [0, 7]: []");
    assertThat(Tensor.of(new double[] {Double.NaN}, 1).row(0))
        .hasToString("Tensor FLOAT64 []: NaN");
    assertThat(Tensor.of(new boolean[] {true, false}))
        .hasToString("Tensor BOOL [2]: [true, false]");
    assertThat(Tensor.of(DType.UINT64, Shape.of(1), MemorySegment.ofArray(new long[] {-1})))
        .hasToString("Tensor UINT64 [1]: [18446744073709551615]");
    assertThat(Tensor.of(DType.FLOAT16, Shape.of(1), MemorySegment.ofArray(new short[] {0x3c00})))
        .hasToString("Tensor FLOAT16 [1]: [1.0]");
  }

  @Test
  void textIsShortWhateverTheShape() {
    long[] axes = new long[16];
    Arrays.fill(axes, 2);
    assertThat(Tensor.of(new int[1 << 16], axes).toString()).hasSizeLessThan(100);
    double[] wide = new double[10_000];
    Arrays.fill(wide, -Math.PI * 1e-100);
    assertThat(Tensor.of(wide, 10, 10, 10, 10).toString()).hasSizeLessThan(1500);
    assertThat(Tensor.of(wide, 100, 100).toString()).hasSizeLessThan(1000);
  }

  @Test
  void textOfClosedMemoryReadsNothing() {
    AtomicInteger given = new AtomicInteger();
    Lease lease = new Lease(given::incrementAndGet);
    Arena arena = Arena.ofConfined();
    MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_LONG, 7, 8);
    Tensor leased = Tensor.of(DType.INT64, Shape.of(2), memory, lease);
    Tensor own = Tensor.of(DType.INT64, Shape.of(2), memory);
    assertThat(leased).hasToString("Tensor INT64 [2]: [7, 8]");
    assertThat(given).hasValue(0);
    lease.close();
    assertThat(given).hasValue(1);
    assertThat(leased).hasToString("Tensor INT64 [2], closed");
    arena.close();
    assertThat(leased).hasToString("Tensor INT64 [2], closed");
    assertThat(own).hasToString("Tensor INT64 [2], its memory cannot be read here");
  }

  @Test
  void rowIsAViewOfTheOtherAxes() {
    Tensor tensor = Tensor.of(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 2, 3, 2);
    assertThat(tensor.row(1).shape()).isEqualTo(Shape.of(3, 2));
    assertThat((int[]) tensor.row(1).toArray()).containsExactly(6, 7, 8, 9, 10, 11);
    Tensor scalar = tensor.row(1).row(2).row(0);
    assertThat(scalar.shape()).isEqualTo(Shape.of());
    assertThat(scalar.getInt(0)).isEqualTo(10);
    tensor.row(0).memory().set(ValueLayout.JAVA_INT, 0, 99);
    assertThat(tensor.getInt(0)).isEqualTo(99);
    assertThatThrownBy(() -> tensor.row(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> tensor.row(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> scalar.row(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void elementsOfAMatrixAreReadByRowAndColumn() {
    Tensor floats = Tensor.of(new float[] {0, 1, 2, 3, 4, 5}, 2, 3);
    Tensor ints = Tensor.of(new int[] {0, 1, 2, 3, 4, 5}, 2, 3);
    Tensor flags = Tensor.of(new boolean[] {false, true, false, true, false, true}, 2, 3);
    for (int row = 0; row < 2; row++) {
      for (int column = 0; column < 3; column++) {
        int index = 3 * row + column;
        assertThat(floats.getFloat(row, column)).isEqualTo(index);
        assertThat(floats.getDouble(row, column)).isEqualTo(index);
        assertThat(ints.getLong(row, column)).isEqualTo(index);
        assertThat(ints.getInt(row, column)).isEqualTo(index);
        assertThat(flags.getBoolean(row, column)).isEqualTo(index % 2 == 1);
      }
    }
    for (int[] place : new int[][] {{-1, 0}, {2, 0}, {0, -1}, {0, 3}}) {
      assertOutOfBounds(
          () -> floats.named("x").getFloat(place[0], place[1]),
          "Cannot read element (%s, %s) of column 'x': its shape is [2, 3], so expected a row in [0, 2) and a column in [0, 3)."
              .formatted(place[0], place[1]));
    }
    assertThatThrownBy(() -> ints.getFloat(0, 0)).hasMessageContaining("as a float");
  }

  @Test
  void rowAndColumnNeedAMatrix() {
    Tensor list = Tensor.of(new long[6]).named("x");
    Tensor block = Tensor.of(new long[8], 2, 2, 2);
    assertThatThrownBy(() -> list.getLong(0, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Cannot read rows and columns of column 'x': its shape is [6] but expected two axes. Use"
                + " an index in row-major order, or row(i).");
    assertThatThrownBy(() -> block.toArrays(long[].class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Cannot read rows and columns: its shape is [2, 2, 2]");
    assertThat(block.row(1).toArrays(long[].class)).isDeepEqualTo(new long[2][2]);
  }

  @Test
  void rowsAreCopiedToArrays() {
    float[] values = {0, 1, 2, 3, 4, 5};
    float[][] rows = Tensor.of(values, 2, 3).toArrays(float[].class);
    values[0] = 9;
    assertThat(rows).isDeepEqualTo(new float[][] {{0, 1, 2}, {3, 4, 5}});
    assertThat(Tensor.of(new boolean[0], 0, 3).toArrays(boolean[].class)).isEmpty();
    assertThat(Tensor.of(new double[0], 2, 0).toArrays(double[].class))
        .isDeepEqualTo(new double[2][0]);
    assertThatThrownBy(() -> Tensor.of(values, 2, 3).named("x").toArrays(double[].class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Cannot copy rows of type FLOAT32 of column 'x' as double[]: expected float[].");
  }

  @Test
  void anIndexThatIsNotThereIsToldWithTheShapeAndTheColumn() {
    Tensor x = Tensor.of(new float[6], 2, 3);
    Tensor d = Tensor.of(new double[2]);
    RaggedTensor r = RaggedTensor.of(Tensor.of(new int[3]), Tensor.of(new long[] {0, 1, 3}));
    Map<String, Object> columns = Map.of("x", x, "d", d, "r", r);
    try (Batch batch = Batch.of(2, columns, new Lease(() -> {}))) {
      assertOutOfBounds(
          () -> batch.tensor("x").getFloat(6),
          "Cannot read element 6 of column 'x': its shape is [2, 3], so expected one in [0, 6).");
      assertOutOfBounds(
          () -> batch.tensor("x").row(1).getFloat(3),
          "Cannot read element 3 of column 'x': its shape is [3], so expected one in [0, 3).");
      assertOutOfBounds(
          () -> batch.tensor("x").row(2),
          "Cannot read row 2 of column 'x': its shape is [2, 3], so expected one in [0, 2).");
      assertOutOfBounds(
          () -> batch.tensor("d").getDouble(-1),
          "Cannot read element -1 of column 'd': its shape is [2], so expected one in [0, 2).");
      assertOutOfBounds(
          () -> batch.ragged("r").row(1).getInt(2),
          "Cannot read element 2 of column 'r': its shape is [2], so expected one in [0, 2).");
      for (ThrowingCallable read :
          List.<ThrowingCallable>of(
              () -> batch.ragged("r").row(2), () -> batch.ragged("r").length(2))) {
        assertOutOfBounds(
            read, "Cannot read row 2 of column 'r': it has 2 lists, so expected one in [0, 2).");
      }
    }
    assertOutOfBounds(
        () -> d.getDouble(2),
        "Cannot read element 2: its shape is [2], so expected one in [0, 2).");
  }

  private static void assertOutOfBounds(ThrowingCallable read, String message) {
    assertThatThrownBy(read).isInstanceOf(IndexOutOfBoundsException.class).hasMessage(message);
  }

  @Test
  void rowsOfNoElementsAreThereToo() {
    Tensor tensor = Tensor.of(new long[0], 3, 0);
    assertThat(tensor.row(2).shape()).isEqualTo(Shape.of(0));
  }

  @Test
  void shapeOfAnotherSizeIsRefused() {
    assertThatThrownBy(() -> Tensor.of(new float[5], 2, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot make a tensor of shape [2, 3]: the array has 5 elements but 6 are needed.");
  }
}
