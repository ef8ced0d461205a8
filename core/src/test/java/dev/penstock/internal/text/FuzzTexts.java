package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.csv.CsvFormat;
import dev.penstock.internal.json.JsonFormat;
import dev.penstock.internal.json.JsonLinesFormat;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.TextMetadata;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.io.compress.bzip2.CBZip2OutputStream;
import org.jspecify.annotations.Nullable;

/// Fuzz targets of text. The first two bytes say the options, the others are the file.
///
/// What is read has to be the same in slices of any size and group by group; lines counted in parts
/// have to give the groups of one pass.
public final class FuzzTexts {
  private static final int OPTION_BYTES = 2;
  private static final int REFUSALS_MAX = 8;
  private static final int UNPACKED_BYTES_MAX = 4 << 20;
  private static final int COMPARED_BYTES = 16 << 10;
  private static final int WINDOW_LOG_MAX = 23;

  private FuzzTexts() {}

  /// Records of CSV.
  public static void csv(byte[] data) throws IOException {
    int bits = bits(data);
    Map<String, String> options = options(bits);
    options.put("delimiter", (bits & 4) == 0 ? "," : ";");
    options.put("ragged", (bits & 8) == 0 ? "error" : "fill");
    if ((bits & 16) != 0) {
      options.put("escape", "\\");
    }
    if ((bits & 32) != 0) {
      options.put("comment", "#");
    }
    read(new CsvFormat().withOptions(options), text(data), bits);
    parts(text(data), new LineRecords(',', '"', (bits & 16) == 0 ? -1 : '\\', '#'), bits);
  }

  /// Objects on lines.
  public static void jsonl(byte[] data) throws IOException {
    int bits = bits(data);
    read(new JsonLinesFormat().withOptions(options(bits)), text(data), bits);
    parts(text(data), new LineRecords(), bits);
  }

  /// An array of objects, or objects one after another.
  public static void json(byte[] data) throws IOException {
    int bits = bits(data);
    read(new JsonFormat().withOptions(options(bits)), text(data), bits);
  }

  /// A stream of bzip2; and the same bytes, packed by another program.
  public static void bzip2(byte[] data) throws IOException {
    try (Bzip2Stream in = new Bzip2Stream(new ByteArrayInputStream(data))) {
      in.readNBytes(UNPACKED_BYTES_MAX);
    } catch (IOException e) {
      assertThat(e).hasMessageNotContaining("null");
    }
    try (Bzip2Stream in = new Bzip2Stream(new ByteArrayInputStream(packed(data)))) {
      assertThat(in.readAllBytes()).isEqualTo(data);
    }
  }

  /// A compressed file, of any kind that its first bytes say; read in pieces of two sizes.
  public static void unpacked(byte[] data) throws IOException {
    byte[] whole = unpacked(data, 1 << 16, UNPACKED_BYTES_MAX);
    byte[] start = unpacked(data, 7, COMPARED_BYTES);
    if (whole != null) {
      assertThat(start).isEqualTo(Arrays.copyOf(whole, Math.min(whole.length, COMPARED_BYTES)));
    } else if (start != null) {
      assertThat(start).as("read without the error").hasSize(COMPARED_BYTES);
    }
  }

