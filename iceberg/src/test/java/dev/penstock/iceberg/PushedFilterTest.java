package dev.penstock.iceberg;

import static dev.penstock.filter.Filter.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Fold;
import dev.penstock.filter.Literal;
import dev.penstock.filter.Operator;
import dev.penstock.internal.hash.XxHash64;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.encryption.EncryptionKeyMetadata;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random filters over tables with random partitions: planning keeps each file that has a row which
/// the filter keeps, as plain Java on the values says.
class PushedFilterTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "n", Types.IntegerType.get()),
          Types.NestedField.optional(3, "big", Types.LongType.get()),
          Types.NestedField.optional(4, "f", Types.FloatType.get()),
          Types.NestedField.optional(5, "d", Types.DoubleType.get()),
          Types.NestedField.optional(6, "s", Types.StringType.get()),
          Types.NestedField.optional(7, "day", Types.DateType.get()),
          Types.NestedField.optional(8, "ts", Types.TimestampType.withZone()),
          Types.NestedField.optional(9, "local", Types.TimestampType.withoutZone()),
          Types.NestedField.optional(10, "b", Types.BooleanType.get()),
          Types.NestedField.optional(11, "dec", Types.DecimalType.of(9, 2)),
          Types.NestedField.optional(
              12,
              "st",
              Types.StructType.of(
                  Types.NestedField.optional(13, "a", Types.IntegerType.get()),
                  Types.NestedField.required(14, "r", Types.IntegerType.get()))));

  private static final List<String> COLUMNS =
      List.of("id", "n", "big", "f", "d", "s", "day", "ts", "local", "b", "dec", "st.a", "st.r");

  @TempDir Path folder;

  /// A data file and the rows that were written to it.
  private record Written(Table table, Map<String, List<Record>> files) {}

  @Seeded(runs = 4)
  void planningNeverDropsARow(Random random) throws IOException {
    List<Record> all = new ArrayList<>();
    for (long id = 0; id < 60; id++) {
      all.add(row(random, id));
    }
    int version = 1 + random.nextInt(2);
    String metrics =
        random.nextInt(4) == 0 ? "counts" : "truncate(" + (1 + random.nextInt(4)) + ")";
    Written written = write(spec(random), all, version, metrics);
    IcebergDataset dataset = IcebergDataset.metadata(TestCatalogs.metadata(written.table));
    int pruning = 0;
    for (int i = 0; i < 150; i++) {
      Filter filter = filter(random, random.nextInt(4));
      Set<String> planned = new TreeSet<>();
      for (CatalogFile file : dataset.pinned().files(Optional.of(filter)).files()) {
        planned.add(file.entry().location().text());
      }
      Set<String> wanted = new TreeSet<>();
      written.files.forEach((path, rows) -> {
        if (rows.stream().anyMatch(row -> Boolean.TRUE.equals(test(filter, row)))) {
          wanted.add(path);
        }
      });
      assertThat(planned).as("%s with %s", filter, written.table.spec()).containsAll(wanted);
      pruning += planned.size() < written.files.size() ? 1 : 0;
      if (i < 4) {
        assertRows(dataset, written, filter);
      }
    }
    assertThat(pruning).isGreaterThan(20);
  }

  private static void assertRows(IcebergDataset dataset, Written written, Filter filter) {
    List<Long> expected = new ArrayList<>();
    written
        .files
        .values()
        .forEach(rows ->
            rows.stream()
                .filter(row -> Boolean.TRUE.equals(test(filter, row)))
                .forEach(row -> expected.add((Long) row.getField("id"))));
    assertThat(CountingTable.ids(dataset.dataset().filter(filter)))
        .as("%s", filter)
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(
            CountingTable.ids(
                dataset
                    .scanFilter(Expressions.alwaysTrue())
                    .dataset()
                    .formatOption("page-index", "ignore")
                    .filter(filter)))
        .as("%s without pushing and page index", filter)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private Written write(PartitionSpec spec, List<Record> all, int version, String metrics)
      throws IOException {
    Table table =
        TestCatalogs.inMemory(folder)
            .createTable(
                TableIdentifier.of("db", "t"),
                SCHEMA,
                spec,
                Map.of(
                    "format-version",
                    String.valueOf(version),
                    "write.metadata.metrics.default",
                    metrics));
    GenericFileWriterFactory writers =
        new GenericFileWriterFactory.Builder(table).dataFileFormat(FileFormat.PARQUET).build();
    Map<PartitionKey, List<Record>> partitions = new LinkedHashMap<>();
    InternalRecordWrapper internal = new InternalRecordWrapper(SCHEMA.asStruct());
    PartitionKey key = new PartitionKey(table.spec(), SCHEMA);
    for (Record row : all) {
      key.partition(internal.wrap(row));
      partitions.computeIfAbsent(key.copy(), _ -> new ArrayList<>()).add(row);
    }
    Map<String, List<Record>> files = new HashMap<>();
    AppendFiles append = table.newAppend();
    for (Map.Entry<PartitionKey, List<Record>> partition : partitions.entrySet()) {
      List<Record> rows = partition.getValue();
      for (int from = 0; from < rows.size(); from += 5) {
        List<Record> some = rows.subList(from, Math.min(rows.size(), from + 5));
        String path = table.location() + "/data/" + some.getFirst().getField("id") + ".parquet";
        DataWriter<Record> writer =
            writers.newDataWriter(
                EncryptedFiles.encryptedOutput(
                    table.io().newOutputFile(path), EncryptionKeyMetadata.EMPTY),
                table.spec(),
                table.spec().isUnpartitioned() ? null : partition.getKey());
        try (writer) {
          some.forEach(writer::write);
        }
        append.appendFile(writer.toDataFile());
        files.put(path, List.copyOf(some));
      }
    }
    append.commit();
    return new Written(table, files);
  }

  private static PartitionSpec spec(Random random) {
    PartitionSpec.Builder spec = PartitionSpec.builderFor(SCHEMA);
    return switch (random.nextInt(9)) {
      case 0 -> spec.identity("n").build();
      case 1 -> spec.truncate("s", 1 + random.nextInt(2)).build();
      case 2 -> spec.bucket("s", 3).truncate("dec", 100).build();
      case 3 -> spec.day("ts").build();
      case 4 -> spec.identity("f").build();
      case 5 -> spec.identity("d").identity("b").build();
      case 6 -> spec.month("day").truncate("big", 10).build();
      case 7 -> spec.identity("s").identity("day").build();
      default -> spec.hour("local").build();
    };
  }

  private static Record row(Random random, long id) {
    GenericRecord row = GenericRecord.create(SCHEMA);
    for (Types.NestedField field : SCHEMA.columns()) {
      if (field.type().isStructType()) {
        GenericRecord struct = GenericRecord.create(field.type().asStructType());
        struct.setField("a", random.nextInt(4) == 0 ? null : value(random, "n"));
        struct.setField("r", Objects.requireNonNull(value(random, "n")));
        row.setField(field.name(), random.nextInt(4) == 0 ? null : struct);
      } else if (random.nextInt(5) > 0) {
        row.setField(field.name(), stored(value(random, field.name())));
      }
    }
    row.setField("id", id);
    return row;
  }

  private static Object stored(Object value) {
    return value instanceof Instant instant
        ? OffsetDateTime.ofInstant(instant, ZoneOffset.UTC)
        : value;
  }

  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "ab",
          "abc",
          "abd",
          "b",
          "it's",
          "\"q\"",
          "%_",
          "zé",
          "\uE000",
          "\uFFFD",
          "\uD83D\uDE00",
          "\uD83D\uDE00x",
          "\0",
          "\uFFFF",
          "a\0");

  private static Object value(Random random, String column) {
    return switch (column) {
      case "id" -> (long) random.nextInt(60);
      case "n", "st.a", "st.r" -> random.nextInt(9) - 4;
      case "big" -> random.nextInt(8) == 0 ? Long.MAX_VALUE : random.nextLong(60) - 30;
      case "f" ->
          pick(
              random, List.of(0f, -0f, 1f, -1.5f, 0.1f, Float.NaN, Float.POSITIVE_INFINITY, 1e30f));
      case "d" ->
          pick(
              random,
              List.of(0.0, -0.0, 1.0, 0.1, Double.NaN, Double.NEGATIVE_INFINITY, 1e300, 4.9E-324));
      case "s" -> pick(random, TEXTS);
      case "day" -> LocalDate.of(1969, 11, 20).plusDays(random.nextInt(100));
      case "ts" ->
          Instant.EPOCH.plusNanos(1000L * (random.nextLong(600_000_000_000L) - 300_000_000_000L));
      case "local" -> LocalDateTime.of(1969, 12, 31, 20, 0).plusMinutes(random.nextInt(500));
      case "b" -> random.nextBoolean();
      case "dec" -> BigDecimal.valueOf(random.nextInt(600) - 300, 2);
      default -> throw new IllegalArgumentException(column);
    };
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static Filter filter(Random random, int depth) {
    if (depth > 0) {
      Filter left = filter(random, depth - 1);
      return switch (random.nextInt(3)) {
        case 0 -> left.and(filter(random, depth - 1));
        case 1 -> left.or(filter(random, depth - 1));
        default -> left.not();
      };
    }
    String name = pick(random, COLUMNS);
    Filter.Column column = col(name);
    Filter leaf =
        switch (random.nextInt(11)) {
          case 10 -> col("id").fold(4, 7).in(random.nextInt(4), random.nextInt(4));
          case 0 -> column.isNull();
          case 1 -> name.equals("f") || name.equals("d") ? column.isNaN() : column.isNotNull();
          case 2 ->
              column.in(
                  List.of(literal(random, name), literal(random, name), literal(random, name)));
          case 3 ->
              name.equals("s") ? column.startsWith(pick(random, TEXTS)) : column.in(List.of());
          case 4 ->
              name.equals("s")
                  ? column.like(pattern(random), '!')
                  : col("n").le(col(pick(random, List.of("big", "st.a", "st.r", "id"))));
          default ->
              new Filter.Comparison(
                  name, pick(random, Arrays.asList(Operator.values())), literal(random, name));
        };
    return random.nextInt(3) == 0 ? leaf.not() : leaf;
  }

  private static String pattern(Random random) {
    String text = pick(random, TEXTS).replaceAll("[%_]", "!$0");
    return switch (random.nextInt(4)) {
      case 0 -> text;
      case 1 -> text + "%";
      case 2 -> text + "_%";
      default -> text.isEmpty() ? "%" : "_%" + text.substring(text.offsetByCodePoints(0, 1));
    };
  }

  /// Returns a value to compare a column with: often one that it has, at times none that it can.
  private static Literal literal(Random random, String name) {
    Object value = value(random, name);
    while (isNaN(value)) {
      value = value(random, name);
    }
    if (value instanceof Number number && random.nextInt(4) == 0 && !name.matches("[fd]")) {
      return Literal.of(
          pick(
              random,
              List.of(
                  new BigDecimal(number.toString()).add(new BigDecimal("0.005")),
                  new BigDecimal("1e40"),
                  new BigDecimal("-1e-40"))));
    }
    if (value instanceof LocalDate || value instanceof LocalDateTime) {
      return random.nextBoolean() ? Literal.of(value) : Literal.of(value.toString());
    }
    return Literal.of(value);
  }

  /// Tests a row; null where that is unknown.
  private static @Nullable Boolean test(Filter filter, Record row) {
    return switch (filter) {
      case Filter.And(List<Filter> parts) -> {
        List<@Nullable Boolean> answers = answers(parts, row);
        yield answers.contains(false) ? Boolean.FALSE : answers.contains(null) ? null : true;
      }
      case Filter.Or(List<Filter> parts) -> {
        List<@Nullable Boolean> answers = answers(parts, row);
        yield answers.contains(true) ? Boolean.TRUE : answers.contains(null) ? null : false;
      }
      case Filter.Not(Filter part) -> {
        Boolean answer = test(part, row);
        yield answer == null ? null : !answer;
      }
      case Filter.IsNull(String column) -> get(row, column) == null;
      case Filter.IsNaN(String column) -> {
        Object value = get(row, column);
        yield value == null ? null : isNaN(value);
      }
      case Filter.StartsWith(String column, String prefix) -> {
        Object value = get(row, column);
        yield value == null ? null : ((String) value).startsWith(prefix);
      }
      case Filter.Like like -> {
        Object value = get(row, like.column());
        yield value == null ? null : matches((String) value, like.pattern());
      }
      case Filter.InFold(Fold fold, Set<Integer> folds) -> {
        byte[] key =
            ByteBuffer.allocate(17)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(fold.seed())
                .put((byte) 1)
                .putLong((Long) Objects.requireNonNull(get(row, "id")))
                .array();
        yield folds.contains((int) Long.remainderUnsigned(XxHash64.hash(key), fold.k()));
      }
      case Filter.ColumnComparison(String left, Operator operator, String right) -> {
        Object value = get(row, left);
        Object other = get(row, right);
        yield (value == null || other == null)
            ? null
            : operator.test(
                Long.compare(((Number) value).longValue(), ((Number) other).longValue()));
      }
      case Filter.In(String column, Set<Literal> literals) -> {
        Object value = get(row, column);
        yield value == null
            ? null
            : literals.stream().anyMatch(each -> compare(value, each, Operator.EQ));
      }
      case Filter.Comparison(String column, Operator operator, Literal literal) -> {
        Object value = get(row, column);
        yield value == null ? null : compare(value, literal, operator);
      }
    };
  }

  private static boolean matches(String text, String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      regex.append(
          switch (c) {
            case '%' -> ".*";
            case '_' -> ".";
            case '!' -> "\\" + pattern.charAt(++i);
            default ->
                "\"".indexOf(c) >= 0 || Character.isLetterOrDigit(c) ? "" + c : "[" + c + "]";
          });
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
  }

  private static boolean isNaN(Object value) {
    return (value instanceof Float f && f.isNaN()) || (value instanceof Double d && d.isNaN());
  }

  private static List<@Nullable Boolean> answers(List<Filter> parts, Record row) {
    List<@Nullable Boolean> answers = new ArrayList<>();
    parts.forEach(part -> answers.add(test(part, row)));
    return answers;
  }

  private static @Nullable Object get(Record row, String column) {
    if (!column.startsWith("st.")) {
      return row.getField(column);
    }
    Record struct = (Record) row.getField("st");
    return struct == null ? null : struct.getField(column.substring(3));
  }

  private static boolean compare(Object value, Literal literal, Operator operator) {
    return switch (value) {
      case Float f -> {
        float other = floatOf(literal);
        yield f.isNaN()
            ? operator == Operator.NE
            : operator.test(f < other ? -1 : f > other ? 1 : 0);
      }
      case Double d -> {
        double other = doubleOf(literal);
        yield d.isNaN()
            ? operator == Operator.NE
            : operator.test(d < other ? -1 : d > other ? 1 : 0);
      }
      case Number number ->
          operator.test(
              new BigDecimal(number.toString()).compareTo(((Literal.Num) literal).value()));
      case Boolean truth -> operator.test(truth.compareTo(((Literal.Bool) literal).value()));
      case String text ->
          operator.test(
              Arrays.compareUnsigned(
                  text.getBytes(StandardCharsets.UTF_8),
                  ((Literal.Text) literal).value().getBytes(StandardCharsets.UTF_8)));
      case LocalDate day ->
          operator.test(
              day.compareTo(
                  literal instanceof Literal.Day(LocalDate other)
                      ? other
                      : LocalDate.parse(((Literal.Text) literal).value())));
      case LocalDateTime local ->
          operator.test(
              local.compareTo(
                  literal instanceof Literal.LocalTimestamp(LocalDateTime other)
                      ? other
                      : LocalDateTime.parse(((Literal.Text) literal).value())));
      case OffsetDateTime point ->
          operator.test(point.toInstant().compareTo(((Literal.ZonedTimestamp) literal).value()));
      default -> throw new IllegalArgumentException(value.getClass().getName());
    };
  }

  private static float floatOf(Literal literal) {
    return literal instanceof Literal.Num(BigDecimal number)
        ? number.floatValue()
        : (float) doubleOf(literal);
  }

  private static double doubleOf(Literal literal) {
    return switch (literal) {
      case Literal.Num(BigDecimal number) -> number.doubleValue();
      case Literal.Infinity(boolean negative) ->
          negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      default -> throw new IllegalArgumentException(literal.toString());
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void zerosAreEqualWhateverTheirSignAndNaNIsKeptWhereItCounts(boolean partitioned)
      throws IOException {
    List<Record> rows = new ArrayList<>();
    for (float value : new float[] {-0f, Float.NaN, 0f}) {
      for (int i = 0; i < 5; i++) { // a file of each
        GenericRecord row = GenericRecord.create(SCHEMA);
        row.setField("id", (long) rows.size());
        row.setField("f", value);
        rows.add(row);
      }
    }
    PartitionSpec spec =
        partitioned
            ? PartitionSpec.builderFor(SCHEMA).identity("f").build()
            : PartitionSpec.unpartitioned();
    Written written = write(spec, rows, 2, "full");
    IcebergDataset dataset = IcebergDataset.metadata(TestCatalogs.metadata(written.table));
    for (String text :
        List.of(
            "f = 0",
            "f >= 0",
            "f <= 0",
            "f in (0)",
            "not f < 0",
            "not f > 0",
            "f != 0",
            "f < 0",
            "not f = 0",
            "not f in (0, 1)",
            "f > 0",
            "f is nan",
            "not f is nan",
            "f != 1",
            "not f <= 5")) {
      assertRows(dataset, written, Filter.parse(text));
    }
    assertThat(dataset.dataset().where("f = 0").files()).hasSize(2);
    assertThat(dataset.dataset().where("f > 1").files()).isEmpty();
  }

  @Test
  void wideAndDeepFiltersAreTranslated() {
    PushedFilter pushed = new PushedFilter(SCHEMA, SCHEMA);
    List<Filter> many = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      many.add(col("n").eq(i));
    }
    assertThat(pushed.translate(new Filter.Or(many)).toString()).contains("19999");
    assertThat(pushed.translate(col("none").eq(1)).toString()).isEqualTo("true");
    assertThat(pushed.translate(col("n").eq("text").not()).toString()).isEqualTo("true");
    assertThat(pushed.translate(col("s").eq("\uD83D")).toString()).isEqualTo("true");
    assertThat(
            pushed
                .translate(new Filter.And(Collections.nCopies(2, col("day").ge("2001-02-03"))))
                .toString())
        .contains("ref(name=\"day\") >= 11356");
  }
}
