package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.JavaParquet;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The format's own conformance files (apache/parquet-testing).
class ParquetConformanceTest {
  /// Files that are refused when they are opened, and a word that the refusal must have.
  private static final Map<String, String> REFUSED_FILES =
      Map.of(
          "encrypt_columns_and_footer.parquet.encrypted", "encrypted",
          "encrypt_columns_and_footer_aad.parquet.encrypted", "encrypted",
          "encrypt_columns_and_footer_bloom_filter.parquet.encrypted", "encrypted",
          "encrypt_columns_and_footer_ctr.parquet.encrypted", "encrypted",
          "encrypt_columns_and_footer_disable_aad_storage.parquet.encrypted", "encrypted",
          "external_key_material_java.parquet.encrypted", "encrypted",
          "uniform_encryption.parquet.encrypted", "encrypted");

  /// Words, one of which every other refusal of a column must have.
  private static final Set<String> REASONS = Set.of("BROTLI", "with LZ4", "encrypted");

  /// Files whose damage is part of the test, and a word that the error must have.
  private static final Map<String, String> DAMAGED =
      Map.of(
          "datapage_v1-corrupt-checksum.parquet", "checksum (CRC)",
          "rle-dict-uncompressed-corrupt-checksum.parquet", "checksum (CRC)",
          "int96_from_spark.parquet", "INT96");

  /// Of this file parquet-java reads other values than pyarrow, see [ParquetCasesTest].
  private static final String OTHER_VALUES = "nation.dict-malformed.parquet";

  /// Files that parquet-java cannot read, and those that have the same rows (pyarrow 26.0.1 reads
  /// both, and finds them equal).
  private static final Map<String, String> SAME_ROWS =
      Map.of("non_hadoop_lz4_compressed.parquet", "hadoop_lz4_compressed.parquet");

  /// Files of nested columns and what pyarrow 26.0.1 says their types are, in our words.
  ///
  /// For the last it says "Map keys must be annotated as required" and reads nothing.
  private static final Map<String, String> NESTED =
      Map.ofEntries(
          Map.entry(
              "datapage_v2.snappy.parquet",
              "[a: string, b: int32 not null, c: float64 not null, d: bool not null,"
                  + " e: list<int32>]"),
          Map.entry(
              "repeated_no_annotation.parquet",
              "[id: int32 not null,"
                  + " phoneNumbers: struct<phone: list<struct<number: int64, kind: string>>>]"),
          Map.entry(
              "repeated_primitive_no_list.parquet",
              "[Int32_list: list<int32> not null, String_list: list<string> not null,"
                  + " group_of_lists: struct<Int32_list_in_group: list<int32>,"
                  + " String_list_in_group: list<string>> not null]"),
          Map.entry("old_list_structure.parquet", "[a: list<list<int32>> not null]"),
          Map.entry(
              "map_no_value.parquet",
              "[my_map: map<int32, int32> not null, my_map_no_v: list<int32> not null,"
                  + " my_list: list<int32> not null]"),
          Map.entry("list_columns.parquet", "[int64_list: list<int64>, utf8_list: list<string>]"),
          Map.entry(
              "nested_lists.snappy.parquet", "[a: list<list<list<string>>>, b: int32 not null]"),
          Map.entry(
              "nested_maps.snappy.parquet",
              "[a: map<string, map<int32, bool>>, b: int32 not null, c: float64 not null]"),
          Map.entry(
              "nullable.impala.parquet",
              "[id: int64, int_array: list<int32>, int_array_Array: list<list<int32>>,"
                  + " int_map: map<string, int32>, int_Map_Array: list<map<string, int32>>,"
                  + " nested_struct: struct<A: int32, b: list<int32>,"
                  + " C: struct<d: list<list<struct<E: int32, F: string>>>>,"
                  + " g: map<string, struct<H: struct<i: list<float64>>>>>]"),
          Map.entry(
              "nonnullable.impala.parquet",
              "[ID: int64 not null, Int_Array: list<int32> not null,"
                  + " int_array_array: list<list<int32>> not null,"
                  + " Int_Map: map<string, int32> not null,"
                  + " int_map_array: list<map<string, int32>> not null,"
                  + " nested_Struct: struct<a: int32, B: list<int32>,"
                  + " c: struct<D: list<list<struct<e: int32, f: string>>>>,"
                  + " G: map<string, struct<h: struct<i: list<float64>>>>> not null]"),
          Map.entry("null_list.parquet", "[emptylist: list<null>]"),
          Map.entry("large_string_map.brotli.parquet", "[arr: map<string, int32>]"),
          Map.entry("nulls.snappy.parquet", "[b_struct: struct<b_c_int: int32>]"),
          Map.entry("incorrect_map_schema.parquet", "[my_map: map<string, string>]"));

  private final ParquetFormat format = new ParquetFormat();

  @TestFactory
  Stream<DynamicTest> nestedColumnsHaveTheTypesThatArrowGivesThem() throws IOException {
    return files("data")
        .filter(path -> NESTED.containsKey(name(path)))
        .map(path -> DynamicTest.dynamicTest(name(path), () -> checkTypes(path)));
  }

