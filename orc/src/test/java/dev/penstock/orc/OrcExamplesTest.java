package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// ORC's own example files: their rows are those that come with them, as text of another program.
class OrcExamplesTest {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  @TestFactory
  Stream<DynamicTest> rowsAreThoseThatComeWithTheFile() throws IOException {
    return OrcFiles.examples("expected", ".jsn.gz").stream()
        .map(path -> DynamicTest.dynamicTest(path.getFileName().toString(), () -> check(path)));
  }

  @Test
  void timesWithoutAZoneAreThoseOfUtcInAnyProcess() throws IOException {
    TimeZone before = TimeZone.getDefault();
    for (Path expected : OrcFiles.examples("expected", "orc_split_elim.jsn.gz")) {
      for (String zone : List.of("Pacific/Chatham", "Asia/Kathmandu")) { // differ in 1970 and 2015
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
          check(expected);
        } finally {
          TimeZone.setDefault(before);
        }
      }
    }
  }

  private static void check(Path expected) throws IOException {
    String name = expected.getFileName().toString().replace(".jsn.gz", ".orc");
    try (StorageFile file = OrcFiles.open(expected.resolveSibling("../" + name));
        InputStream bytes = new GZIPInputStream(Files.newInputStream(expected));
        JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), bytes)) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      Schema columns = OrcFiles.readable(metadata);
      var values = OrcFiles.read(file, metadata, columns, () -> 1000);
      int row = 0;
      while (json.nextToken() != null) {
        Object wanted = value(json);
        for (int c = 0; c < columns.size(); c++) {
          Field field = columns.fields().get(c);
          Object one = wanted instanceof Map<?, ?> struct ? struct.get(field.name()) : wanted;
          Object value = printed(values.get(c).get(row), field.type(), one);
          if (!Objects.equals(value, typed(field.type(), one))) {
            assertThat(value).as("row %s of %s", row, field).isEqualTo(typed(field.type(), one));
          }
        }
        row++;
      }
      assertThat(metadata.rowCount()).isEqualTo(row);
      if (row < 10_000) {
        assertThat(OrcFiles.read(file, metadata, columns, () -> 4097)).isEqualTo(values);
      }
    }
  }

  /// Reads a value of JSON: numbers stay text.
  private static @Nullable Object value(JsonParser json) {
    return switch (Objects.requireNonNull(json.currentToken())) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> struct = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          json.nextToken();
          struct.put(name, value(json));
        }
        yield struct;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(json));
        }
        yield list;
      }
      case VALUE_NULL -> null;
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> json.getString();
    };
  }

  private static @Nullable Object typed(DataType type, @Nullable Object json) {
    if (json == null) {
      return null;
    }
    return switch (type) {
      case DataType.Bool _, DataType.Utf8 _ -> json;
      case DataType.Int _ -> Long.valueOf((String) json);
      case DataType.Floating(int bits) when bits == 32 -> Float.valueOf((String) json);
      case DataType.Floating _ -> Double.valueOf((String) json);
      case DataType.Decimal(int _, int scale) ->
          new BigDecimal((String) json).setScale(scale).unscaledValue();
      case DataType.Date _ -> LocalDate.parse((String) json).toEpochDay();
      case DataType.Timestamp _ -> {
        String text = (String) json;
        LocalDateTime seconds = LocalDateTime.parse(text.substring(0, 19), TIME);
        String fraction = (text.length() > 19 ? text.substring(20) : "") + "000000000";
        LocalDateTime time = seconds.plusNanos(Long.parseLong(fraction.substring(0, 9)));
        yield ChronoUnit.NANOS.between(LocalDateTime.of(1970, 1, 1, 0, 0), time);
      }
      case DataType.Binary _ -> {
        byte[] bytes = new byte[((List<?>) json).size()];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = (byte) Integer.parseInt((String) ((List<?>) json).get(i));
        }
        yield HexFormat.of().formatHex(bytes);
      }
      case DataType.List(DataType element, boolean _) ->
          map((List<?>) json, each -> typed(element, each));
      case DataType.Map(DataType key, DataType value, boolean _) ->
          map(
              (List<?>) json,
              each -> {
                Map<?, ?> entry = (Map<?, ?>) Objects.requireNonNull(each);
                List<@Nullable Object> pair = new ArrayList<>();
                pair.add(typed(key, entry.get(entry.containsKey("_key") ? "_key" : "key")));
                pair.add(typed(value, entry.get(entry.containsKey("_value") ? "_value" : "value")));
                return pair;
              });
      case DataType.Struct(List<Field> fields) -> {
        Map<String, @Nullable Object> struct = new LinkedHashMap<>();
        fields.forEach(field ->
            struct.put(field.name(), typed(field.type(), ((Map<?, ?>) json).get(field.name()))));
        yield struct;
      }
      default -> throw new AssertionError(type);
    };
  }

  /// Returns a value as exact as it was printed: doubles with 14 digits, floats with 7, decimals of
  /// Hive 0.11 with 6 behind the point.
  private static @Nullable Object printed(
      @Nullable Object value, DataType type, @Nullable Object json) {
    return switch (value) {
      case Double number -> new BigDecimal(number).round(new MathContext(14)).doubleValue();
      case Float number -> new BigDecimal(number).round(new MathContext(7)).floatValue();
      case BigInteger unscaled -> {
        int scale = ((DataType.Decimal) type).scale();
        int digits = new BigDecimal(String.valueOf(json)).scale();
        yield new BigDecimal(unscaled, scale)
            .setScale(digits == 6 ? digits : scale, RoundingMode.DOWN)
            .setScale(scale)
            .unscaledValue();
      }
      case null, default -> value;
    };
  }

  private interface Mapping {
    @Nullable Object of(@Nullable Object value);
  }

  private static List<@Nullable Object> map(List<?> list, Mapping mapping) {
    List<@Nullable Object> mapped = new ArrayList<>();
    list.forEach(each -> mapped.add(mapping.of(each)));
    return mapped;
  }

  @TestFactory
  Stream<DynamicTest> otherFilesGiveWhatPyarrowGives() throws IOException {
    List<String> lines;
    try (InputStream recorded =
        Objects.requireNonNull(OrcExamplesTest.class.getResourceAsStream("pyarrow.tsv"))) {
      lines = new String(recorded.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    List<Path> files = OrcFiles.examples("", ".orc");
    return lines.stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t", -1))
        .map(parts ->
            DynamicTest.dynamicTest(
                parts[0] + " " + parts[1],
                () -> checkRecorded(files.getFirst().resolveSibling(parts[0]), parts)));
  }

  private static void checkRecorded(Path path, String[] parts) throws IOException {
    try (StorageFile file = OrcFiles.open(path)) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      Field field = metadata.schema().find(parts[1]).orElseThrow();
      List<@Nullable Object> values =
          OrcFiles.read(file, metadata, OrcFiles.one(field), () -> 8192).getFirst();
      assertThat(values).hasSize(Integer.parseInt(parts[2]));
      assertThat(values.stream().filter(Objects::isNull)).hasSize(Integer.parseInt(parts[3]));
      StringBuilder text = new StringBuilder();
      for (Object value : values) {
        if (value instanceof BigInteger unscaled) {
          text.append(decimal(unscaled, field.type()));
        } else {
          text.append(value);
        }
        text.append('\n');
      }
      CRC32 crc = new CRC32();
      crc.update(text.substring(0, text.length() - 1).getBytes(StandardCharsets.UTF_8));
      assertThat(crc.getValue()).isEqualTo(Long.parseLong(parts[4]));
    }
  }

  private static String decimal(BigInteger unscaled, DataType type) {
    return new BigDecimal(unscaled, ((DataType.Decimal) type).scale()).toString();
  }

  @Test
  void columnWithAUnionIsRefusedByNameAndTheOthersAreRead() throws IOException {
    Path path = OrcFiles.examples("", "testUnionAndTimestamp.orc").getFirst();
    try (StorageFile file = OrcFiles.open(path)) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      assertThat(metadata.schema())
          .hasToString(
              "[time: timestamp[ns], union: uniontype<int,string>, decimal: decimal(38, 18)]");
      Field union = metadata.schema().fields().get(1);
      assertThatThrownBy(() -> OrcFiles.read(file, metadata, OrcFiles.one(union), () -> 10))
          .isInstanceOf(MalformedFileException.class)
          .hasMessage(
              "Unsupported ORC type: column 'union' is uniontype<int,string> but columns of that"
                  + " type cannot be read. Leave the column out. [memory://file, column 'union']");
    }
  }

  @Test
  void encryptedColumnsAreRefusedRatherThanGivenMasked() throws IOException {
    for (Path path : OrcFiles.examples("encrypted", ".orc")) {
      try (StorageFile file = OrcFiles.open(path)) {
        FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
        assertThat(metadata.schema().toString()).as("%s", path).contains(": encrypted ");
        Schema readable = OrcFiles.readable(metadata);
        assertThat(OrcFiles.read(file, metadata, readable, () -> 10)).hasSize(readable.size());
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> corruptFilesGiveTypedErrors() throws IOException {
    return OrcFiles.examples("corrupt", ".orc").stream()
        .map(path ->
            DynamicTest.dynamicTest(
                path.getFileName().toString(),
                () -> {
                  try (StorageFile file = OrcFiles.open(path)) {
                    assertThatThrownBy(
                            () -> {
                              FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
                              Schema columns = OrcFiles.readable(metadata);
                              OrcFiles.read(file, metadata, columns, () -> 1000);
                            })
                        .isInstanceOf(MalformedFileException.class)
                        .message()
                        .matches("(Corrupt ORC|Unsupported timestamp in ORC) .*")
                        .matches(".* \\[memory://file, (stripe 0|file tail).*\\]");
                  }
                }));
  }
}