  private static byte @Nullable [] unpacked(byte[] data, int pieceBytes, int most)
      throws IOException {
    BytesFile file = new BytesFile(data);
    Compression compression = Compression.of(file);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] piece = new byte[pieceBytes];
    try (InputStream in = compression.open(new StorageStream(file, 0), WINDOW_LOG_MAX)) {
      while (all.size() < most) {
        int read = in.read(piece);
        if (read < 0) {
          break;
        }
        assertThat(read).isPositive();
        all.write(piece, 0, Math.min(read, most - all.size()));
      }
      return all.toByteArray();
    } catch (IOException e) {
      assertThat(compression.broken(file, e))
          .hasMessageContaining("memory://file")
          .hasMessageNotContaining("null");
      return null;
    }
  }

  /// Returns bytes packed in one of all ways.
  public static byte[] packed(int kind, byte[] bytes) throws IOException {
    return CompressedTextTest.packed(
        List.of(Compression.values()).get(kind % Compression.values().length), bytes);
  }

  /// Returns bytes packed by another program.
  public static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    packed.write('B');
    packed.write('Z');
    try (OutputStream out = new CBZip2OutputStream(packed, 1)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static int bits(byte[] data) {
    return data.length < OPTION_BYTES ? 0 : (data[0] & 0xff) | (data[1] & 0xff) << 8;
  }

  private static byte[] text(byte[] data) {
    return Arrays.copyOfRange(data, Math.min(OPTION_BYTES, data.length), data.length);
  }

  private static Map<String, String> options(int bits) {
    Map<String, String> options = new HashMap<>();
    options.put("encoding", (bits & 1) == 0 ? "utf-8" : "latin-1");
    options.put("sample-rows", (bits & 2) == 0 ? "3" : "1000");
    options.put("row-group-bytes", Integer.toString(1 + (bits >> 8)));
    return options;
  }

  private static void read(FileFormat format, byte[] text, int bits) throws IOException {
    BytesFile file = new BytesFile(text);
    try {
      TextMetadata found = (TextMetadata) format.readMetadata(file);
      TextMetadata metadata = found.as(found.schema());
      Schema schema = metadata.schema();
      long rows = metadata.rowCount();
      int most = 1 + (bits >> 6 & 31);
      List<List<@Nullable Object>> all = null;
      MalformedFileException refused = null;
      TestMemory memory = new TestMemory(64 << 20);
      try {
        all = TestRows.read(format, file, metadata, schema, 0, rows, memory, () -> most);
        TestRows.requireRefusals(format, file, metadata, schema, rows, memory, REFUSALS_MAX);
      } catch (MalformedFileException e) {
        refused = e;
      }
      long first = 0;
      int read = 0;
      for (RowGroup group : metadata.rowGroups()) {
        long count = group.rowCount();
        assertThat(count).isPositive();
        try {
          var some =
              TestRows.read(
                  format, file, metadata, schema, first, count, new TestMemory(64 << 20), () -> 7);
          for (int c = 0; c < schema.size() && all != null; c++) {
            int from = (int) first;
            assertThat(some.get(c)).isEqualTo(all.get(c).subList(from, from + (int) count));
          }
          read++;
        } catch (MalformedFileException e) {
          assertThat(refused).isNotNull();
        }
        first += count;
      }
      assertThat(first).isEqualTo(rows);
      assertThat(read == metadata.rowGroups().size()).isEqualTo(refused == null);
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("memory://file").hasMessageNotContaining("planned");
    }
  }

  private static void parts(byte[] text, LineRecords scanner, int bits) throws IOException {
    LineCounts.Sizes sizes = new LineCounts.Sizes(1 + (bits >> 10 & 31), 1 + (bits >> 6 & 7));
    TextGroups.Cuts cuts = new TextGroups.Cuts(1 + (bits >> 8), Long.MAX_VALUE, false);
    Concurrency inTurn =
        new Concurrency() {
          @Override
          public <T, R> List<Outcome<R>> each(List<T> items, Step<T, R> step) {
            return items.stream().map(item -> (Outcome<R>) () -> step.of(item)).toList();
          }
        };
    assertThat(groups(text, scanner.fresh(), cuts, inTurn, sizes))
        .isEqualTo(groups(text, scanner.fresh(), cuts, Concurrency.NONE, sizes));
  }

  private static Object groups(
      byte[] text,
      LineRecords scanner,
      TextGroups.Cuts cuts,
      Concurrency parts,
      LineCounts.Sizes sizes)
      throws IOException {
    TextForm form = TextForm.PLAIN;
    try {
      BytesFile file = new BytesFile(text);
      return TextGroups.count(file, form, form.start(), scanner, cuts, parts, sizes);
    } catch (MalformedFileException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
