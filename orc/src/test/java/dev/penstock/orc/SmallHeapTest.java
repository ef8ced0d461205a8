package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcConf;
import org.apache.orc.OrcProto;
import org.apache.orc.OrcProto.Stream.Kind;
import org.apache.orc.TypeDescription;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files of a few thousand bytes that state gigabytes, in a JVM with 48 MB that ends when memory is
/// asked for that is not there.
class SmallHeapTest {
  private static final int ROWS = 3000;

  /// Ten values of 2 GB less a little, unsigned.
  private static final byte[] LONG_VALUES = HexFormat.of().parseHex("1f7fffff00");

  /// Ten values of 66,999,872.
  private static final byte[] MANY_VALUES = HexFormat.of().parseHex("1f03fe5640");

  @TempDir Path folder;

  private final List<String> arguments = new ArrayList<>();

  private OrcParts parts(String column, int rows) throws IOException {
    TypeDescription type = TypeDescription.fromString("struct<c:" + column + ">");
    List<@Nullable Object> values = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      String text = "value " + row % 7;
      values.add(
          switch (column) {
            case "bigint" -> row * 7919L % 1000;
            case "string" -> text;
            default -> List.of(text, text);
          });
    }
    RandomOrc.Writing options =
        all -> {
          OrcConf.DICTIONARY_KEY_SIZE_THRESHOLD.setDouble(
              all.getConfiguration(), rows > 10 ? 1 : 0);
          return all.compress(CompressionKind.NONE).rowIndexStride(1000);
        };
    return new OrcParts(
        RandomOrc.write(folder, new Random(1), type, List.of(values), rows + 1, options).bytes());
  }

  private void lie(OrcParts parts, long firstRow, Consumer<OrcParts> lie) throws IOException {
    lie.accept(parts);
    Path file = folder.resolve("lie-" + arguments.size() + ".orc");
    Files.write(file, parts.put());
    arguments.addAll(List.of(file.toString(), String.valueOf(firstRow)));
  }

  private static void dictionary(OrcParts parts, int id) {
    OrcProto.ColumnEncoding stated = parts.stripe.getColumns(id);
    assertThat(stated.getKind()).isEqualTo(OrcProto.ColumnEncoding.Kind.DICTIONARY_V2);
    parts.stripe.setColumns(id, stated.toBuilder().setDictionarySize(Integer.MAX_VALUE));
  }

  private static void positions(OrcParts parts) {
    int place = parts.find(1, Kind.ROW_INDEX);
    try {
      OrcProto.RowIndex.Builder index =
          OrcProto.RowIndex.parseFrom(parts.bytes.get(place)).toBuilder();
      for (int i = 0; i < index.getEntryCount(); i++) {
        OrcProto.RowIndexEntry.Builder entry = index.getEntry(i).toBuilder();
        for (int p = 0; p < entry.getPositionsCount(); p++) {
          entry.setPositions(p, Long.MAX_VALUE / 2);
        }
        index.setEntry(i, entry);
      }
      parts.bytes.set(place, index.build().toByteArray());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void statedSizesAreNotBelieved() throws Exception {
    lie(parts("bigint", ROWS), 0, _ -> {});
    lie(parts("string", ROWS), 0, parts -> dictionary(parts, 1));
    lie(parts("array<string>", ROWS), 0, parts -> dictionary(parts, 2));
    lie(parts("bigint", ROWS), 0, parts -> parts.footer.setNumberOfRows(1L << 40));
    lie(parts("bigint", ROWS), 2000, SmallHeapTest::positions);
    lie(parts("string", 10), 0, parts -> parts.bytes.set(parts.find(1, Kind.LENGTH), LONG_VALUES));
    lie(
        parts("array<string>", 10),
        0,
        parts -> parts.bytes.set(parts.find(1, Kind.LENGTH), MANY_VALUES));
    assertThat(run())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("read"),
            line -> assertThat(line).contains("a dictionary of 2147483647 values for type 1"),
            line -> assertThat(line).contains("a dictionary of 2147483647 values for type 2"),
            line -> assertThat(line).contains("row 3000").contains("a stream has 0 more bytes"),
            line -> assertThat(line).contains("a position is 4611686018427387903"),
            line -> assertThat(line).contains("more bytes but 2147483392 of them are needed"),
            line -> assertThat(line).contains("lists have 66999872 elements together"));
  }

  private List<String> run() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx48m", "-XX:+ExitOnOutOfMemoryError", "-XX:TieredStopAtLevel=1"));
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), SmallHeap.class.getName()));
    command.addAll(arguments);
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed + Files.readString(errors)).isZero();
    return printed.lines().toList();
  }
}
