package dev.penstock.internal.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.variant.Variant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Columns of variants in Parquet files, whole and in parts, written by parquet-java.
class VariantColumnsTest {
  private static final List<String> STORED =
      List.of(
          "required binary value;",
          "optional binary value; optional int64 typed_value (INTEGER(64,true));",
          "optional binary value; optional binary typed_value (STRING);",
          "optional binary value; optional double typed_value;",
          "optional binary value; optional boolean typed_value;",
          "optional binary value; optional int32 typed_value (DATE);",
          "optional binary value; optional int64 typed_value (TIMESTAMP(MICROS,true));",
          "optional binary value; optional int64 typed_value (TIMESTAMP(NANOS,false));",
          "optional binary value; optional int64 typed_value (TIME(MICROS,false));",
          "optional binary value; optional fixed_len_byte_array(16) typed_value (UUID);",
          "optional binary value; optional int64 typed_value (DECIMAL(18,4));",
          "optional binary value; optional group typed_value (LIST) { repeated group list {"
              + " required group element { optional binary value;"
              + " optional int64 typed_value (INTEGER(64,true)); } } }",
          "optional binary value; optional group typed_value {"
              + " required group a { optional binary value;"
              + " optional int64 typed_value (INTEGER(64,true)); }"
              + " required group user { optional binary value; optional group typed_value {"
              + " required group id { optional binary value;"
              + " optional int32 typed_value (INTEGER(32,true)); }"
              + " required group b { optional binary value; optional double typed_value; } } } }");

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("v.parquet");
  }

  private StructuredDataset dataset() {
    return new StructuredDataset(file.toString());
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().rank(Rank.SINGLE).output(OutputFormat.MAP).batchSize(64);
  }

  private static List<@Nullable Object> column(
      StructuredDataset dataset, String name, LoaderOptions options) {
    List<@Nullable Object> all = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (Batch batch : loader) {
        try (batch) {
          all.addAll(batch.list(name));
        }
      }
    }
    return all;
  }

  @Seeded(runs = 60)
  void valuesAreThoseThatWereWrittenHoweverTheyAreStored(Random random) throws IOException {
    List<@Nullable Object> values = new ArrayList<>();
    List<@Nullable Variant> written = new ArrayList<>();
    for (int i = random.nextInt(400); i >= 0; i--) {
      Object value = TestVariants.random(random, 3);
      values.add(value);
      written.add(value == null && random.nextBoolean() ? null : TestVariants.encoded(value));
    }
    String stored = STORED.get(random.nextInt(STORED.size()));
    TestVariants.write(file, stored, written);
    assertThat(dataset().schema().find("v").orElseThrow()).hasToString("v: variant");
    List<String> expected = values.stream().map(TestVariants::text).toList();
    for (int workers : new int[] {0, 2}) {
      assertThat(
              column(dataset().splitRows(50), "v", options().workers(workers)).stream()
                  .map(TestVariants::text))
          .as(stored)
          .isEqualTo(expected);
    }
    LoaderOptions shuffled = options().workers(2).seed(3).shuffle(Shuffle.window(64));
    assertThat(column(dataset(), "v", shuffled).stream().map(TestVariants::text))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(column(dataset().cast("v", DataType.string()), "v", options()))
        .isEqualTo(
            values.stream()
                .map(value ->
                    value == null
                        ? null
                        : new String(
                            VariantJson.of(value), java.nio.charset.StandardCharsets.UTF_8))
                .toList());
  }

  @Test
  void damagedVariantIsAnErrorThatNamesFileAndColumn() throws IOException {
    Binary noNames = Binary.fromConstantByteArray(new byte[] {1, 0, 0});
    Binary one = Binary.fromConstantByteArray(new byte[] {0x0c, 1});
    refused(
        STORED.getFirst(),
        v -> v.append("metadata", noNames).append("value", Binary.fromString("?")),
        "Corrupt variant: 4 bytes are needed where 0 are left.");
    refused(
        STORED.get(1),
        v -> v.append("metadata", noNames).append("value", one).append("typed_value", 1L),
        "Corrupt variant: a value that is no object is stored twice.");
    refused(
        STORED.getLast(),
        v ->
            v.append("metadata", noNames)
                .addGroup("typed_value")
                .addGroup("a")
                .append("typed_value", 5L),
        "Corrupt variant: its metadata lacks the name 'a' of a column.");
    refused(
        STORED.getLast(),
        v -> v.append("metadata", noNames).append("value", one).addGroup("typed_value"),
        "Corrupt variant: what is left of an object is no object.");
  }

  private void refused(String stored, Consumer<Group> filler, String sentence) throws IOException {
    Path damaged = folder.resolve("damaged.parquet");
    Files.deleteIfExists(damaged);
    TestVariants.writeRaw(damaged, stored, filler);
    StructuredDataset dataset = new StructuredDataset(damaged.toString());
    assertThatThrownBy(() -> column(dataset, "v", options()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith(sentence)
        .hasMessageContaining("damaged.parquet")
        .hasMessageContaining("column 'v");
    assertThat(column(dataset.columns("n"), "n", options())).containsExactly(0L);
  }

  private void writeUsers(String stored) throws IOException {
    List<@Nullable Variant> written = new ArrayList<>();
    for (long i = 0; i < 500; i++) {
      Map<String, @Nullable Object> user = new TreeMap<>();
      user.put("id", i % 5 == 0 ? null : i);
      user.put("b", i / 4.0);
      user.put("name", "n" + i);
      written.add(
          i % 7 == 0
              ? null
              : TestVariants.encoded(i % 3 == 0 ? Map.of("a", i) : Map.of("a", i, "user", user)));
    }
    TestVariants.write(file, stored, written);
  }

  private static @Nullable Long id(long row) {
    return row % 7 == 0 || row % 3 == 0 || row % 5 == 0 ? null : row;
  }

  @Test
  void fieldIsAColumnOfTheTypeItIsCastTo() throws IOException {
    for (String stored : List.of(STORED.getFirst(), STORED.getLast())) {
      writeUsers(stored);
      StructuredDataset dataset =
          dataset()
              .cast("v.user.id", DataType.int64())
              .cast("v.user.b", DataType.float32())
              .cast("v.user.name", DataType.string())
              .cast("v.user", DataType.string());
      assertThat(dataset.schema().names())
          .containsExactly("n", "v", "v.user.id", "v.user.b", "v.user.name", "v.user");
      List<@Nullable Object> ids = new ArrayList<>();
      for (long i = 0; i < 500; i++) {
        ids.add(id(i));
      }
      assertThat(column(dataset.columns("v.user.id"), "v.user.id", options())).isEqualTo(ids);
      assertThat(column(dataset, "v.user.b", options()).get(4)).isEqualTo(1.0f);
      assertThat(column(dataset, "v.user.name", options()).get(4)).isEqualTo("n4");
      assertThat(column(dataset, "v.user", options()).get(4))
          .isEqualTo("{\"b\":1.0,\"id\":4,\"name\":\"n4\"}");
      assertThat(column(dataset.where("v.user.id >= 490 and v.user.b > 122.9"), "n", options()))
          .containsExactly(493L, 494L, 496L, 499L);
      assertThat(column(dataset.where("v is null"), "n", options())).hasSize(72);
    }
  }

  @Test
  void fieldOfAnotherTypeIsAnErrorOrNull() throws IOException {
    TestVariants.write(
        file,
        STORED.getFirst(),
        List.of(
            TestVariants.encoded(Map.of("a", 1L)),
            TestVariants.encoded(Map.of("a", "x")),
            TestVariants.encoded(Map.of("a", 1.5))));
    assertThatThrownBy(() -> column(dataset().cast("v.a", DataType.int64()), "v.a", options()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("Cannot read column 'v.a' as int64: the value \"x\" has no exact")
        .hasMessageContaining("row 1");
    assertThat(column(dataset().castLossy("v.a", DataType.int64()), "v.a", options()))
        .containsExactly(1L, null, 1L);
    TestVariants.write(
        file,
        STORED.getFirst(),
        List.of(TestVariants.encoded((1L << 53) + 1), TestVariants.encoded(new BigDecimal("0.1"))));
    assertThatThrownBy(() -> column(dataset().cast("v", DataType.float64()), "v", options()))
        .hasMessageContaining("the value 9007199254740993 has no exact counterpart in it");
    assertThat(column(dataset().castLossy("v", DataType.float64()), "v", options()))
        .containsExactly(9007199254740992.0, 0.1);
    assertThatThrownBy(() -> column(dataset().cast("v.a", new DataType.Binary()), "v.a", options()))
        .hasMessageContaining("Cannot cast 'v.a' to binary");
    assertThatThrownBy(() -> dataset().cast("w.a", DataType.int64()).schema())
        .hasMessageContaining("Cannot cast column 'w.a': no such column");
  }
}
