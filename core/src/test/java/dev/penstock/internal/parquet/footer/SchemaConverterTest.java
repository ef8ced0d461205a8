package dev.penstock.internal.parquet.footer;

import static org.apache.parquet.format.FieldRepetitionType.OPTIONAL;
import static org.apache.parquet.format.FieldRepetitionType.REPEATED;
import static org.apache.parquet.format.FieldRepetitionType.REQUIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ReadRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.NullType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.VariantType;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaConverterTest {
  /// Converts a schema that parquet-java can parse.
  private static List<Column> convert(String columns) throws PageException {
    return SchemaConverter.convert(elements(columns));
  }

  private static List<SchemaElement> elements(String columns) {
    return new ArrayList<>(
        new ParquetMetadataConverter()
            .toParquetMetadata(
                1,
                new org.apache.parquet.hadoop.metadata.ParquetMetadata(
                    new org.apache.parquet.hadoop.metadata.FileMetaData(
                        MessageTypeParser.parseMessageType("message m { " + columns + " }"),
                        java.util.Map.of(),
                        "test"),
                    List.of()))
            .getSchema());
  }

  private static String types(List<Column> columns) {
    return columns.stream().map(Column::field).toList().toString();
  }

  /// The shapes of lists in the order of `LogicalTypes.md`, and what they are.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optional group c (LIST) { repeated group list { optional int32 element; } } | list<int32>",
        "required group c (LIST) { repeated group bag { required int32 array_element; } }"
            + " | list<int32> not null",
        "optional group c (LIST) { repeated int32 element; } | list<int32>",
        "optional group c (LIST) { repeated group element { required int32 a; required int64 b; } }"
            + " | list<struct<a: int32, b: int64>>",
        "optional group c (LIST) { repeated group element { repeated int32 a; } }"
            + " | list<struct<a: list<int32>>>",
        "optional group c (LIST) { repeated group array { required int32 a; } }"
            + " | list<struct<a: int32>>",
        "optional group c (LIST) { repeated group c_tuple { required int32 a; } }"
            + " | list<struct<a: int32>>",
        "optional group c (LIST) { repeated group b_tuple { required int32 a; } } | list<int32>",
        "required group c (LIST) { repeated group array (LIST) { repeated int32 array; } }"
            + " | list<list<int32>> not null",
        "required group c (LIST) { repeated group array (MAP) { repeated group map {"
            + " required int32 key; optional int32 value; } } } | list<map<int32, int32>> not null",
        "repeated int32 c | list<int32> not null",
        "repeated group c { required int32 a; } | list<struct<a: int32>> not null",
        "repeated group c (LIST) { repeated group list { optional int32 a; } }"
            + " | list<list<int32>> not null",
        "optional group c (MAP) { repeated group key_value { required int32 key;"
            + " optional int64 value; } } | map<int32, int64>",
        "optional group c (MAP_KEY_VALUE) { repeated group map { required int32 key;"
            + " required int64 value; } } | map<int32, int64>",
        "optional group c (MAP) { repeated group map (MAP_KEY_VALUE) { required int32 a;"
            + " required int64 b; } } | map<int32, int64>",
        "optional group c (MAP) { repeated group key_value { optional int32 key;"
            + " optional int64 value; } } | map<int32, int64>",
        "optional group c { repeated group map (MAP_KEY_VALUE) { required int32 key;"
            + " optional int64 value; } } | struct<map: map<int32, int64>>",
        "repeated group c (MAP_KEY_VALUE) { required int32 key; optional int64 value; }"
            + " | map<int32, int64> not null",
        "repeated group c (MAP_KEY_VALUE) { repeated group map { required int32 key;"
            + " required int64 value; } } | list<map<int32, int64>> not null",
        "optional group c (MAP) { repeated group key_value { required int32 key; } } | list<int32>",
        "optional group c { repeated int32 a; optional group b { required int32 c; } }"
            + " | struct<a: list<int32>, b: struct<c: int32>>",
      })
  void shapeHasItsType(String declaration, String type) throws PageException {
    assertThat(types(convert(declaration + (declaration.endsWith("}") ? "" : ";"))))
        .isEqualTo("[c: " + type + "]");
  }

  @Test
  void nullabilityIsThatOfTheParts() throws PageException {
    DataType type =
        convert(
                "required group c { optional group a (LIST) { repeated group list {"
                    + " required int32 element; } } required group b (MAP) { repeated group map {"
                    + " required int32 key; optional int32 value; } } }")
            .getFirst()
            .field()
            .type();
    DataType.Int int32 = new DataType.Int(32, true);
    assertThat(type)
        .isEqualTo(
            new DataType.Struct(
                List.of(
                    new dev.penstock.schema.Field("a", new DataType.List(int32, false), true),
                    new dev.penstock.schema.Field(
                        "b", new DataType.Map(int32, int32, true), false))));
  }

  @Test
  void levelsAndLeavesAreThoseOfParquetJava() throws PageException {
    String columns =
        "optional group a { repeated group b { optional group c (LIST) { repeated group list {"
            + " optional int32 element; } } required int32 d; } } optional int64 e;"
            + " required group f (MAP) { repeated group key_value { required int32 key;"
            + " optional group value { required int32 g; } } }";
    List<Column> leaves =
        convert(columns).stream().flatMap(column -> column.leaves().stream()).toList();
    var descriptors =
        MessageTypeParser.parseMessageType("message m { " + columns + " }").getColumns();
    assertThat(leaves).hasSameSizeAs(descriptors);
    for (int i = 0; i < leaves.size(); i++) {
      assertThat(leaves.get(i).leaf()).isEqualTo(i);
      assertThat(leaves.get(i).definition()).isEqualTo(descriptors.get(i).getMaxDefinitionLevel());
      assertThat(leaves.get(i).repetition()).isEqualTo(descriptors.get(i).getMaxRepetitionLevel());
    }
  }

  @Test
  void elementsWithoutRepetitionAreThere() throws PageException {
    List<Column> columns =
        SchemaConverter.convert(
            List.of(
                new SchemaElement("root").setNum_children(2),
                new SchemaElement("a").setType(Type.INT32),
                new SchemaElement("g").setNum_children(1),
                new SchemaElement("b").setType(Type.INT64)));
    assertThat(types(columns)).isEqualTo("[a: int32 not null, g: struct<b: int64> not null]");
  }

  @Test
  void annotationThatDoesNotFitIsIgnoredWithTheStatistics() throws PageException {
    for (ConvertedType wrong :
        List.of(ConvertedType.UTF8, ConvertedType.TIME_MICROS, ConvertedType.INTERVAL)) {
      SchemaElement leaf =
          new SchemaElement("a")
              .setType(Type.INT32)
              .setRepetition_type(REQUIRED)
              .setConverted_type(wrong);
      List<SchemaElement> all = List.of(new SchemaElement("root").setNum_children(1), leaf);
      assertThat(types(SchemaConverter.convert(all))).isEqualTo("[a: int32 not null]");
      assertThat(LeafColumn.of(all).getFirst().ordered()).isFalse();
    }
  }

  @Test
  void everyLeafMayBeMarkedAsNothingButNull() throws PageException {
    for (Type physical : Type.values()) {
      SchemaElement leaf =
          new SchemaElement("a")
              .setType(physical)
              .setType_length(physical == Type.FIXED_LEN_BYTE_ARRAY ? 3 : 0)
              .setRepetition_type(OPTIONAL)
              .setLogicalType(LogicalType.UNKNOWN(new NullType()));
      assertThat(
              types(
                  SchemaConverter.convert(
                      List.of(new SchemaElement("root").setNum_children(1), leaf))))
          .isEqualTo("[a: null]");
    }
  }

  @Test
  void columnsOfOneNameLeaveTheOthersAlone() throws PageException {
    List<Column> columns =
        SchemaConverter.convert(
            List.of(
                new SchemaElement("root").setNum_children(3),
                new SchemaElement("a").setType(Type.INT32).setRepetition_type(REQUIRED),
                new SchemaElement("a").setType(Type.INT64).setRepetition_type(REQUIRED),
                new SchemaElement("b").setType(Type.INT32).setRepetition_type(REQUIRED)));
    assertThat(types(columns))
        .isEqualTo("[a: one of 2 columns of that name not null, b: int32 not null]");
    assertThat(columns).extracting(Column::leaf).containsExactly(-1, 2);
  }

  @Nested
  class WhatCannotBeRead {
    private static SchemaElement group(
        String name,
        FieldRepetitionType repetition,
        int children,
        @Nullable ConvertedType annotation) {
      SchemaElement group =
          new SchemaElement(name).setRepetition_type(repetition).setNum_children(children);
      return annotation == null ? group : group.setConverted_type(annotation);
    }

    private static SchemaElement leaf(String name, FieldRepetitionType repetition) {
      return new SchemaElement(name).setRepetition_type(repetition).setType(Type.INT32);
    }

    private static void assertUnreadable(String description, SchemaElement... elements)
        throws PageException {
      List<SchemaElement> all = new ArrayList<>(Arrays.asList(elements));
      all.addFirst(new SchemaElement("root").setNum_children(2));
      all.add(leaf("last", REQUIRED));
      List<Column> columns = SchemaConverter.convert(all);
      DataType type = columns.getFirst().field().type();
      assertThat(type).hasToString(description);
      assertThat(ReadRequest.isReadable(type)).isFalse();
      // What comes behind is not shifted.
      long leaves = all.stream().filter(SchemaElement::isSetType).count();
      assertThat(columns.getLast().leaf()).isEqualTo((int) leaves - 1);
    }

    @Test
    void groupWithoutChildrenIsNamed() throws PageException {
      assertUnreadable("struct<>", group("c", OPTIONAL, 0, null));
      assertUnreadable(
          "struct<a: int32, b: struct<>>",
          group("c", OPTIONAL, 2, null),
          leaf("a", REQUIRED),
          group("b", REQUIRED, 0, null));
    }

    @Test
    void listThatIsNoneIsNamed() throws PageException {
      assertUnreadable("LIST<>", group("c", OPTIONAL, 0, ConvertedType.LIST));
      assertUnreadable(
          "LIST<a: int32>", group("c", OPTIONAL, 1, ConvertedType.LIST), leaf("a", OPTIONAL));
      assertUnreadable(
          "LIST<a: list<int32>, b: int32>",
          group("c", OPTIONAL, 2, ConvertedType.LIST),
          leaf("a", REPEATED),
          leaf("b", REQUIRED));
      assertUnreadable(
          "LIST<a: list<struct<>>>",
          group("c", OPTIONAL, 1, ConvertedType.LIST),
          group("a", REPEATED, 0, null));
    }

    @Test
    void mapThatIsNoneIsNamed() throws PageException {
      assertUnreadable("MAP<>", group("c", OPTIONAL, 0, ConvertedType.MAP));
      assertUnreadable(
          "MAP<a: list<int32>>", group("c", OPTIONAL, 1, ConvertedType.MAP), leaf("a", REPEATED));
      assertUnreadable(
          "MAP<a: list<struct<k: int32, v: int32, w: int32>>>",
          group("c", OPTIONAL, 1, ConvertedType.MAP),
          group("a", REPEATED, 3, null),
          leaf("k", REQUIRED),
          leaf("v", REQUIRED),
          leaf("w", REQUIRED));
      assertUnreadable(
          "MAP<a: list<struct<k: list<int32>, v: int32>>>",
          group("c", OPTIONAL, 1, ConvertedType.MAP),
          group("a", REPEATED, 2, null),
          leaf("k", REPEATED),
          leaf("v", REQUIRED));
    }

    @Test
    void twoFieldsOfOneNameAreNamed() throws PageException {
      assertUnreadable(
          "struct<a: int32, a: int32>",
          group("c", REQUIRED, 2, null),
          leaf("a", REQUIRED),
          leaf("a", REQUIRED));
    }

    @Test
    void annotationOfALeafOnAGroupIsNamed() throws PageException {
      assertUnreadable(
          "UTF8<a: int32>", group("c", REQUIRED, 1, ConvertedType.UTF8), leaf("a", REQUIRED));
    }

    @Test
    void partThatCannotBeReadLeavesTheOthersAlone() throws PageException {
      SchemaElement wrong = leaf("b", REQUIRED).setConverted_type(ConvertedType.DECIMAL);
      List<Column> columns =
          SchemaConverter.convert(
              List.of(
                  new SchemaElement("root").setNum_children(1),
                  group("c", REQUIRED, 3, null),
                  leaf("a", REQUIRED),
                  wrong,
                  leaf("d", REQUIRED)));
      assertThat(types(columns))
          .isEqualTo("[c: struct<a: int32, b: int32 (DECIMAL), d: int32> not null]");
      List<Column> parts = columns.getFirst().children();
      assertThat(parts).extracting(Column::leaf).containsExactly(0, -1, 2);
    }

    @Test
    void deepSchemaIsRefused() {
      List<SchemaElement> elements = new ArrayList<>();
      elements.add(new SchemaElement("root").setNum_children(1));
      for (int depth = 0; depth < 100_000; depth++) {
        elements.add(group("g", OPTIONAL, 1, null));
      }
      assertThatThrownBy(() -> SchemaConverter.convert(elements))
          .hasMessage("Corrupt Parquet file: its schema is nested more than 64 deep.");
    }

    @Test
    void moreChildrenThanElementsAreRefused() {
      List<SchemaElement> elements =
          List.of(
              new SchemaElement("root").setNum_children(1),
              group("c", OPTIONAL, Integer.MAX_VALUE, null),
              leaf("a", REQUIRED));
      assertThatThrownBy(() -> SchemaConverter.convert(elements))
          .hasMessageStartingWith("Corrupt Parquet file: its schema has 3 elements but");
    }
  }

  @Test
  void variantHasMetadataAndValueOrTypedValue() throws PageException {
    assertThat(variant("required binary metadata; optional binary value;"))
        .isEqualTo("[v: variant]");
    assertThat(variant("required binary metadata; optional int64 typed_value;"))
        .isEqualTo("[v: variant]");
    assertThat(
            variant(
                "required binary metadata; optional binary value; optional group typed_value {"
                    + " required group a { optional binary value; optional double typed_value; } }"))
        .isEqualTo("[v: variant]");
    assertThat(variant("required binary metadata;")).isEqualTo("[v: VARIANT<metadata: binary>]");
    assertThat(variant("required binary value;")).isEqualTo("[v: VARIANT<value: binary>]");
    assertThat(variant("required binary metadata; optional int32 value;"))
        .isEqualTo("[v: VARIANT<metadata: binary, value: int32>]");
    assertThat(
            variant("required binary metadata; optional group typed_value { optional int32 a; }"))
        .startsWith("[v: VARIANT<metadata: binary, typed_value: struct<a: int32>>");
  }

  private static String variant(String columns) throws PageException {
    List<SchemaElement> elements = elements("optional group v { " + columns + " }");
    elements.get(1).setLogicalType(LogicalType.VARIANT(new VariantType()));
    return types(SchemaConverter.convert(elements));
  }

  @Test
  void deepestSchemaThatIsAllowedIsConverted() throws PageException {
    String columns = "required int32 a;";
    for (int depth = 0; depth < 64; depth++) {
      columns = "repeated group g { " + columns + " }";
    }
    Column leaf = convert(columns).getFirst().leaves().getFirst();
    assertThat(leaf.definition()).isEqualTo(64);
    assertThat(leaf.repetition()).isEqualTo(64);
  }
}
