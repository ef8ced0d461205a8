package dev.penstock.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaTest {
  private static final DataType INT = new DataType.Int(32, true);
  private static final DataType TEXT = new DataType.Utf8();
  private static final Field CITY = new Field("city", TEXT, false);
  private static final Field PLACE =
      new Field("place", new DataType.Struct(List.of(CITY, new Field("zip", INT, true))), false);
  private static final Field PERSON =
      new Field("person", new DataType.Struct(List.of(PLACE)), true);

  @Test
  void dottedPathFindsThePartOfAStruct() {
    Schema schema = Schema.of(List.of(PLACE));

    assertThat(schema.find("place.city")).contains(new Field("place.city", TEXT, false));
    assertThat(schema.find("place.zip")).contains(new Field("place.zip", INT, true));
  }

  @Test
  void partIsNullableWhereAnyStructAroundItIs() {
    Schema schema = Schema.of(List.of(PERSON));

    assertThat(schema.find("person.place.city"))
        .contains(new Field("person.place.city", TEXT, true));
    assertThat(schema.find("person.place")).contains(new Field("person.place", PLACE.type(), true));
  }

  @Test
  void columnNamedWithDotsComesBeforeThePart() {
    Schema schema = Schema.of(List.of(PLACE, new Field("place.city", INT, false)));

    assertThat(schema.find("place.city")).contains(new Field("place.city", INT, false));
  }

  @Test
  void pathThatLeadsNowhereFindsNothing() {
    Schema schema = Schema.of(List.of(PERSON, new Field("id", INT, false)));

    assertThat(schema.find("person.city")).isEmpty();
    assertThat(schema.find("person.")).isEmpty();
    assertThat(schema.find("personplace")).isEmpty();
    assertThat(schema.find("id.city")).isEmpty();
    assertThat(schema.find("person.place.city.x")).isEmpty();
  }

  @Test
  void pathSaysTheWayToAPart() {
    Schema schema = Schema.of(List.of(CITY, PERSON, new Field("person.place.zip", INT, false)));

    assertThat(schema.path("person.place.city")).containsExactly(1, 0, 0);
    assertThat(schema.path("person.place.zip")).containsExactly(2);
    assertThat(schema.path("person.zip")).isEmpty();
    assertThat(schema.path("city")).containsExactly(0);
  }

  @Test
  void columnIsFoundWithoutCaseWhereThatIsAskedFor() {
    Field upper = new Field("CITY", INT, false);
    Schema schema = Schema.of(List.of(PLACE, CITY, upper, new Field("Straße", INT, false)));

    assertThat(schema.indexOfIgnoringCase("Place")).isZero();
    assertThat(schema.indexOfIgnoringCase("CITY")).isEqualTo(1);
    assertThat(schema.indexOf("CITY")).isEqualTo(2);
    assertThat(schema.indexOfIgnoringCase("STRAßE")).isEqualTo(3);
    assertThat(schema.indexOfIgnoringCase("strasse")).isEqualTo(-1);
  }

  @Test
  void nestedTypesSayWhatTheyHold() {
    DataType list = new DataType.List(new DataType.Floating(32), true);

    assertThat(list).hasToString("list<float32>");
    assertThat(PLACE.type()).hasToString("struct<city: string, zip: int32>");
    assertThat(new DataType.Map(TEXT, list, true)).hasToString("map<string, list<float32>>");
  }

  @Test
  void structNeedsDistinctNames() {
    assertThatThrownBy(() -> new DataType.Struct(List.of(CITY, CITY)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two fields of one name");
  }

  @Test
  void joinedTypeIsNullableWhereEitherIs() {
    DataType left = nested(true, false, false);
    DataType right = nested(false, true, false);

    assertThat(left.joined(right)).contains(nested(true, true, false));
    assertThat(right.joined(left)).contains(nested(true, true, false));
    assertThat(left.joined(nested(false, false, true))).contains(nested(true, false, true));
    assertThat(new Field("a", left, false).joined(new Field("a", right, true)))
        .contains(new Field("a", nested(true, true, false), true));
  }

  /// A map of lists of structs whose values, elements or fields may be null.
  private static DataType nested(boolean values, boolean elements, boolean fields) {
    DataType struct = new DataType.Struct(List.of(CITY, new Field("zip", INT, fields)));
    return new DataType.Map(TEXT, new DataType.List(struct, elements), values);
  }

  @Test
  void typesThatDifferCannotBeJoined() {
    DataType list = new DataType.List(INT, true);
    DataType place = PLACE.type();

    assertThat(list.joined(new DataType.List(TEXT, true))).isEmpty();
    assertThat(list.joined(INT)).isEmpty();
    assertThat(INT.joined(list)).isEmpty();
    assertThat(place.joined(new DataType.Struct(List.of(CITY)))).isEmpty();
    assertThat(new DataType.Struct(List.of(CITY)).joined(place)).isEmpty();
    assertThat(
            new DataType.Struct(List.of(CITY))
                .joined(new DataType.Struct(List.of(new Field("town", TEXT, false)))))
        .isEmpty();
    assertThat(new DataType.Map(TEXT, INT, true).joined(new DataType.Map(INT, INT, true)))
        .isEmpty();
    assertThat(new DataType.Map(TEXT, INT, true).joined(new DataType.Map(TEXT, TEXT, true)))
        .isEmpty();
    assertThat(CITY.joined(new Field("town", TEXT, false))).isEmpty();
  }
}
