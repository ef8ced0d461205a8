package dev.penstock.delta;

import dev.penstock.testing.Seeded;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Tables made of random steps by Spark: each version has the rows that Spark reads.
@Tag("night")
class RandomSparkTablesTest {
  @RegisterExtension static final SparkTables SPARK = new SparkTables();

  @TempDir private Path folder;

  private static String quoted(String name) {
    return "`" + name + "`";
  }

  private static String pick(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /// Returns an expression for values of a type that are made of a number.
  private static String value(DataType type, String number) {
    String value =
        switch (type) {
          case LongType _ -> number + " * 3000000000";
          case IntegerType _ -> "int(" + number + " % 100)";
          case StringType _ -> "concat('s ', " + number + " % 9)";
          case StructType struct ->
              Stream.of(struct.fields())
                  .map(field -> "'" + field.name() + "', " + value(field.dataType(), number))
                  .collect(Collectors.joining(", ", "named_struct(", ")"));
          default -> throw new IllegalArgumentException(type.toString());
        };
    return "if(" + number + " % 11 = 5, null, " + value + ")";
  }

  private static List<StructField> others(SparkTable table) {
    return Stream.of(table.schema().fields())
        .filter(field -> !field.name().equals("id") && !field.name().equals("p"))
        .toList();
  }

  private static String rows(SparkTable table, long from, long to) {
    return Stream.of(table.schema().fields())
        .map(field ->
            switch (field.name()) {
              case "id" -> "id";
              case "p" -> "int(id % 3) AS p";
              default -> value(field.dataType(), "id") + " AS " + quoted(field.name());
            })
        .collect(Collectors.joining(", ", "SELECT ", " FROM range(%d, %d)".formatted(from, to)));
  }

  @Seeded(runs = 1)
  void everyVersionHasTheRowsThatSparkReads(Random random) {
    SparkTable table = SPARK.at(folder.resolve("t"));
    table.sql(
        "CREATE TABLE $t (id BIGINT, p INT, s STRUCT<x: INT, y: STRING>, c STRING) USING delta"
            + (random.nextBoolean() ? " PARTITIONED BY (p)" : "")
            + " TBLPROPERTIES ('delta.columnMapping.mode'='%s', 'delta.checkpointPolicy'='%s',"
                .formatted(pick(random, "name", "id"), pick(random, "classic", "v2"))
            + " 'delta.checkpointInterval'='%d', 'delta.enableDeletionVectors'='%b')"
                .formatted(2 + random.nextInt(4), random.nextInt(4) > 0));
    long next = 0;
    int steps = 8 + random.nextInt(5);
    for (int step = 0; step < steps; step++) {
      List<StructField> others = others(table);
      StructField other = others.get(random.nextInt(others.size()));
      String some = "id %% %d = %d".formatted(2 + random.nextInt(5), random.nextInt(3));
      switch (step == 0 ? 0 : random.nextInt(8)) {
        case 0, 1 -> {
          long from = next;
          next += 1 + random.nextInt(40);
          table.sql("INSERT INTO $t " + rows(table, from, next));
        }
        case 2, 3 -> table.sql("DELETE FROM $t WHERE " + some);
        case 4 ->
            table.sql(
                "UPDATE $t SET %s = %s WHERE %s"
                    .formatted(quoted(other.name()), value(other.dataType(), "(id + 1)"), some));
        case 5 -> {
          long from = Math.max(0, next - 10);
          next += 5;
          table.sql(
              "MERGE INTO $t AS old USING (%s) AS new ON old.id = new.id"
                      .formatted(rows(table, from, next))
                  + " WHEN MATCHED AND new.%s THEN DELETE WHEN MATCHED THEN UPDATE SET *"
                      .formatted(some)
                  + " WHEN NOT MATCHED THEN INSERT *");
        }
        case 6 -> {
          boolean nested = other.dataType() instanceof StructType && random.nextBoolean();
          String inside =
              nested ? "." + quoted(((StructType) other.dataType()).fieldNames()[0]) : "";
          table.sql(
              "ALTER TABLE $t RENAME COLUMN %s%s TO %s"
                  .formatted(quoted(other.name()), inside, quoted("renamed " + step)));
        }
        default ->
            table.sql(
                "ALTER TABLE $t ADD COLUMNS (%s %s %s)"
                    .formatted(
                        quoted("a." + step),
                        pick(random, "BIGINT", "STRING", "STRUCT<z: INT>"),
                        pick(random, "FIRST", "AFTER p", "")));
      }
    }
    table.assertSameRows();
  }
}
