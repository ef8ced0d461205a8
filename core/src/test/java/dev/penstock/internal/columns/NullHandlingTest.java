package dev.penstock.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.internal.columns.NullHandling.Keep;
import dev.penstock.internal.columns.NullHandling.Mask;
import dev.penstock.internal.columns.NullHandling.Refuse;
import dev.penstock.internal.columns.NullHandling.Replace;
import dev.penstock.internal.columns.NullHandling.ReplaceText;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import org.junit.jupiter.api.Test;

class NullHandlingTest {
  private static final Field INT = new Field("c", new DataType.Int(32, true), true);
  private static final Field FLOAT = new Field("c", new DataType.Floating(32), true);
  private static final int NAN = Float.floatToRawIntBits(Float.NaN);

  private static Field required(Field field) {
    return new Field(field.name(), field.type(), false);
  }

  private static NullHandling inInts(NullPolicy policy, Field field) {
    return NullHandling.inTensor(policy, field, DType.INT32);
  }

  @Test
  void tensorsReplaceOrMaskOrRefuseNulls() {
    assertThat(inInts(NullPolicy.nan(), INT)).isEqualTo(new Refuse());
    assertThat(NullHandling.inTensor(NullPolicy.nan(), FLOAT, DType.FLOAT32))
        .isEqualTo(new Replace(NAN));
    assertThat(inInts(NullPolicy.fill(-1), INT)).isEqualTo(new Replace(-1));
    assertThat(inInts(NullPolicy.mask(), INT)).isEqualTo(new Mask());
    assertThat(inInts(NullPolicy.error(), INT)).isEqualTo(new Refuse());
    assertThatThrownBy(() -> inInts(NullPolicy.fill("x"), INT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot fill nulls of column 'c' with the text 'x': its type int32 takes numbers."
                + " Choose a number, or give the column a policy of its own.");
  }

  @Test
  void textIsReplacedByItsCodeWhereStringsAreEncoded() {
    StringEncoding given = StringEncoding.codes(Vocabulary.of("a", "b"));
    assertThat(NullHandling.inTensor(NullPolicy.fill("b"), INT, DType.INT32, given))
        .isEqualTo(new Replace(1));
    assertThatThrownBy(() -> NullHandling.inTensor(NullPolicy.fill("x"), INT, DType.INT32, given))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot fill nulls of column 'c' with the text 'x': its vocabulary does not have it."
                + " Add it, or fill with a code.");
  }

  @Test
  void columnsWithoutNullsNeedNoMaskAndNoFittingNumber() {
    assertThat(inInts(NullPolicy.mask(), required(INT))).isEqualTo(new Replace(0));
    assertThat(inInts(NullPolicy.fill(0.5), required(INT))).isEqualTo(new Refuse());
    assertThat(inInts(NullPolicy.fill("x"), required(INT))).isEqualTo(new Refuse());
  }

  @Test
  void matricesHaveNoMaskAndReplaceNullsThatAFileDenies() {
    assertThat(NullHandling.inMatrix(NullPolicy.mask(), INT)).isEqualTo(new Replace(NAN));
    assertThat(NullHandling.inMatrix(NullPolicy.nan(), INT)).isEqualTo(new Replace(NAN));
    assertThat(NullHandling.inMatrix(NullPolicy.error(), INT)).isEqualTo(new Refuse());
    Replace half = new Replace(Float.floatToRawIntBits(0.5f));
    assertThat(NullHandling.inMatrix(NullPolicy.fill(0.5), INT)).isEqualTo(half);
    assertThat(NullHandling.inMatrix(NullPolicy.fill(0.5), required(INT))).isEqualTo(half);
    Replace infinite = new Replace(Float.floatToRawIntBits(Float.POSITIVE_INFINITY));
    assertThat(NullHandling.inMatrix(NullPolicy.fill(1e39), required(INT))).isEqualTo(infinite);
    assertThatThrownBy(() -> NullHandling.inMatrix(NullPolicy.fill(1e39), INT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot fill nulls of column 'c' with 1.0E39: its type float32");
  }

  @Test
  void nullListsHaveAPlaceUnderAMaskAndInArrays() {
    assertThat(NullHandling.inLists(NullPolicy.mask(), INT, false)).isEqualTo(new Mask());
    assertThat(NullHandling.inLists(NullPolicy.nan(), INT, false)).isEqualTo(new Refuse());
    assertThat(NullHandling.inLists(NullPolicy.fill(1), INT, true)).isEqualTo(new Keep());
    assertThat(NullHandling.inLists(NullPolicy.error(), INT, true)).isEqualTo(new Refuse());
    assertThat(NullHandling.inLists(NullPolicy.mask(), required(INT), true))
        .isEqualTo(new Refuse());
  }

  @Test
  void objectsAndVectorsKeepNulls() {
    assertThat(NullHandling.inObjects(NullPolicy.mask(), true)).isEqualTo(new Keep());
    assertThat(NullHandling.inObjects(NullPolicy.fill("x"), true)).isEqualTo(new ReplaceText("x"));
    assertThat(NullHandling.inObjects(NullPolicy.fill("x"), false)).isEqualTo(new Keep());
    assertThat(NullHandling.inObjects(NullPolicy.error(), true)).isEqualTo(new Refuse());
    assertThat(NullHandling.inVector(NullPolicy.fill("x"))).isEqualTo(new Keep());
    assertThat(NullHandling.inVector(NullPolicy.error())).isEqualTo(new Refuse());
  }
}
