package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.csv.CsvFormat;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/// Compressed files that are cut or damaged, or have something behind their end: what can be told
/// is an error, wherever it is.
class CutTextTest {
  private static final List<String> PARTS = List.of("a,b\n1,x\n2,y\n", "3,z\n4,x\n", "5,y\n");
  private static final List<Integer> ROWS = List.of(2, 4, 5);

  private static String extension(Compression compression) {
    return switch (compression) {
      case NONE -> "";
      case GZIP -> ".gz";
      case ZSTD -> ".zst";
      case BZIP2 -> ".bz2";
      case XZ -> ".xz";
      case LZ4 -> ".lz4";
      case ZIP -> ".zip";
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /// Reads all rows, by name of a file as well as by its bytes.
  private static List<List<Object>> rows(FileFormat format, byte[] file, String name)
      throws IOException {
    BytesFile bytes = new BytesFile(file, name);
    var metadata = format.readMetadata(bytes);
    TestMemory memory = new TestMemory(64 << 20);
    var columns =
        TestRows.read(
            format,
            bytes,
            metadata,
            metadata.schema(),
            0,
            metadata.rowCount(),
            memory,
            () -> Integer.MAX_VALUE);
    assertThat(memory.takenBytes()).isZero();
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < metadata.rowCount(); row++) {
      int at = row;
      rows.add(columns.stream().map(column -> Objects.requireNonNull(column.get(at))).toList());
    }
    return rows;
  }

  private static List<List<Object>> rows(byte[] file, String name) throws IOException {
    return rows(new CsvFormat(), file, name);
  }

  private static String error(byte[] file, String name) {
    return error(new CsvFormat(), file, name);
  }

  private static String error(FileFormat format, byte[] file, String name) {
    try {
      return "no error but " + rows(format, file, name).size() + " rows";
    } catch (MalformedFileException e) {
      return String.valueOf(e.getMessage());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<byte[]> frames(Compression compression) throws IOException {
    if (compression == Compression.ZIP) {
      return List.of(CompressedTextTest.packed(compression, bytes(String.join("", PARTS))));
    }
    List<byte[]> frames = new ArrayList<>();
    for (String part : PARTS) {
      frames.add(CompressedTextTest.packed(compression, bytes(part)));
    }
    return frames;
  }

  /// Cuts a file at every byte. Only an end of a frame is an end.
  private static void checkCuts(Compression compression, List<byte[]> frames) throws IOException {
    byte[] all = join(frames.toArray(byte[][]::new));
    String name = "a.csv" + extension(compression);
    List<List<Object>> whole = rows(all, name);
    assertThat(whole).hasSize(5);
    int end = 0;
    int ended = 0;
    for (int cut = 0; cut < all.length; cut++) {
      byte[] some = Arrays.copyOf(all, cut);
      if (cut == end + frames.get(ended).length) {
        end = cut;
        assertThat(rows(some, name)).isEqualTo(whole.subList(0, ROWS.get(ended++)));
      } else {
        assertThat(error(some, name))
            .as("cut at %s of %s", cut, all.length)
            .startsWith("Truncated " + compression + " file: ");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void cutAtAnyByteIsAnErrorUnlessAFrameEndsThere(Compression compression) throws IOException {
    checkCuts(compression, frames(compression));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void damagedByteIsAnErrorOrChangesNothing(Compression compression) throws IOException {
    byte[] all = join(frames(compression).toArray(byte[][]::new));
    List<List<Object>> whole = rows(all, "a");
    for (int at = 0; at < all.length; at++) {
      for (int bit = 1; bit < 256; bit <<= 1) {
        byte[] damaged = all.clone();
        damaged[at] ^= (byte) bit;
        try {
          assertThat(rows(damaged, "a")).as("bit %s of byte %s", bit, at).isEqualTo(whole);
        } catch (MalformedFileException e) {
          assertThat(e).hasMessageContaining("memory://a").hasMessageNotContaining("null");
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void onlyZerosMayStandBehindTheEnd(Compression compression) throws IOException {
    byte[] all = join(frames(compression).toArray(byte[][]::new));
    assertThat(rows(join(all, new byte[512]), "a")).hasSize(5);
    for (byte[] behind : new byte[][] {{0, 0, 0, 1}, bytes("6,z\n"), {(byte) 0xff}}) {
      assertThat(error(join(all, behind), "a"))
          .matches("(?s)(Corrupt|Truncated) " + compression + " file: .*");
    }
  }

  private static byte[] announcement(int bytes) {
    ByteBuffer frame = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    return frame.putInt(0x184d2a50).putInt(4).putInt(bytes).array();
  }

  /// As pzstd writes: each frame is announced by one without data.
  @Test
  void announcedFrameIsMissed() throws IOException {
    List<byte[]> frames = new ArrayList<>();
    for (byte[] frame : frames(Compression.ZSTD)) {
      frames.add(join(announcement(frame.length), frame));
    }
    checkCuts(Compression.ZSTD, frames);
  }

  @Test
  void framesWithoutDataAreSkipped() throws IOException {
    for (Compression compression : List.of(Compression.ZSTD, Compression.LZ4)) {
      List<byte[]> frames = frames(compression);
      byte[] other = HexFormat.of().parseHex("5f2a4d1803000000010203");
      byte[] all = join(other, frames.get(0), other, frames.get(1), frames.get(2), announcement(1));
      assertThat(rows(all, "a")).hasSize(5);
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(CutTextTest.class.getResourceAsStream("/compressed/" + name))) {
      return in.readAllBytes();
    }
  }

  @Test
  void filesOfOtherProgramsAreRead() throws IOException {
    assertThat(rows(resource("pzstd.csv.zst"), "a")).hasSize(300);
    List<List<Object>> linked = rows(resource("linked.csv.lz4"), "a");
    assertThat(linked).hasSize(16_000);
    for (int i = 0; i < linked.size(); i++) {
      assertThat(linked.get(i)).isEqualTo(List.of(i % 7L, (long) i * i % 97));
    }
  }

  /// Blocks of bgzip: a member with its length in the extra field. An empty one ends the file.
  private static byte[] block(String text) throws IOException {
    byte[] member = CompressedTextTest.packed(Compression.GZIP, bytes(text));
    byte[] extra = {6, 0, 'B', 'C', 2, 0, (byte) (member.length + 7), 0};
    member[3] |= 4;
    return join(Arrays.copyOf(member, 10), extra, Arrays.copyOfRange(member, 10, member.length));
  }

  @Test
  void blocksOfGzipEndWithAnEmptyOne() throws IOException {
    byte[] blocks = join(block(PARTS.get(0)), block(PARTS.get(1)));
    assertThat(error(blocks, "a")).startsWith("Truncated gzip file: it is in blocks (BGZF)");
    assertThat(rows(join(blocks, block("")), "a")).hasSize(4);
  }

  @Test
  void largeWindowNeedsAnOption() throws IOException {
    byte[] file = frames(Compression.ZSTD).getFirst();
    file[5] = (byte) ((28 - 10) << 3); // the window's descriptor
    assertThat(error(file, "a"))
        .isEqualTo(
            "Unsupported zstd file: its window is 268435456 bytes but at most 134217728 are kept."
                + " Set format option 'zstd-window-log' to '28': each file that is being read then"
                + " takes as much memory. [memory://a]");
    FileFormat large = new CsvFormat().withOptions(Map.of("zstd-window-log", "28"));
    assertThat(rows(large, file, "a")).hasSize(2);
    assertThatThrownBy(() -> new CsvFormat().withOptions(Map.of("zstd-window-log", "32")))
        .hasMessage(
            "Cannot use format option 'zstd-window-log': it is '32' but expected a whole number"
                + " from 10 to 31.");
  }

  /// Its dictionary is allocated because the header says so, whatever the file has.
  @Test
  void smallFileOfXzTakesNoMoreThanThatOfTheHighestLevel() throws IOException {
    for (int mebibytes : new int[] {64, 128}) {
      LZMA2Options options = new LZMA2Options(0);
      options.setDictSize(mebibytes << 20);
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (XZOutputStream xz = new XZOutputStream(packed, options)) {
        xz.write(bytes("a,b\n1,2\n"));
      }
      byte[] file = packed.toByteArray();
      if (mebibytes == 64) {
        assertThat(rows(file, "a")).hasSize(1);
      } else {
        assertThat(error(file, "a")).startsWith("Unsupported xz file: ").contains("[memory://a]");
      }
    }
  }

  private static byte[] zip(String... names) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(packed)) {
      for (String name : names) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes(PARTS.getFirst()));
      }
    }
    return packed.toByteArray();
  }

  @Test
  void archiveHasOneFile() throws IOException {
    assertThat(error(zip("a.csv", "b.csv"), "x.zip"))
        .isEqualTo(
            "Unsupported zip file: it has 2 files [a.csv, b.csv] but expected one. Unpack it."
                + " [memory://x.zip]");
    byte[] encrypted = zip("a.csv");
    encrypted[encrypted.length - 22 - "a.csv".length() - 46 + 8] |= 1;
    assertThat(error(encrypted, "x.zip"))
        .startsWith("Unsupported zip file: its file is encrypted.");
  }

  @Test
  void nameSaysWhatIsWrongWithOtherBytes() throws IOException {
    assertThat(rows(bytes("a,b\n1,x\n"), "unpacked.csv.gz")).hasSize(1);
    assertThat(error(new byte[0], "a.csv.zst")).startsWith("Truncated zstd file: ");
    assertThat(error(new byte[] {0, 0, 4, 0, 0, 0, 2, 1, 7, 7}, "a.csv.lz4"))
        .startsWith("Unsupported lz4 file: it does not start as one.");
  }
}
