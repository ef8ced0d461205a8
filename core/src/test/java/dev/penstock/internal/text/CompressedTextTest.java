package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.csv.CsvFormat;
import dev.penstock.internal.json.JsonLinesFormat;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.BytesFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.apache.hadoop.io.compress.bzip2.CBZip2OutputStream;
import org.junit.jupiter.api.Test;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/// A reader that starts within a compressed file decompresses all that is before: so it is cut only
/// where that is asked for.
class CompressedTextTest {
  private static final int ROWS = 600_000;

  private static List<Long> rows(FileFormat format, byte[] bytes) throws IOException {
    try (StorageFile file = new BytesFile(bytes)) {
      FileMetadata metadata = format.readMetadata(file);
      return metadata.rowGroups().stream().map(RowGroup::rowCount).toList();
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static void check(FileFormat format, String text) throws IOException {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    assertThat(rows(format, plain)).hasSize(2);
    assertThat(rows(format, gzip(plain))).containsExactly((long) ROWS);
    FileFormat cut = format.withOptions(Map.of("row-group-rows", Integer.toString(ROWS / 3)));
    assertThat(rows(cut, gzip(plain))).containsExactly(ROWS / 3L, ROWS / 3L, ROWS / 3L);
  }

  @Test
  void compressedFilesAreOneRowGroupUnlessTheUserCutsThem() throws IOException {
    check(new CsvFormat(), "a,b\n" + "12345,123456789\n".repeat(ROWS));
    check(new JsonLinesFormat(), "{\"a\":123456789}\n".repeat(ROWS));
  }

  /// Bytes whose reading fails from one on, as when the thread is interrupted.
  private record FailingFile(BytesFile bytes, int reads, AtomicInteger read)
      implements StorageFile {
    @Override
    public Location location() {
      return bytes.location();
    }

    @Override
    public long size() {
      return bytes.size();
    }

    @Override
    public String version() {
      return bytes.version();
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      if (read.getAndIncrement() >= reads) {
        throw new ClosedByInterruptException();
      }
      return bytes.read(offset, target);
    }

    @Override
    public void close() {}
  }

  /// Returns bytes packed by another program, as one frame or member.
  static byte[] packed(Compression compression, byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    if (compression == Compression.BZIP2) {
      packed.write('B');
      packed.write('Z');
    }
    try (OutputStream out =
        switch (compression) {
          case NONE -> packed;
          case GZIP -> new GZIPOutputStream(packed);
          case ZSTD -> new ZstdOutputStreamNoFinalizer(packed).setChecksum(true);
          case BZIP2 -> new CBZip2OutputStream(packed, 1);
          case XZ -> new XZOutputStream(packed, new LZMA2Options(0));
          case LZ4 ->
              new LZ4FrameOutputStream(
                  packed,
                  LZ4FrameOutputStream.BLOCKSIZE.SIZE_64KB,
                  FLG.Bits.CONTENT_CHECKSUM,
                  FLG.Bits.BLOCK_INDEPENDENCE);
          case ZIP -> zip(packed);
        }) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static OutputStream zip(OutputStream packed) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(packed);
    zip.putNextEntry(new ZipEntry("folder/"));
    zip.putNextEntry(new ZipEntry("folder/a.csv"));
    return zip;
  }

  /// Makes a gzip member longer, by a file name in its header.
  private static byte[] padded(byte[] member, int length) {
    byte[] padded = new byte[length];
    int more = length - member.length;
    System.arraycopy(member, 0, padded, 0, 10);
    padded[3] |= 8;
    Arrays.fill(padded, 10, 10 + more - 1, (byte) 'n');
    System.arraycopy(member, 10, padded, 10 + more, member.length - 10);
    return padded;
  }

  private static void checkFailing(byte[] packed) throws IOException {
    BytesFile bytes = new BytesFile(packed);
    CsvFormat format = new CsvFormat();
    AtomicInteger reads = new AtomicInteger();
    long rows = format.readMetadata(new FailingFile(bytes, Integer.MAX_VALUE, reads)).rowCount();
    assertThat(rows).isPositive();
    for (int last = 0; last < reads.get(); last++) {
      FailingFile file = new FailingFile(bytes, last, new AtomicInteger());
      assertThatThrownBy(() -> format.readMetadata(file))
          .as("read %s", last)
          .isInstanceOf(ClosedByInterruptException.class);
    }
  }

  @Test
  void fileThatCannotBeReadIsNotCalledCorrupt() throws IOException {
    StringBuilder text = new StringBuilder("a,b\n");
    Random random = new Random(1);
    for (int row = 0; row < 60_000; row++) {
      text.append(random.nextInt()).append(',').append(random.nextInt()).append('\n');
    }
    byte[] plain = text.toString().getBytes(StandardCharsets.UTF_8);
    for (Compression compression : Compression.values()) {
      checkFailing(packed(compression, plain));
    }
  }

  /// Java's decompressor takes a failure for the end where a member of the file ends.
  @Test
  void fileThatCannotBeReadBetweenGzipMembersDoesNotEndThere() throws IOException {
    byte[] first = padded(gzip("a,b\n1,2\n".getBytes(StandardCharsets.UTF_8)), 256 << 10);
    byte[] second = gzip("3,4\n".getBytes(StandardCharsets.UTF_8));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    checkFailing(both);
  }
}
