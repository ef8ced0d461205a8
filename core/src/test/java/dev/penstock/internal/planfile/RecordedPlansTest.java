package dev.penstock.internal.planfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.internal.table.FileSchema;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.testing.BytesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;

/// Plans that were written once, and what is in them as JSON. `test_plan_file.py` reads them, too.
///
/// `-Dpenstock.plans=write` renews them: when what they are made of changes, not when an earlier
/// plan cannot be read any more.
class RecordedPlansTest {
  private static final Path FOLDER =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."))
          .resolve("python/tests/data/plans");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 100})
  void recordedPlansAreRead(int files) throws IOException {
    RandomPlan any = new RandomPlan(new Random(files));
    PlanFile plan = any.plan(files);
    PlanDetails details = any.details(plan);
    Path recorded = FOLDER.resolve(files + ".penstock-plan");
    Path json = FOLDER.resolve(files + ".json");
    if ("write".equals(System.getProperty("penstock.plans"))) {
      Files.createDirectories(FOLDER);
      Files.write(recorded, PlanFileWriter.write(plan, details));
      Files.writeString(json, json(plan, details) + "\n");
    }
    PlanFileReader reader = PlanFileReader.open(new BytesFile(Files.readAllBytes(recorded)));
    assertThat(reader.plan()).isEqualTo(plan);
    assertThat(RandomPlan.all(plan, reader.details())).isEqualTo(RandomPlan.all(plan, details));
    assertThat(json).hasContent(json(reader.plan(), reader.details()));
  }

  private static String json(PlanFile plan, PlanDetails details) throws IOException {
    PlanOrigin origin = plan.origin();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("hash", plan.hash());
    all.put("table", origin.table());
    all.put("format", origin.format());
    all.put("filter", origin.filter());
    all.put("locations", origin.locations());
    all.put("statistics", origin.statistics());
    all.put("formatOptions", origin.formatOptions());
    all.put("rules", origin.rules());
    all.put("schemas", plan.schemas().stream().map(RecordedPlansTest::schema).toList());
    List<Object> files = new ArrayList<>();
    for (int file = 0; file < plan.files().size(); file++) {
      files.add(file(plan, details, file));
    }
    all.put("files", files);
    return JsonTree.text(json -> write(json, all));
  }

  private static Object schema(FileSchema schema) {
    return Map.of(
        "columns",
        fields(schema.columns().fields()),
        "decodingChoices",
        schema.decodingChoices(),
        "flags",
        (schema.isText() ? 1 : 0) + (schema.mayLackColumns() ? 2 : 0));
  }

  private static Object fields(List<Field> fields) {
    return fields.stream()
        .map(field ->
            Map.of("name", field.name(), "nullable", field.nullable(), "type", type(field.type())))
        .toList();
  }

  private static Object type(DataType type) {
    return switch (type) {
      case DataType.List(DataType element, boolean nullable) ->
          Map.of("nullable", nullable, "of", List.of(type(element)));
      case DataType.Map(DataType key, DataType value, boolean nullable) ->
          Map.of("nullable", nullable, "of", List.of(type(key), type(value)));
      case DataType.Struct(List<Field> fields) -> Map.of("struct", fields(fields));
      case DataType.Unsupported(String description) -> Map.of("unsupported", description);
      default -> type.toString();
    };
  }

  private static Object file(PlanFile plan, PlanDetails details, int number) throws IOException {
    PlannedFile file = plan.files().get(number);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("location", file.location().text());
    all.put("bytes", file.bytes());
    all.put("version", file.version());
    all.put("schema", file.schema());
    all.put(
        "partition",
        file.partition().stream().map(value -> Arrays.asList(value.key(), value.text())).toList());
    all.put("rows", file.stored().stream().map(RowGroup::rowCount).toList());
    all.put("left", file.left().stream().map(RowGroup::rowCount).toList());
    all.put("groupBytes", file.stored().stream().map(RowGroup::bytes).toList());
    Map<String, Object> columns = new LinkedHashMap<>();
    for (String column : plan.origin().statistics()) {
      List<Object> groups = new ArrayList<>();
      for (int group = 0; group < file.stored().size(); group++) {
        ColumnStatistics each = details.statistics(number, group, column);
        groups.add(
            Arrays.asList(
                count(each.valueCount()),
                count(each.nullCount()),
                count(each.nanCount()),
                bound(each.lower()),
                bound(each.upper())));
      }
      columns.put(column, groups);
    }
    if (!columns.isEmpty()) {
      all.put("statistics", columns);
    }
    if (!plan.origin().filter().isEmpty()) {
      all.put("matches", RandomPlan.rows(details.matches(number), file.rows()));
    }
    return all;
  }

  private static @Nullable Object count(OptionalLong count) {
    return count.isPresent() ? count.getAsLong() : null;
  }

  private static Object bound(@Nullable Bound bound) {
    return bound == null
        ? Arrays.asList(null, false)
        : Arrays.asList(value(bound.value()), bound.exact());
  }

  private static Object value(Comparable<?> value) {
    return switch (value) {
      case Boolean bit -> bit ? 1 : 0;
      case Long number -> number;
      case Float number -> Map.of("float", Double.toString(number));
      case ByteString text -> Map.of("hex", text.toString());
      default -> Map.of(value instanceof Double ? "float" : "decimal", value.toString());
    };
  }

  private static void write(JsonGenerator json, @Nullable Object value) {
    switch (value) {
      case null -> json.writeNull();
      case Boolean bit -> json.writeBoolean(bit);
      case Number number -> json.writeNumber(number.longValue());
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(each -> write(json, each));
        json.writeEndArray();
      }
      case Map<?, ?> map -> {
        json.writeStartObject();
        new TreeMap<>(map)
            .forEach((name, each) -> {
              json.writeName(String.valueOf(name));
              write(json, each);
            });
        json.writeEndObject();
      }
      default -> json.writeString(value.toString());
    }
  }
}
