package dev.penstock.benchmarks;

import static dev.penstock.filter.Filter.col;

import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.benchmarks.formats.Columns;
import dev.penstock.filter.Filter;
import dev.penstock.filter.Filter.Column;
import dev.penstock.options.LoaderOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The workloads that all systems share: which columns of which files become which batches.
enum Workload {
  /// 64 random floats to one matrix, and a label.
  W1("w1", "w1", 1024),
  /// As [#W1], with values that repeat and are dictionary encoded.
  W1B("w1b", "w1b", 1024),
  /// 13 numeric columns, nulls in the doubles.
  W2N("w2n", "w2", 4096),
  /// As [#W2N], and two columns of strings.
  W2("w2", "w2", 4096),
  /// 2 of 66 columns.
  W3("w3", "w34", 1024),
  /// As [#W3], behind a filter that keeps all rows and that statistics do not decide.
  W3_ALL("w3all", "w34", 1024),
  /// As [#W3], 1 % of the rows by a range of a sorted column.
  W4A("w4a", "w34", 1024),
  /// As [#W3], 10 % of the rows by a column that is not sorted.
  W4B("w4b", "w34", 1024),
  /// Lists of 128 floats to one matrix.
  W5("w5", "w5", 1024),
  /// As [#W5], in half precision.
  W5H("w5h", "w5h", 1024),
  /// As [#W5], lists of fixed size in Arrow files.
  W5A("w5a", "w5a", 1024),
  /// 13 columns of doubles with nulls, integers and strings, one with few and one with many values.
  CSV("csv", "formats/csv", 8192),
  /// As [#CSV], in gzip.
  CSV_GZIP("csvgz", "formats/csvgz", 8192),
  /// As [#CSV], as lines of JSON.
  JSONL("jsonl", "formats/jsonl", 8192),
  /// As [#CSV], in ORC with zstd.
  ORC("orc", "formats/orc", 8192),
  /// As [#CSV], in Avro with Snappy.
  AVRO("avro", "formats/avro", 8192),
  /// As [#CSV], in Arrow files with LZ4.
  ARROW("arrow", "formats/arrow", 8192),
  /// As [#CSV], in Parquet with zstd.
  PARQUET("parquet", "formats/parquet", 8192),
  /// 40 of 200 columns of numbers in row groups of 6,144 rows, the shape of MLPerf's DLRM.
  DLRM("dlrm", "dlrm", 8192);

  /// The name of the feature matrix of [#W1] and [#W1B].
  static final String MATRIX = "x";

  private static final int MATRIX_WIDTH = 64;
  private static final int VECTOR_WIDTH = 128;

  private final String key;
  private final String location;
  private final int batchSize;

  Workload(String key, String location, int batchSize) {
    this.key = key;
    this.location = location;
    this.batchSize = batchSize;
  }