  private void checkTypes(Path path) throws IOException {
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      assertThat(format.readMetadata(file).schema()).hasToString(NESTED.get(name(path)));
    }
  }

  @TestFactory
  Stream<DynamicTest> everyColumnEqualsParquetJavaOrIsRefusedByName() throws IOException {
    return files("data")
        .filter(path -> !name(path).equals(OTHER_VALUES))
        .map(path -> DynamicTest.dynamicTest(name(path), () -> check(path)));
  }

  @TestFactory
  Stream<DynamicTest> badFilesGiveTypedErrorsOrRows() throws IOException {
    return files("bad_data").map(path -> DynamicTest.dynamicTest(name(path), () -> survive(path)));
  }

  @Test
  void damageIsNamed() throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (Path path : files("bad_data").toList()) {
      found.put(name(path), firstError(path));
    }
    assertThat(found.get("PARQUET-1481.parquet")).contains("footer").contains("cannot be parsed");
    assertThat(found.get("ARROW-RS-GH-6229-DICTHEADER.parquet"))
        .startsWith("Corrupt Parquet file: column 'name' of row group 0 has 322 bytes at 129");
    assertThat(found.get("ARROW-GH-41317.parquet"))
        .startsWith("Corrupt Parquet file: the schema has INT64 'timestamp_us_no_tz' here but");
    assertThat(found.get("ARROW-GH-41321.parquet"))
        .startsWith("Truncated Parquet page: its levels");
    assertThat(found.get("ARROW-GH-47662.parquet"))
        .startsWith("Truncated Parquet page: its values");
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private static Stream<Path> files(String folder) throws IOException {
    String shared = System.getProperty("penstock.shared", "");
    Path path = Path.of(shared, "data", "parquet-testing", folder);
    assumeTrue(Files.isDirectory(path), () -> "No conformance files at " + path);
    try (Stream<Path> files = Files.walk(path)) {
      return files
          .filter(file -> file.toString().matches(".*\\.parquet(\\.encrypted)?"))
          .sorted()
          .toList()
          .stream();
    }
  }

  private void check(Path path) throws IOException {
    assumeTrue(
        !name(path).startsWith("large_string_map") || Boolean.getBoolean("penstock.large"),
        "Two strings of 1 GiB: takes 12 GiB, run with -Dpenstock.large=true -DargLine=-Xmx12g");
    String refusal = REFUSED_FILES.get(name(path));
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      if (refusal != null) {
        assertThatThrownBy(() -> format.readMetadata(file))
            .isInstanceOf(MalformedFileException.class)
            .hasMessageContaining(refusal);
        return;
      }
      FileMetadata metadata = format.readMetadata(file);
      for (Field field : metadata.schema().fields()) {
        checkColumn(path, file, metadata, field);
      }
    }
  }

  private void checkColumn(Path path, StorageFile file, FileMetadata metadata, Field field)
      throws IOException {
    List<@Nullable Object> values;
    try {
      values = read(file, metadata, field, 1000);
    } catch (MalformedFileException e) {
      assertThat(e.getMessage()).contains("'" + field.name());
      assertExpected(path, e);
      return;
    }
    Path oracle = path.resolveSibling(SAME_ROWS.getOrDefault(name(path), name(path)));
    assertThat(values)
        .as("%s", field)
        .isEqualTo(JavaParquet.column(oracle, field.name(), field.type()));
    assertThat(read(file, metadata, field, 7)).isEqualTo(values);
  }

  private static void assertExpected(Path path, MalformedFileException error) {
    String damage = DAMAGED.get(name(path));
    if (damage != null) {
      assertThat(error.getMessage()).contains(damage);
    } else if (REASONS.stream().noneMatch(String.valueOf(error.getMessage())::contains)) {
      fail("Refused without a known reason", error);
    }
  }

  private List<@Nullable Object> read(
      StorageFile file, FileMetadata metadata, Field field, int maxRows) throws IOException {
    return TestRows.read(
            format,
            file,
            metadata,
            Schema.of(List.of(field)),
            0,
            metadata.rowCount(),
            new TestMemory(Boolean.getBoolean("penstock.large") ? 6L << 30 : 256 << 20),
            () -> maxRows)
        .getFirst();
  }

  private void survive(Path path) throws IOException {
    firstError(path);
  }

  /// Compares what was read of a bad file with what parquet-java reads, where it does.
  private static void checkRows(Path path, Field field, List<@Nullable Object> values)
      throws IOException {
    List<@Nullable Object> expected;
    try {
      expected = JavaParquet.column(path, field.name(), field.type());
    } catch (RuntimeException _) {
      return;
    }
    assertThat(values).as("%s", field).isEqualTo(expected);
  }

  private String firstError(Path path) throws IOException {
    List<String> errors = new ArrayList<>();
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      for (Field field : metadata.schema().fields()) {
        if (!(field.type() instanceof DataType.Unsupported)) {
          try {
            checkRows(path, field, read(file, metadata, field, 1000));
          } catch (MalformedFileException e) {
            errors.add(e.getMessage());
          }
        }
      }
    } catch (MalformedFileException e) {
      errors.add(e.getMessage());
    }
    return errors.isEmpty() ? "" : errors.getFirst();
  }
}
