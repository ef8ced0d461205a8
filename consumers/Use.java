import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// What a project does with a module.
///
/// @param main the program
/// @param arguments its arguments
/// @param sources what it is compiled from
record Use(String main, List<String> arguments, List<String> sources) {
  static final String FLIGHTS =
      "cli/src/main/resources/dev/penstock/cli/demo/flights/part-0.parquet";
  private static final String ROWS = "37500";
  private static final String TABLE = "consumers/src/reads/IcebergTable.java";

  /// The project of the tutorial, taken from its page.
  static final String TUTORIAL = "getting-started";

  /// The README's program, with the README's dependency. It reads the flights where they are.
  static final String README = "readme";

  private static final Map<String, Use> USES = new HashMap<>();

  static {
    List<String> folder = List.of(Path.of(FLIGHTS).getParent().toString());
    USES.put(TUTORIAL, new Use("FirstTraining", folder, List.of()));
    USES.put(README, new Use("ReadFlights", List.of(), List.of()));
    String arrow = "arrow/src/test/resources/dev/penstock/arrow/ipc/table-lz4.arrows";
    USES.put("core", read("ReadFile", FLIGHTS));
    USES.put("arrow", read("ReadArrow", arrow));
    USES.put("avro", read("ReadFile", "blackbox/src/test/resources/nulls/0.avro"));
    USES.put("orc", read("ReadFile", "orc/src/test/resources/dev/penstock/orc/cpp.orc"));
    USES.put("s3", read("ReadStore", "s3", FLIGHTS));
    USES.put("gcs", read("ReadStore", "gs", FLIGHTS));
    USES.put("azure", read("ReadStore", "az", FLIGHTS));
    String delta = "delta/src/test/resources/golden/dv-partitioned-with-checkpoint";
    USES.put("delta", read("ReadDelta", delta, "35"));
    USES.put("iceberg", read("ReadIceberg", FLIGHTS, ROWS).with(TABLE));
    USES.put("iceberg-glue", read("ReadIcebergGlue", FLIGHTS, ROWS).with(TABLE));
    String hive = "dev/penstock/iceberg/hive/";
    List<String> hiveSources =
        List.of(
            "consumers/src/" + hive + "ReadIcebergHive.java",
            "iceberg-hive/src/test/java/" + hive + "FakeMetastore.java",
            TABLE);
    USES.put(
        "iceberg-hive",
        new Use("dev.penstock.iceberg.hive.ReadIcebergHive", List.of(FLIGHTS, ROWS), hiveSources));
    USES.put("metrics", read("ReadMetrics", FLIGHTS));
    USES.put("tck", read("ReadFile", FLIGHTS));
    USES.put("report", read("ReadReport", FLIGHTS));
    String tokens = "tokens/src/test/resources/dev/penstock/tokens/";
    USES.put("tokens", read("ReadTokens", tokens + "documents.jsonl.gz", tokens + "unigram.json"));
    USES.put("score", read("ReadScore", FLIGHTS));
    USES.put("onnx", read("ReadOnnx", FLIGHTS));
    USES.put("djl", read("ReadDjl"));
    USES.put("xgboost", read("ReadXgboost", FLIGHTS));
    USES.put("spark", read("ReadSpark", FLIGHTS));
  }

  /// Returns the use of a module, or of one of the projects that pages show.
  static Use of(String module) {
    return Objects.requireNonNull(USES.get(module), "No use of " + module + ".");
  }

  private static Use read(String main, String... arguments) {
    List<String> sources = List.of("consumers/src/reads/" + main + ".java");
    return new Use("reads." + main, List.of(arguments), sources);
  }

  private Use with(String source) {
    return new Use(main, arguments, Stream.concat(sources.stream(), Stream.of(source)).toList());
  }
}