  /// Returns the workload of a name.
  ///
  /// @throws IllegalArgumentException if there is none
  static Workload named(String key) {
    return Arrays.stream(values())
        .filter(workload -> workload.key.equals(key))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "Workload must be one of "
                    + Arrays.stream(values()).map(Workload::key).toList()
                    + ", got '"
                    + key
                    + "'."));
  }

  /// Returns its name on the command line.
  String key() {
    return key;
  }

  /// Returns the folder of its files, or its only file.
  Path location(Path data) {
    return data.resolve(location);
  }

  /// Returns its columns of its files, unfiltered.
  StructuredDataset dataset(Path data) {
    StructuredDataset dataset = new StructuredDataset(location(data).toString()).columns(columns());
    // Their blocks have a whole file.
    return this == AVRO ? dataset.formatOption("max-record-bytes", "67108864") : dataset;
  }

  /// Returns the columns that are read.
  List<String> columns() {
    return switch (this) {
      case W1, W1B -> plus(matrixColumns(), "label");
      case W2N -> numberColumns();
      case W2 -> plus(numberColumns(), "s0", "s1");
      case W3, W3_ALL, W4A, W4B -> List.of("f07", "row_id");
      case W5, W5H, W5A -> List.of("e");
      case CSV, CSV_GZIP, JSONL, ORC, AVRO, ARROW, PARQUET -> Columns.NAMES;
      case DLRM -> clickColumns();
    };
  }

  /// Returns which of the rows are read.
  Optional<Filter> filter(Expected expected) {
    return switch (this) {
      // Statistics of Parquet do not say whether there is a NaN, which would not be kept.
      case W3_ALL -> Optional.of(col("f07").lt(1e30));
      case W4A -> {
        Column row = col("row_id");
        yield Optional.of(row.ge(expected.number("lo")).and(row.lt(expected.number("hi"))));
      }
      case W4B -> Optional.of(col("f07").lt(expected.number("cut")));
      default -> Optional.empty();
    };
  }

  /// Returns its name in the manifest.
  String manifestKey() {
    if (this == W3_ALL) {
      return W3.key;
    }
    return location.startsWith("formats/") ? "formats" : key;
  }

  /// Returns how its batches are delivered.
  LoaderOptions options(int workers) {
    LoaderOptions options = LoaderOptions.defaults().batchSize(batchSize).workers(workers);
    return this == W1 || this == W1B ? options.features(MATRIX, matrixColumns()) : options;
  }

  /// Returns a fresh sum over everything that is delivered.
  Checksum checksum() {
    return switch (this) {
      case W1, W1B -> new MatrixChecksum(MATRIX, MATRIX_WIDTH, "label");
      case W3, W3_ALL, W4A, W4B -> new MatrixChecksum("f07", 1, "row_id");
      case W5, W5H, W5A -> new MatrixChecksum("e", VECTOR_WIDTH, null);
      case W2, W2N, CSV, CSV_GZIP, JSONL, ORC, AVRO, ARROW, PARQUET -> columnsChecksum("i0", "l0");
      case DLRM -> columnsChecksum("c000", "c001");
    };
  }

  private Checksum columnsChecksum(String left, String right) {
    return new ColumnsChecksum(columns().stream().sorted().toList(), left, right);
  }

  /// Reads the last element of a batch's first tensor, as every timed consumer does.
  double touch(Batch batch) {
    long last = batch.rowCount() - 1L;
    return switch (this) {
      case W1, W1B -> batch.tensor(MATRIX).getFloat(last * MATRIX_WIDTH + MATRIX_WIDTH - 1);
      case W2, W2N -> batch.tensor("i0").getInt(last);
      case W3, W3_ALL, W4A, W4B -> batch.tensor("f07").getFloat(last);
      case W5, W5H, W5A -> batch.tensor("e").getFloat(last * VECTOR_WIDTH + VECTOR_WIDTH - 1);
      case CSV, CSV_GZIP, JSONL, ORC, AVRO, ARROW, PARQUET -> batch.tensor("d0").getDouble(last);
      case DLRM -> batch.tensor("label").getFloat(last);
    };
  }

  private static List<String> matrixColumns() {
    return IntStream.range(0, MATRIX_WIDTH).mapToObj(i -> (i < 10 ? "f0" : "f") + i).toList();
  }

  private static List<String> clickColumns() {
    return Stream.of(
            Stream.of("label"),
            IntStream.range(0, 13).mapToObj("d%02d"::formatted),
            IntStream.range(0, 26).mapToObj("c%03d"::formatted))
        .flatMap(names -> names)
        .toList();
  }

  private static List<String> numberColumns() {
    return List.of("d0", "d1", "d2", "d3", "d4", "d5", "i0", "i1", "i2", "l0", "l1", "t0", "t1");
  }

  private static List<String> plus(List<String> names, String... more) {
    return Stream.concat(names.stream(), Arrays.stream(more)).toList();
  }
}
