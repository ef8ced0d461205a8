package dev.penstock.internal.planfile;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.table.FileSchema;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.RowSet;
import dev.penstock.split.PartitionValue;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Plans of anything that a plan may have.
final class RandomPlan {
  static final List<String> COLUMNS = List.of("id", "größe", "name.of");

  private static final List<DataType> TYPES =
      List.of(
          DataType.int64(),
          new DataType.Int(8, false),
          DataType.float32(),
          new DataType.Decimal(20, 3),
          DataType.string(),
          DataType.date(),
          new DataType.Timestamp(DataType.TimeUnit.MICROS, true),
          new DataType.Time(DataType.TimeUnit.NANOS, false),
          new DataType.FixedBinary(7),
          new DataType.Uuid(),
          new DataType.Interval(),
          new DataType.Variant(),
          new DataType.Null(),
          new DataType.Unsupported("int32 (DECIMAL)"),
          new DataType.List(DataType.bool(), true),
          new DataType.Map(DataType.string(), new DataType.List(DataType.int8(), false), true),
          new DataType.Struct(
              List.of(
                  new Field("a", DataType.string(), false),
                  new Field("b", new DataType.List(DataType.date(), false), true))));

  private static final int[] CHARACTERS = "ab01é=%\"日𝄞".codePoints().toArray();

  private final Random random;

  RandomPlan(Random random) {
    this.random = random;
  }

  PlanFile plan(int files) {
    List<FileSchema> schemas = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      schemas.add(
          new FileSchema(
              schema(), i == 0 ? "" : "choices " + i, random.nextBoolean(), random.nextBoolean()));
    }
    List<PlannedFile> made = new ArrayList<>();
    for (String name : names(files)) {
      made.add(file(name, random.nextInt(schemas.size())));
    }
    boolean isTable = random.nextBoolean();
    PlanOrigin origin =
        new PlanOrigin(
            isTable ? List.of("db.flights") : List.of("s3://bucket/a", "/data/ü b"),
            isTable ? "uuid 7, snapshot 12" : "",
            "parquet",
            new TreeMap<>(random.nextBoolean() ? Map.of() : Map.of("b", "2", "a", "1")),
            new TreeMap<>(Map.of("partitioning", "hive")),
            COLUMNS.subList(0, random.nextInt(COLUMNS.size() + 1)),
            random.nextBoolean() ? "" : "delay >= 15");
    return new PlanFile("0123456789abcdef".repeat(2), origin, schemas, made);
  }

  private Schema schema() {
    List<Field> fields = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      DataType type = TYPES.get(random.nextInt(TYPES.size()));
      fields.add(new Field("column " + i, type, random.nextBoolean()));
    }
    return Schema.of(fields);
  }

  private Set<String> names(int count) {
    Set<String> names = new TreeSet<>();
    while (names.size() < count) {
      String folder = "s3://bucket/day=" + random.nextInt(4) + "/";
      names.add(folder + "part-" + random.nextInt(10 * count) + "-ß" + text(3) + ".parquet");
    }
    return names;
  }

  private PlannedFile file(String name, int schema) {
    List<RowGroup> stored = new ArrayList<>();
    List<RowGroup> left = new ArrayList<>();
    boolean deletes = random.nextInt(4) == 0;
    for (int i = random.nextInt(5); i > 0; i--) {
      long rows = random.nextInt(4) == 0 ? random.nextInt(100) : 100;
      stored.add(new RowGroup(rows, rows * 800 + random.nextInt(50)));
      long kept = deletes ? random.nextLong(rows + 1) : rows;
      left.add(new RowGroup(kept, stored.getLast().bytes()));
    }
    List<PartitionValue> partition = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      partition.add(new PartitionValue("k" + i, random.nextBoolean() ? null : text(2)));
    }
    String version =
        random.nextInt(4) == 0
            ? ""
            : '"' + new BigInteger(128, random).setBit(127).toString(16) + '"';
    return new PlannedFile(
        new Location(name), random.nextLong(1L << 40), version, partition, schema, stored, left);
  }

  private String text(int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.appendCodePoint(CHARACTERS[random.nextInt(CHARACTERS.length)]);
    }
    return text.toString();
  }

  /// Makes the details that the origin of a plan names.
  PlanDetails details(PlanFile plan) {
    List<Map<String, List<ColumnStatistics>>> statistics = new ArrayList<>();
    List<Optional<RowSet>> matches = new ArrayList<>();
    for (PlannedFile file : plan.files()) {
      Map<String, List<ColumnStatistics>> byColumn = new TreeMap<>();
      for (String column : plan.origin().statistics()) {
        byColumn.put(column, file.stored().stream().map(_ -> statistics()).toList());
      }
      statistics.add(byColumn);
      matches.add(matches(file.rows()));
    }
    return new PlanDetails() {
      @Override
      public ColumnStatistics statistics(int file, int rowGroup, String column) {
        return Objects.requireNonNull(statistics.get(file).get(column)).get(rowGroup);
      }

      @Override
      public Optional<RowSet> matches(int file) {
        return matches.get(file);
      }
    };
  }

  List<ColumnStatistics> someStatistics(int count) {
    return Stream.generate(this::statistics).limit(count).toList();
  }

  private ColumnStatistics statistics() {
    long values = 10L + random.nextInt(1000);
    Comparable<?> one = value(random.nextInt(7));
    return new ColumnStatistics(
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(values),
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt(5)),
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt(5)),
        bound(one),
        bound(one));
  }

  private @Nullable Bound bound(Comparable<?> value) {
    return random.nextInt(3) == 0 ? null : new Bound(value, random.nextBoolean());
  }

  private Comparable<?> value(int kind) {
    return switch (kind) {
      case 0 -> random.nextBoolean();
      case 1 -> random.nextLong() >> random.nextInt(64);
      case 2 -> random.nextBoolean() ? -0.0f : Float.MIN_VALUE * random.nextInt(9);
      case 3 -> random.nextBoolean() ? Double.NEGATIVE_INFINITY : random.nextGaussian();
      case 4 -> new BigInteger(200, random).negate();
      case 5 -> new BigDecimal(new BigInteger(random.nextInt(200), random), random.nextInt(9));
      default -> ByteString.of(text(9).getBytes(StandardCharsets.UTF_8));
    };
  }

  Optional<RowSet> matches(long rows) {
    RowSet set = new RowSet(0);
    if (random.nextInt(4) == 0) {
      return Optional.empty();
    }
    int of = 1 + random.nextInt(3);
    for (long row = 0; row < rows; row++) {
      if (random.nextInt(of) > 0) {
        set.addRange(row, row + 1);
      }
    }
    set.add(new long[0], 0, rows);
    set.finish();
    return Optional.of(set);
  }

  /// Returns all that the details have, for comparisons.
  static List<Object> all(PlanFile plan, PlanDetails details) throws IOException {
    List<Object> all = new ArrayList<>();
    for (int file = 0; file < plan.files().size(); file++) {
      PlannedFile planned = plan.files().get(file);
      for (String column : plan.origin().statistics()) {
        for (int group = 0; group < planned.stored().size(); group++) {
          all.add(details.statistics(file, group, column));
        }
      }
      if (!plan.origin().filter().isEmpty()) {
        all.add(rows(details.matches(file), planned.rows()));
      }
    }
    return all;
  }

  static List<Long> rows(Optional<RowSet> matches, long rows) {
    List<Long> numbers = new ArrayList<>();
    long count = matches.map(RowSet::count).orElse(rows);
    for (long match = 0; match < count; match++) {
      numbers.add(matches.isEmpty() ? match : matches.get().row(match));
    }
    return numbers;
  }
}
