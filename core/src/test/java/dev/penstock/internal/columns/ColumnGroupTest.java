package dev.penstock.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.OutputFormat;
import dev.penstock.internal.columns.ColumnGroup.DecodingWork;
import dev.penstock.internal.columns.ColumnGroup.Part;
import dev.penstock.internal.table.ValuesPerRow;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ColumnGroupTest {
  private static final DataType FLOAT = new DataType.Floating(32);

  private static List<Field> fields(int count, DataType type) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add(new Field("c" + i, type, false));
    }
    return fields;
  }

  private static BatchLayout layout(List<Field> fields, Map<String, List<String>> features) {
    return BatchLayout.of(
        Schema.of(fields),
        10,
        OutputFormat.TENSOR,
        false,
        ColumnForms.defaults(),
        features,
        Set.of(),
        _ -> ValuesPerRow.UNKNOWN);
  }

  private static List<ColumnGroup> groups(List<Field> fields, List<String> matrix, int count) {
    Map<String, List<String>> features = matrix.isEmpty() ? Map.of() : Map.of("x", matrix);
    BatchLayout layout = layout(fields, features);
    return ColumnGroup.of(layout.columns(), count, DecodingWork.UNKNOWN);
  }

  @Test
  void everyColumnIsInOneGroup() {
    for (int columns = 1; columns < 12; columns++) {
      for (int count = 1; count <= 4; count++) {
        List<ColumnGroup> groups = groups(fields(columns, FLOAT), List.of(), count);
        assertThat(groups).hasSize(Math.min(columns, count));
        assertThat(groups.stream().flatMap(group -> group.schema().names().stream()))
            .containsExactlyElementsOf(fields(columns, FLOAT).stream().map(Field::name).toList());
      }
    }
  }

  @Test
  void groupsAreOfAboutEqualWeight() {
    List<Field> fields = fields(6, FLOAT);
    fields.set(0, new Field("wide", new DataType.Int(64, true), false));
    fields.set(1, new Field("text", new DataType.Utf8(), true));
    assertThat(groups(fields, List.of(), 2).stream().map(group -> group.schema().names()))
        .containsExactly(List.of("wide", "text"), List.of("c2", "c3", "c4", "c5"));
  }

  @Test
  void groupsAreAboutAsMuchWorkWhereFilesSayIt() {
    BatchLayout layout = layout(fields(6, FLOAT), Map.of());
    DecodingWork work = column -> OptionalDouble.of(column.equals("c1") ? 20 : 4);
    assertThat(ColumnGroup.of(layout.columns(), 2, work))
        .extracting(group -> group.schema().names())
        .containsExactly(List.of("c0", "c1"), List.of("c2", "c3", "c4", "c5"));
    DecodingWork unknown =
        column -> column.equals("c1") ? OptionalDouble.empty() : work.perRow(column);
    assertThat(ColumnGroup.of(layout.columns(), 2, unknown).getFirst().schema().names())
        .as("4 bytes of a float")
        .containsExactly("c0", "c1", "c2");
  }

  @Test
  void columnsOfAMatrixCountOneByOne() {
    List<Field> fields = fields(64, FLOAT);
    List<String> names = fields.stream().map(Field::name).toList();
    BatchLayout layout = layout(fields, Map.of("x", names));
    DecodingWork work = column -> OptionalDouble.of(names.indexOf(column) < 16 ? 9 : 3);
    assertThat(ColumnGroup.of(layout.columns(), 2, work).getFirst().parts())
        .extracting(Part::from, Part::to)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(0, 16));
  }

  @Test
  void objectsAreWorkOfTheirOwn() {
    List<Field> fields = fields(4, FLOAT);
    fields.set(0, new Field("text", new DataType.Utf8(), true));
    BatchLayout layout = layout(fields, Map.of());
    assertThat(ColumnGroup.of(layout.columns(), 2, _ -> OptionalDouble.of(4)))
        .as("text takes 8, the others 4 each")
        .extracting(group -> group.schema().names())
        .containsExactly(List.of("text"), List.of("c1", "c2", "c3"));
  }

  @Test
  void matrixIsCutAtCacheLines() {
    List<Field> fields = fields(64, FLOAT);
    List<String> names = fields.stream().map(Field::name).toList();
    List<ColumnGroup> groups = groups(fields, names, 2);
    assertThat(groups.stream().flatMap(group -> group.parts().stream()))
        .extracting(Part::from, Part::to)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, 32),
            org.assertj.core.groups.Tuple.tuple(32, 64));
  }

  @Test
  void columnOfTwoMatricesIsDecodedOnceInAGroup() {
    List<Field> fields = fields(2, FLOAT);
    BatchLayout layout = layout(fields, Map.of("x", List.of("c0", "c1"), "y", List.of("c1", "c0")));
    ColumnGroup group = ColumnGroup.of(layout.columns(), 1, DecodingWork.UNKNOWN).getFirst();
    assertThat(group.schema().names()).containsExactlyInAnyOrder("c0", "c1");
    assertThat(group.parts()).hasSize(2);
  }

  @Test
  void onlyWideTablesAndScarceRunsAreShared() {
    List<ColumnPlan> narrow = plans(2);
    List<ColumnPlan> wide = plans(64);
    assertThat(ColumnGroup.forWorkers(narrow, 2, 16, false, DecodingWork.UNKNOWN)).hasSize(1);
    assertThat(ColumnGroup.forWorkers(narrow, 2, 1, false, DecodingWork.UNKNOWN)).hasSize(2);
    assertThat(ColumnGroup.forWorkers(narrow, 2, 16, true, DecodingWork.UNKNOWN)).hasSize(2);
    assertThat(ColumnGroup.forWorkers(wide, 0, 16, false, DecodingWork.UNKNOWN)).hasSize(1);
    assertThat(ColumnGroup.forWorkers(wide, 1, 16, false, DecodingWork.UNKNOWN)).hasSize(1);
    assertThat(ColumnGroup.forWorkers(wide, 2, 16, false, DecodingWork.UNKNOWN)).hasSize(2);
    assertThat(ColumnGroup.forWorkers(wide, 16, 100, false, DecodingWork.UNKNOWN)).hasSize(2);
    assertThat(ColumnGroup.forWorkers(wide, 16, 3, false, DecodingWork.UNKNOWN)).hasSize(4);
  }

  private static List<ColumnPlan> plans(int columns) {
    return layout(fields(columns, FLOAT), Map.of()).columns();
  }

  @Test
  void listsWeighAsMuchAsTheirElements() {
    List<Field> fields = fields(6, FLOAT);
    fields.set(0, new Field("list", new DataType.List(FLOAT, false), false));
    BatchLayout layout =
        BatchLayout.of(
            Schema.of(fields),
            10,
            OutputFormat.TENSOR,
            false,
            ColumnForms.defaults(),
            Map.of(),
            Set.of(),
            name -> name.equals("list") ? new ValuesPerRow(5, 5) : new ValuesPerRow(1, 1));
    assertThat(ColumnGroup.of(layout.columns(), 2, DecodingWork.UNKNOWN))
        .extracting(group -> group.schema().names())
        .containsExactly(List.of("list"), List.of("c1", "c2", "c3", "c4", "c5"));
  }

  @Test
  void tableWithoutColumnsHasOneGroup() {
    assertThat(groups(List.of(), List.of(), 3)).hasSize(1);
  }
}
