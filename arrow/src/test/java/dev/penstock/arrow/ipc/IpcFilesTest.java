package dev.penstock.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.StructuredDataset;
import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.OtherJvm;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that pyarrow 26.0.1 and polars 2.1.0 wrote (`make.py` and others beside them): the rows
/// are those of the same table as Parquet.
class IpcFilesTest {
  private static final IpcFormat FORMAT = new IpcFormat();
  private static final FileFormat PARQUET =
      ServiceLoader.load(FileFormat.class).stream()
          .map(ServiceLoader.Provider::get)
          .filter(format -> format.name().equals("parquet"))
          .findFirst()
          .orElseThrow();

  private static byte[] bytes(String name) throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(IpcFilesTest.class.getResourceAsStream(name), name)) {
      return stream.readAllBytes();
    }
  }

  private static List<List<@Nullable Object>> read(
      FileFormat format, byte[] bytes, long first, long count, IntSupplier maxRows)
      throws IOException {
    try (StorageFile file = new BytesFile(bytes)) {
      FileMetadata metadata = format.readMetadata(file);
      TestMemory memory = new TestMemory(64 << 20);
      TestRows.requireRefusals(
          format, file, metadata, metadata.schema(), metadata.rowCount(), memory, 30);
      return TestRows.read(
          format, file, metadata, metadata.schema(), first, count, memory, maxRows);
    }
  }

  private static long rows(byte[] bytes) throws IOException {
    return FORMAT.readMetadata(new BytesFile(bytes)).rowCount();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "table.arrow",
        "table-v4.arrow",
        "table-zstd.arrow",
        "table.arrows",
        "table-lz4.arrows",
        "table-lz4.feather",
        "table.feather"
      })
  void rowsAreThoseOfTheSameTableAsParquet(String name) throws IOException {
    assertSameRows(bytes(name), bytes("table.parquet"), 160);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "views.arrow",
        "views-zstd.arrow",
        "views-lz4.arrows",
        "views-polars.arrow",
        "views-polars-lz4.arrows"
      })
  void viewsAndNothingAreThoseOfTheSameTableAsParquet(String name) throws IOException {
    assertSameRows(bytes(name), bytes("views.parquet"), 300);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaps.arrow", "gaps-lz4.arrow"})
  void elementsOfNullListsAreLeftOut(String name) throws IOException {
    assertSameRows(bytes(name), bytes("gaps.parquet"), 300);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null-words.arrow", "null-words.arrows"})
  void indicesOfNullsAreNull(String name) throws IOException {
    assertSameRows(bytes(name), bytes("null-words.parquet"), 300);
  }

  @ParameterizedTest
  @ValueSource(strings = {"early-lz4.feather", "early-zstd.feather"})
  void compressionBeforeTheFormatHadAPlaceForItIsKnown(String name) throws IOException {
    assertThat(read(FORMAT, bytes(name), 0, 300, () -> 128))
        .isEqualTo(read(FORMAT, bytes("early.feather"), 0, 300, () -> 300));
    assertThat(read(FORMAT, bytes("early.feather"), 198, 2, () -> 2))
        .containsExactly(List.of(198L, 199L), Arrays.asList(null, "text 3"), List.of("x", "y"));
  }

  @Test
  void compressionThatIsNotKnownIsRefused() throws IOException {
    assertThatThrownBy(() -> rows(replace(bytes("early-lz4.feather"), "LZ4\0", "LZO\0")))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("Unsupported Arrow compression: 'LZO' but only LZ4 frames and zstd");
  }

  /// Replaces every place of some bytes by others, as many.
  private static byte[] replace(byte[] bytes, String from, String to) {
    String all = new String(bytes, StandardCharsets.ISO_8859_1);
    return all.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void viewsMayPointAnywhere() throws IOException {
    var rows = read(FORMAT, bytes("views-polars.arrow"), 0, 300, () -> 100);
    var back = read(FORMAT, bytes("views-polars-back.arrow"), 0, 300, () -> 70);
    for (int c = 0; c < rows.size(); c++) {
      assertThat(back.get(c)).isEqualTo(rows.get(c).reversed());
    }
  }

  @Test
  void manyViewsOfOneValueComeInSlices() throws IOException {
    try (StorageFile file = new BytesFile(bytes("views-shared.arrow"))) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      TestMemory memory = new TestMemory(24 << 20); // all of them have 40 MB
      var texts =
          TestRows.read(FORMAT, file, metadata, metadata.schema(), 0, 8000, memory, () -> 8192);
      assertThat(texts.getFirst()).hasSize(8000).containsOnly("x".repeat(4999) + "y");
    }
  }

  private static void assertSameRows(byte[] file, byte[] parquet, int rows) throws IOException {
    assertThat(rows(file)).isEqualTo(rows);
    var expected = read(PARQUET, parquet, 0, rows, () -> 100);
    Schema schema = FORMAT.readMetadata(new BytesFile(file)).schema();
    for (int most : new int[] {8192, 7, 64}) {
      var values = read(FORMAT, file, 0, rows, () -> most);
      for (int c = 0; c < schema.size(); c++) {
        assertThat(values.get(c)).as("%s", schema.fields().get(c)).isEqualTo(expected.get(c));
      }
    }
    Random random = new Random(5);
    for (int i = 0; i < 20; i++) {
      int first = random.nextInt(rows);
      int count = random.nextInt(rows - first);
      var values = read(FORMAT, file, first, count, () -> 1 + random.nextInt(300));
      for (int c = 0; c < schema.size(); c++) {
        assertThat(values.get(c)).isEqualTo(expected.get(c).subList(first, first + count));
      }
    }
  }

  @Test
  void typesAreThoseThatArrowSays() throws IOException {
    Schema schema = FORMAT.readMetadata(new BytesFile(bytes("table.arrow"))).schema();
    assertThat(schema.toString())
        .contains("uint8: uint8", "half: float16", "large_text: string", "fixed: fixed(5)")
        .contains("decimal50: decimal(50, 2)", "date64: date", "time_us: time[us]")
        .contains("stamp_s: timestamp[ms]", "utc_ns: timestamp[ns, UTC]")
        .contains("triple: list<float32>", "map: map<string, int64>", "dictionary64: string")
        .contains("struct: struct<x: int64, inner: struct<y: string, z: list<bool>>>");
    assertThat(FORMAT.readMetadata(new BytesFile(bytes("views.arrow"))).schema())
        .hasToString(
            "[text: string, all_there: string, bytes: binary, short: string, empty: string,"
                + " list: list<string>, pair: struct<t: string, n: int64>, words: string,"
                + " duration: int64, nothing: null, nothings: list<null>]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"unread-v4.arrow", "unread-v4.arrows", "unread-v5.arrow"})
  void columnsBesideWhatCannotBeReadAreRead(String name) throws IOException {
    byte[] bytes = bytes(name);
    FileMetadata metadata = FORMAT.readMetadata(new BytesFile(bytes));
    Schema readable =
        Schema.of(
            metadata.schema().fields().stream()
                .filter(field -> !(field.type() instanceof DataType.Unsupported))
                .toList());
    assertThat(metadata.schema().size()).isEqualTo(4 + readable.size());
    assertThat(
            TestRows.read(
                FORMAT,
                new BytesFile(bytes),
                metadata,
                readable,
                0,
                3,
                new TestMemory(1 << 20),
                () -> 2))
        .containsExactly(List.of(1L, 2L, 3L), Arrays.asList("x", null, "z"));
  }

  @Test
  void rowGroupsAreListedOnce() throws IOException {
    FileMetadata metadata = FORMAT.readMetadata(new BytesFile(bytes("table.arrow")));
    // Planning asks for them once and more for each of them.
    assertThat(metadata.rowGroups()).isSameAs(metadata.rowGroups());
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta.arrows", "replaced.arrows"})
  void dictionariesThatGrowWithinAStreamAreFollowed(String name) throws IOException {
    assertThat(read(FORMAT, bytes(name), 0, 9, () -> 100).getFirst())
        .containsExactly("b", "a", null, "c", "a", null, "dd", "a", null);
    assertThat(read(FORMAT, bytes(name), 7, 2, () -> 100).getFirst()).containsExactly("a", null);
  }

  @Test
  void readersReadTheDictionariesOfTheirRowsOnly() throws IOException {
    BytesFile file = new BytesFile(bytes("replaced.arrows"));
    FileMetadata metadata = FORMAT.readMetadata(file);
    long whole = bytesRead(file, metadata, 0, 9);
    long parts = 0;
    for (int row = 0; row < 9; row += 3) {
      // Validity bits, codes and one dictionary.
      assertThat(FORMAT.ranges(metadata, metadata.schema(), row, 3)).hasSize(3);
      parts += bytesRead(file, metadata, row, 3);
    }
    assertThat(parts).isEqualTo(whole);
  }

  private static long bytesRead(BytesFile file, FileMetadata metadata, long first, long count)
      throws IOException {
    long before = file.bytesRead();
    TestMemory memory = new TestMemory(1 << 20);
    TestRows.read(FORMAT, file, metadata, metadata.schema(), first, count, memory, () -> 9);
    return file.bytesRead() - before;
  }

  @Test
  void dictionariesThatWereReplacedAreNotKept() throws IOException {
    BytesFile file = new BytesFile(bytes("replaced.arrows"));
    FileMetadata metadata = FORMAT.readMetadata(file);
    TestMemory two = new TestMemory(1 << 20);
    TestRows.read(FORMAT, file, metadata, metadata.schema(), 0, 6, two, () -> 9);
    TestMemory three = new TestMemory(1 << 20);
    TestRows.read(FORMAT, file, metadata, metadata.schema(), 0, 9, three, () -> 9);
    assertThat(three.peakBytes()).isEqualTo(two.peakBytes());
  }

  @Test
  void partsOfStructsAreColumns() throws IOException {
    try (StorageFile file = new BytesFile(bytes("table.arrow"))) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      Schema parts =
          Schema.of(
              List.of(
                  metadata.schema().find("struct.inner.y").orElseThrow(),
                  metadata.schema().find("struct.inner.z").orElseThrow()));
      Schema whole = Schema.of(List.of(metadata.schema().find("struct").orElseThrow()));
      var values =
          TestRows.read(FORMAT, file, metadata, parts, 3, 150, new TestMemory(1 << 20), () -> 77);
      var structs =
          TestRows.read(FORMAT, file, metadata, whole, 3, 150, new TestMemory(1 << 20), () -> 50);
      List<@Nullable Object> expected = new ArrayList<>();
      for (Object struct : structs.getFirst()) {
        Object inner = struct == null ? null : ((java.util.Map<?, ?>) struct).get("inner");
        expected.add(inner == null ? null : ((java.util.Map<?, ?>) inner).get("z"));
      }
      assertThat(values.get(1)).isEqualTo(expected);
    }
  }

  @Test
  void flightsAreAsMany() throws IOException {
    Path path =
        Path.of(System.getProperty("penstock.shared", ""), "data/flights/flights-200k.arrow");
    assumeTrue(Files.exists(path), () -> "No flights at " + path);
    StructuredDataset dataset = new StructuredDataset(path.toString());
    assertThat(dataset.schema()).hasToString("[delay: int16, distance: int16, time: float32]");
    byte[] bytes = Files.readAllBytes(path);
    long delays = 0;
    long distances = 0;
    var values = read(FORMAT, bytes, 0, rows(bytes), () -> 8192);
    for (int row = 0; row < values.getFirst().size(); row++) {
      delays += (Long) Objects.requireNonNull(values.get(0).get(row));
      distances += (Long) Objects.requireNonNull(values.get(1).get(row));
    }
    // What pyarrow 26.0.1 says.
    assertThat(List.of((long) values.getFirst().size(), delays, distances))
        .containsExactly(200_000L, 1_500_159L, 145_847_125L);
  }

  // --- Bad files

  private static void assertRefused(byte[] bytes, String message) {
    assertThatThrownBy(() -> FORMAT.readMetadata(new BytesFile(bytes)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("[memory://file, metadata");
  }

  @Test
  void filesThatAreNoneAreRefused() {
    assertRefused(new byte[0], "Truncated Arrow file: it has 0 bytes");
    assertRefused("ARROW1".getBytes(StandardCharsets.US_ASCII), "Truncated Arrow file: it has 6");
    byte[] text = "id,name\n1,one\n".repeat(50).getBytes(StandardCharsets.US_ASCII);
    assertRefused(text, "Not an Arrow file");
    assertRefused(new byte[100], "Truncated Arrow stream: it ends before its schema.");
    byte[] old = "FEA1".getBytes(StandardCharsets.US_ASCII);
    assertRefused(Arrays.copyOf(old, 100), "Unsupported Feather file: it is of version 1.");
  }

  @Seeded(runs = 4)
  void everyCutFileIsRefused(Random random) throws IOException {
    for (String name : List.of("table.arrow", "table-lz4.feather", "table.arrows")) {
      byte[] good = bytes(name);
      for (int i = 0; i < 60; i++) {
        byte[] cut = Arrays.copyOf(good, random.nextInt(good.length));
        assertThatThrownBy(() -> FORMAT.readMetadata(new BytesFile(cut)))
            .isInstanceOf(MalformedFileException.class)
            .hasMessageContaining("[memory://file");
      }
    }
  }

  @Test
  void streamWithoutItsEndMarkIsReadOnlyIfThatIsAllowed() throws IOException {
    byte[] good = bytes("table.arrows");
    byte[] cut = Arrays.copyOf(good, good.length - 8);
    assertRefused(
        cut,
        "Truncated Arrow stream: it ends without an end mark, so batches may be missing. Write it"
            + " anew, or set format option 'stream-end' to 'optional' if its writer leaves the mark"
            + " out.");
    FileFormat optional = FORMAT.withOptions(Map.of("stream-end", "optional"));
    assertThat(read(optional, cut, 0, 160, () -> 100))
        .isEqualTo(read(FORMAT, good, 0, 160, () -> 160));
    assertThatThrownBy(() -> FORMAT.withOptions(Map.of("stream-end", "no")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Format option 'stream-end' must be 'required' or 'optional', got 'no'.");
  }

  // --- Streams behind streams

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"table.arrows", "table-lz4.arrows", "delta.arrows", "replaced.arrows"})
  void streamBehindAStreamGoesOnWithItsRows(String name) throws IOException {
    byte[] one = bytes(name);
    int rows = (int) rows(one);
    byte[] two = joined(one, new byte[12], one, new byte[3]);
    assertThat(rows(two)).isEqualTo(2L * rows);
    var expected = read(FORMAT, one, 0, rows, () -> rows);
    assertThat(read(FORMAT, two, 0, rows, () -> 7)).isEqualTo(expected);
    assertThat(read(FORMAT, two, rows, rows, () -> 7)).isEqualTo(expected);
    // Whether the first one's end is marked makes no difference.
    byte[] unmarked = joined(Arrays.copyOf(one, one.length - 8), one);
    assertThat(read(FORMAT, unmarked, rows, rows, () -> 7)).isEqualTo(expected);
  }

  @Test
  void whatIsBehindAStreamMustBeAStreamOfTheSameColumns() throws IOException {
    byte[] one = bytes("table.arrows");
    assertRefused(
        joined(one, bytes("delta.arrows")),
        "Unsupported Arrow stream: another stream comes behind it, with the columns [");
    byte[] batches = bytes("delta.arrows");
    int schema = ByteBuffer.wrap(batches).order(ByteOrder.LITTLE_ENDIAN).getInt(4) + 8;
    assertRefused(
        joined(batches, Arrays.copyOfRange(batches, schema, batches.length)),
        "Corrupt Arrow stream: behind its end comes a message that does not start another.");
    for (int length = 1; length < batches.length; length++) {
      byte[] cut = joined(batches, Arrays.copyOf(batches, length));
      assertThatThrownBy(() -> FORMAT.readMetadata(new BytesFile(cut)))
          .as("%s", length)
          .isInstanceOf(MalformedFileException.class);
    }
  }

  @Test
  void columnsBesideTwoOfOneNameAreRead() throws IOException {
    byte[] file = bytes("same-name.arrow");
    Schema schema = FORMAT.readMetadata(new BytesFile(file)).schema();
    assertThat(schema.toString())
        .isEqualTo("[a: one of 2 columns of that name, b: int64, c: string]");
    assertThat(read(FORMAT, file, schema, "b", "c"))
        .containsExactly(List.of(1L, 2L, 3L), List.of("p", "q", "p"));
    assertThatThrownBy(() -> read(FORMAT, file, schema, "a"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("column 'a' is one of 2 columns of that name");
  }

  private static List<List<@Nullable Object>> read(
      FileFormat format, byte[] bytes, Schema schema, String... columns) throws IOException {
    try (StorageFile file = new BytesFile(bytes)) {
      FileMetadata metadata = format.readMetadata(file);
      Schema wanted =
          Schema.of(Arrays.stream(columns).map(name -> schema.find(name).orElseThrow()).toList());
      return TestRows.read(
          format,
          file,
          metadata,
          wanted,
          0,
          metadata.rowCount(),
          new TestMemory(1 << 20),
          () -> 100);
    }
  }

  @Seeded(runs = 8)
  void flippedBytesGiveTypedErrorsOrRows(Random random) throws IOException {
    for (String name :
        List.of(
            "table.arrow",
            "table-zstd.arrow",
            "table-lz4.feather",
            "delta.arrows",
            "views.arrow",
            "views-polars-lz4.arrows",
            "gaps.arrow")) {
      byte[] good = bytes(name);
      for (int i = 0; i < 60; i++) {
        byte[] bad = good.clone();
        for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
          // Half of them where the metadata is.
          int from = random.nextBoolean() ? bad.length - bad.length / 8 : 0;
          bad[random.nextInt(from, bad.length)] ^= (byte) (1 << random.nextInt(8));
        }
        survive(bad);
      }
    }
  }

  @Test
  void errorsWithinListsNameTheColumn() throws IOException {
    byte[] bytes = bytes("table.arrow");
    IpcMetadata metadata = (IpcMetadata) FORMAT.readMetadata(new BytesFile(bytes));
    IpcColumn texts = metadata.path("large_list").getLast().children().getFirst();
    IpcMetadata.Batch batch = metadata.batches().getFirst();
    long offsets = batch.buffers().start(batch.buffer(texts) + 1);
    bytes[(int) offsets + 7] = (byte) 0x80; // The second offset is negative now.
    Schema columns = Schema.of(List.of(metadata.schema().find("large_list").orElseThrow()));
    assertThatThrownBy(() ->
            TestRows.read(
                FORMAT,
                new BytesFile(bytes),
                metadata,
                columns,
                0,
                9,
                new TestMemory(1 << 20),
                () -> 9))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("Corrupt Arrow file: in column 'large_list.item' a value ends at -")
        .hasMessageEndingWith("[memory://file, record batch 0]");
  }

  private static void survive(byte[] bad) throws IOException {
    try (StorageFile file = new BytesFile(bad)) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      if (metadata.rowCount() > 100_000) {
        return; // Without a column, or of nulls only, there can be as many rows as it says.
      }
      for (Field field : metadata.schema().fields()) {
        if (field.type() instanceof DataType.Unsupported) {
          continue;
        }
        try {
          List<List<@Nullable Object>> values =
              TestRows.read(
                  FORMAT,
                  file,
                  metadata,
                  Schema.of(List.of(field)),
                  0,
                  metadata.rowCount(),
                  new TestMemory(64 << 20),
                  () -> 200);
          assertThat(values.getFirst()).hasSize((int) metadata.rowCount());
        } catch (MalformedFileException e) {
          assertThat(e).hasMessageContaining("[memory://file");
        }
      }
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("[memory://file");
    }
  }

  private static Path path(String name) {
    return Path.of("src/test/resources/dev/penstock/arrow/ipc", name);
  }

  @Test
  void filesAreReadWithoutUnsafe() throws IOException, InterruptedException {
    List<String> flags =
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--illegal-native-access=deny",
            "--sun-misc-unsafe-memory-access=deny");
    assertThat(OtherJvm.read(flags, path("table.arrow"), path("table-zstd.arrow")))
        .hasSize(2)
        .allSatisfy(read -> assertThat(read).endsWith(" rows"));
  }

  @Test
  void aCodecWhoseLibraryCannotBeLoadedIsNamed() throws IOException, InterruptedException {
    Path zstd = path("table-zstd.arrow");
    assertThat(OtherJvm.read(OtherJvm.withoutTemporaryFiles(zstd), zstd))
        .singleElement()
        .asString()
        .startsWith("Cannot decompress zstd: its native library cannot be loaded (Cannot unpack ");
  }
}
