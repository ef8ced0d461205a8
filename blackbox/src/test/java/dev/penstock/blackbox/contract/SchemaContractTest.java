package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.schema.SchemaFrom;
import dev.penstock.tck.Table;
import dev.penstock.tck.Values;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/// Files whose schemas differ as they may, read as one table: the rows are those that naive
/// widening gives, value by value.
class SchemaContractTest extends FileContract {
  private static final List<OutputFormat> OUTPUTS = List.of(OutputFormat.values());

  static List<ContractFiles> files() {
    return ContractFiles.ofLooseFiles();
  }

  @AfterEach
  void nothingIsLeft() {
    Leaks.assertNoThreads();
    Leaks.assertNoOpenFiles(folder);
  }

  @Seeded(runs = 60)
  void evolvedFilesGiveTheRowsThatNaiveWideningGives(Random random) throws IOException {
    Schema base = base(random, 2);
    boolean caseSensitive = random.nextBoolean();
    List<List<Object>> expected = new ArrayList<>();
    List<Table.DataFile> files = new ArrayList<>();
    for (int f = 0; f < 1 + random.nextInt(4); f++) {
      // The first file has all columns in their widest types, so that it decides the schema.
      Schema schema = f == 0 ? base : evolved(base, caseSensitive, random);
      int[] groups = {1 + random.nextInt(60), random.nextInt(40)};
      Table.DataFile file = Table.file(random, schema, "part-" + f, groups);
      files.add(file);
      writer().write(writer().path(folder, file), schema, file.groups(), random);
      for (List<Object> row : file.rows()) {
        expected.add(widened(schema, row, base));
      }
    }
    StructuredDataset dataset =
        writer()
            .open(folder.toString(), new Table(base, files))
            .missingColumns(MissingColumns.nulls())
            .caseSensitive(caseSensitive);
    dataset =
        switch (writer().saysTypes() ? random.nextInt(3) : 2) {
          case 0 -> dataset.schemaFrom(SchemaFrom.FIRST);
          case 1 -> dataset.schemaFrom(base);
          default -> dataset;
        };
    assertThat(dataset.schema().names()).isEqualTo(base.names());
    for (int workers : new int[] {0, 1, 2}) {
      LoaderOptions options =
          LoaderOptions.defaults()
              .batchSize(1 + random.nextInt(90))
              .workers(workers)
              .nulls(NullPolicy.mask())
              .output(OUTPUTS.get(random.nextInt(OUTPUTS.size())));
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        assertThat(Delivery.ofEpoch(loader).rows()).isEqualTo(expected);
      }
    }
  }

  @Seeded(runs = 60)
  void filtersTestTheTablesValuesInEveryFile(Random random) throws IOException {
    Schema base =
        Schema.of(
            List.of(
                new Field("i", new DataType.Int(64, true), true),
                new Field("f", new DataType.Floating(64), true),
                new Field("d", new DataType.Decimal(18, 5), true)));
    List<List<Object>> rows = new ArrayList<>();
    List<Table.DataFile> files = new ArrayList<>();
    for (int f = 0; f < 4; f++) {
      Schema schema = f == 0 ? base : evolved(base, true, random);
      int[] groups = {1 + random.nextInt(30), random.nextInt(20)};
      Table.DataFile file = Table.file(random, schema, "part-" + f, groups);
      files.add(file);
      writer().write(writer().path(folder, file), schema, file.groups(), random);
      for (List<Object> row : file.rows()) {
        rows.add(widened(schema, row, base));
      }
    }
    int column = random.nextInt(3);
    Object chosen = rows.get(random.nextInt(rows.size())).get(column);
    BigDecimal bound = new BigDecimal(chosen == null ? "100" : chosen.toString());
    boolean cast = column < 2 && random.nextBoolean();
    String name = base.names().get(column);
    StructuredDataset dataset =
        writer()
            .open(folder.toString(), new Table(base, files))
            .missingColumns(MissingColumns.nulls());
    if (cast) {
      dataset = dataset.castLossy(name, new DataType.Int(8, true));
      bound = BigDecimal.valueOf(random.nextInt(200) - 100);
    }
    String sign = List.of("=", "<", ">=").get(random.nextInt(3));
    boolean nulls = random.nextInt(4) == 0;
    String where = nulls ? name + " is null" : name + " " + sign + " " + bound.toPlainString();
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> read = new ArrayList<>(row);
      Object value = row.get(column);
      if (cast && value != null) {
        BigInteger whole = new BigDecimal(value.toString()).toBigInteger();
        value = whole.max(BigInteger.valueOf(-128)).min(BigInteger.valueOf(127)).intValue();
        read.set(column, value);
      }
      int order = value == null ? 0 : new BigDecimal(value.toString()).compareTo(bound);
      boolean matches =
          switch (sign) {
            case "=" -> order == 0;
            case "<" -> order < 0;
            default -> order >= 0;
          };
      if (nulls ? value == null : value != null && matches) {
        expected.add(read);
      }
    }
    for (int workers : new int[] {0, 2}) {
      LoaderOptions options =
          LoaderOptions.defaults().batchSize(7).workers(workers).output(OutputFormat.MAP);
      try (DataLoader loader = DataLoader.of(dataset.where(where), options)) {
        assertThat(Delivery.ofEpoch(loader).rows()).as(where).isEqualTo(expected);
      }
    }
  }

  @Seeded(runs = 30)
  void allFilesGiveTheirUnionWhateverTheirOrder(Random random) throws IOException {
    assumeTrue(writer().saysTypes(), "the format does not say types");
    Schema base = base(random, 1);
    int whole = random.nextInt(3);
    for (int f = 0; f < 3; f++) {
      Schema schema = f == whole ? base : evolved(base, true, random);
      Table.DataFile file = Table.file(random, schema, "part-" + f, 5);
      writer().write(writer().path(folder, file), schema, file.groups(), random);
    }
    StructuredDataset dataset =
        new StructuredDataset(folder.toString()).missingColumns(MissingColumns.nulls());
    for (Field field : base.fields()) {
      assertThat(shape(dataset.schema().find(field.name()).orElseThrow().type()))
          .isEqualTo(shape(field.type()));
    }
    assertThat(dataset.schema().size()).isEqualTo(base.size());
  }

  /// Returns columns with all that files may have. What is stated of files that say no types holds
  /// for all of them: so there any may have nulls.
  private Schema base(Random random, int columns) {
    Schema base = Table.random(random, columns, writer()).schema();
    return writer().saysTypes() ? base : Schema.of(nullable(base.fields()));
  }

  private static List<Field> nullable(List<Field> fields) {
    return fields.stream()
        .map(field -> new Field(field.name(), nullable(field.type()), true))
        .toList();
  }

  private static DataType nullable(DataType type) {
    return switch (type) {
      case DataType.List(DataType element, boolean _) -> new DataType.List(nullable(element), true);
      case DataType.Struct(List<Field> fields) -> new DataType.Struct(nullable(fields));
      default -> type;
    };
  }

  /// Returns a type as text, without what is nullable, and structs in the order of their names.
  private static String shape(DataType type) {
    return switch (type) {
      case DataType.List(DataType element, boolean _) -> "list " + shape(element);
      case DataType.Map map -> "map " + shape(map.key()) + " " + shape(map.value());
      case DataType.Struct(List<Field> fields) ->
          fields.stream().map(each -> each.name() + " " + shape(each.type())).sorted().toList()
              + "";
      default -> type.toString();
    };
  }

  /// Returns what a file may have instead of the given columns.
  private Schema evolved(Schema base, boolean caseSensitive, Random random) {
    return Schema.of(evolved(base.fields(), caseSensitive, random));
  }

  private List<Field> evolved(List<Field> base, boolean caseSensitive, Random random) {
    List<Field> fields = new ArrayList<>();
    for (Field field : base) {
      if (random.nextInt(6) == 0 && !(fields.isEmpty() && field.equals(base.getLast()))) {
        continue;
      }
      String name =
          caseSensitive || random.nextBoolean()
              ? field.name()
              : field.name().toUpperCase(Locale.ROOT);
      fields.add(
          new Field(name, evolved(field.type(), caseSensitive, random), random.nextBoolean()));
    }
    if (random.nextBoolean()) {
      Collections.shuffle(fields, random);
    }
    return fields;
  }

  private DataType evolved(DataType type, boolean caseSensitive, Random random) {
    return switch (type) {
      case DataType.List(DataType element, boolean _) ->
          new DataType.List(evolved(element, caseSensitive, random), random.nextBoolean());
      case DataType.Struct(List<Field> fields) ->
          new DataType.Struct(evolved(fields, caseSensitive, random));
      case DataType.Map map ->
          new DataType.Map(
              evolved(map.key(), caseSensitive, random),
              evolved(map.value(), caseSensitive, random),
              random.nextBoolean());
      default -> {
        List<DataType> narrower =
            narrower(type).stream()
                .filter(narrow -> narrow.equals(type) || writer().holds(narrow))
                .toList();
        yield narrower.get(random.nextInt(narrower.size()));
      }
    };
  }

  /// Returns the types whose values all have a place in the given one, itself among them.
  private static List<DataType> narrower(DataType type) {
    List<DataType> all = new ArrayList<>(List.of(type));
    switch (type) {
      case DataType.Int(int bits, boolean signed) -> {
        for (int narrow = 8; narrow < bits; narrow *= 2) {
          all.add(new DataType.Int(narrow, false));
          if (signed) {
            all.add(new DataType.Int(narrow, true));
          }
        }
      }
      case DataType.Floating(int bits) -> {
        for (int narrow = 16; narrow < bits; narrow *= 2) {
          all.add(new DataType.Floating(narrow));
        }
      }
      case DataType.Decimal(int precision, int scale) -> {
        all.add(new DataType.Decimal(precision - 1, scale - 1));
        all.add(new DataType.Decimal(precision - 2, scale));
        all.add(new DataType.Decimal(2, 1));
      }
      case DataType.Time(TimeUnit unit, boolean utc) ->
          Arrays.stream(TimeUnit.values())
              .filter(narrow -> narrow.compareTo(unit) < 0)
              .forEach(narrow -> all.add(new DataType.Time(narrow, utc)));
      case DataType.Timestamp(TimeUnit unit, boolean utc) ->
          Arrays.stream(TimeUnit.values())
              .filter(narrow -> narrow.compareTo(unit) < 0)
              .forEach(narrow -> all.add(new DataType.Timestamp(narrow, utc)));
      default -> {}
    }
    return all;
  }

  private static List<Object> widened(Schema file, List<Object> row, Schema table) {
    List<Object> values = new ArrayList<>();
    for (Field field : table.fields()) {
      int index = indexOf(file.fields(), field.name());
      values.add(
          index < 0
              ? null
              : widened(file.fields().get(index).type(), row.get(index), field.type()));
    }
    return values;
  }

  private static int indexOf(List<Field> fields, String name) {
    return fields.stream().map(each -> each.name().toLowerCase(Locale.ROOT)).toList().indexOf(name);
  }

  private static Object widened(DataType from, Object value, DataType to) {
    if (value == null) {
      return null;
    }
    return switch (to) {
      case DataType.Int(int bits, boolean signed) when bits == 64 && !signed ->
          new BigInteger(value.toString());
      case DataType.Int _ -> Values.ofLong(to, ((Number) value).longValue());
      case DataType.Floating(int bits) when bits == 64 -> ((Number) value).doubleValue();
      case DataType.Decimal(int _, int scale) -> ((BigDecimal) value).setScale(scale);
      case DataType.List(DataType element, boolean _) -> {
        List<Object> list = new ArrayList<>();
        for (Object each : (List<?>) value) {
          list.add(widened(((DataType.List) from).element(), each, element));
        }
        yield list;
      }
      case DataType.Map map -> {
        DataType.Map stored = (DataType.Map) from;
        List<Object> list = new ArrayList<>();
        for (Object each : (List<?>) value) {
          Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each;
          list.add(
              new SimpleEntry<>(
                  widened(stored.key(), entry.getKey(), map.key()),
                  widened(stored.value(), entry.getValue(), map.value())));
        }
        yield list;
      }
      case DataType.Struct(List<Field> parts) -> {
        List<Field> stored = ((DataType.Struct) from).fields();
        Map<String, Object> struct = new LinkedHashMap<>();
        for (Field part : parts) {
          int index = indexOf(stored, part.name());
          Object old = index < 0 ? null : ((Map<?, ?>) value).get(stored.get(index).name());
          struct.put(
              part.name(), index < 0 ? null : widened(stored.get(index).type(), old, part.type()));
        }
        yield struct;
      }
      default -> value; // dates and times are the same in any unit
    };
  }
}
