package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that lie: a typed error or rows, never anything else.
class OrcHostileTest {
  @TempDir Path folder;

  private static void assertRefused(byte[] bytes, String... parts) {
    assertThatThrownBy(() -> OrcFiles.FORMAT.readMetadata(new BytesFile(bytes)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContainingAll(parts)
        .hasMessageContaining("[memory://file, ");
  }

  @Test
  void emptyFileIsRefused() {
    assertRefused(new byte[0], "Truncated ORC file: it has 0 bytes");
    assertRefused("ORC".getBytes(StandardCharsets.US_ASCII), "Truncated ORC file: it has 3 bytes");
  }

  @Test
  void fileOfAnotherFormatIsRefused() {
    byte[] other = new byte[1000];
    Arrays.fill(other, (byte) 'x');
    assertRefused(other, "ORC file");
    assertRefused("id,name\n1,one\n".repeat(100).getBytes(StandardCharsets.US_ASCII), "ORC file");
  }

  @Test
  void tailThatDecompressesToFarMoreThanItHasIsRefused() throws IOException {
    TypeDescription schema = TypeDescription.fromString("struct<a:int>");
    Path path = folder.resolve("a.orc");
    try (Writer writer =
        OrcFile.createWriter(
            new org.apache.hadoop.fs.Path(path.toUri()),
            OrcFile.writerOptions(new Configuration(false))
                .fileSystem(RandomOrc.local())
                .setSchema(schema)
                .compress(CompressionKind.ZLIB))) {
      writer.addUserMetadata("zeros", ByteBuffer.allocate(65 << 20));
    }
    assertThat(Files.size(path)).isLessThan(200_000);
    assertRefused(Files.readAllBytes(path), "Corrupt ORC file: its tail cannot be", "too large");
  }

  @Seeded(runs = 3)
  void everyCutFileIsRefused(Random random) throws IOException {
    byte[] good = RandomOrc.writeStripe(folder, random, 1 + random.nextInt(300)).bytes();
    for (int i = 0; i < 200; i++) {
      assertRefused(Arrays.copyOf(good, random.nextInt(good.length)), "ORC ");
    }
  }

  @Seeded(runs = 15)
  void flippedBytesGiveTypedErrorsOrRows(Random random) throws IOException {
    byte[] good = RandomOrc.write(folder, random, 1 + random.nextInt(2000)).bytes();
    for (int i = 0; i < 60; i++) {
      byte[] bad = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        // Half of them in the tail, which is small.
        int from = random.nextBoolean() ? Math.max(0, bad.length - 400) : 0;
        bad[random.nextInt(from, bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      survive(bad);
    }
  }

  @Seeded(runs = 4)
  void rubbishInExampleFilesGivesTypedErrorsOrRows(Random random) throws IOException {
    for (Path path : OrcFiles.examples("", ".orc")) {
      if (Files.size(path) > 60_000) {
        continue;
      }
      byte[] good = Files.readAllBytes(path);
      for (int i = 0; i < 10 && good.length > 0; i++) {
        byte[] bad = good.clone();
        int at = random.nextInt(bad.length);
        for (int b = at; b < Math.min(bad.length, at + 1 + random.nextInt(8)); b++) {
          bad[b] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
        }
        survive(bad);
      }
    }
  }

  private static void survive(byte[] bad) throws IOException {
    try (StorageFile file = new BytesFile(bad)) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      if (metadata.rowCount() > 100_000) {
        return; // Rows without bytes can be as many as a damaged footer says.
      }
      for (var field : OrcFiles.readable(metadata).fields()) {
        Schema one = OrcFiles.one(field);
        try {
          List<@Nullable Object> values = OrcFiles.read(file, metadata, one, () -> 1000).getFirst();
          assertThat(values).hasSize((int) metadata.rowCount());
        } catch (MalformedFileException e) {
          assertThat(e).hasMessageContaining("[memory://file");
        }
        for (int group = 0; group < metadata.rowGroups().size(); group++) {
          metadata.statistics(group, field.name());
          try {
            OrcFiles.FORMAT.pageStatistics(file, metadata, group, field.name());
          } catch (MalformedFileException e) {
            assertThat(e).hasMessageContaining("[memory://file");
          }
        }
      }
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("[memory://file");
    } catch (OutOfMemoryError e) { // which would end all tests
      throw new AssertionError("Memory was asked for that is not there", e);
    }
  }

  /// A file whose reads run out of memory, once that is switched on.
  private static final class FullFile implements StorageFile {
    private final StorageFile file;
    private boolean isFull;

    FullFile(byte[] bytes) {
      this.file = new BytesFile(bytes);
    }

    @Override
    public Location location() {
      return file.location();
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public String version() {
      return file.version();
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      if (isFull) {
        throw new OutOfMemoryError("Java heap space");
      }
      return file.read(offset, target);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /// It may be the fault of whoever gave the JVM too little, so a bad file that is skipped it is
  /// not.
  @Test
  void memoryThatIsFullIsNotTheFaultOfTheFileThatIsNamed() throws IOException {
    String type = "struct<a:int,b:array<int>>";
    byte[] bytes = RandomOrc.write(folder, new Random(3), 3000, type).bytes();
    FullFile file = new FullFile(bytes);
    FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
    file.isFull = true;
    for (var field : metadata.schema().fields()) {
      assertThatThrownBy(() -> OrcFiles.read(file, metadata, OrcFiles.one(field), () -> 1000))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage(
              "Cannot decode ORC file: there is no room for a row (Java heap space). Give the JVM"
                  + " more memory, or use fewer workers. [memory://file, stripe 0, row 0]");
    }
    assertThatThrownBy(() -> OrcFiles.FORMAT.readMetadata(file))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageEndingWith("[memory://file, file tail]");
  }

  /// Arrow C++ counts values of a part where a struct in a struct is null.
  @Test
  void countsThatTheStructAroundContradictsAreNotBelieved() throws IOException {
    Random random = new Random(5);
    TypeDescription type = TypeDescription.fromString("struct<a:struct<b:struct<c:string,d:int>>>");
    List<@Nullable Object> rows = new ArrayList<>();
    for (int row = 0; row < 4000; row++) {
      Map<String, @Nullable Object> inner = new HashMap<>();
      inner.put("c", "v");
      inner.put("d", 5L);
      rows.add(row % 7 == 0 ? null : Collections.singletonMap("b", row % 3 == 0 ? null : inner));
    }
    RandomOrc.Writing plain = all -> all.compress(CompressionKind.NONE).rowIndexStride(1000);
    byte[] good = RandomOrc.write(folder, random, type, List.of(rows), 5000, plain).bytes();
    OrcParts parts = new OrcParts(good);
    int place = parts.find(3, OrcProto.Stream.Kind.ROW_INDEX);
    OrcProto.RowIndex.Builder index =
        OrcProto.RowIndex.parseFrom(parts.bytes.get(place)).toBuilder();
    for (OrcProto.RowIndexEntry.Builder entry : index.getEntryBuilderList()) {
      entry.getStatisticsBuilder().setNumberOfValues(1000).setHasNull(false);
    }
    parts.bytes.set(place, index.build().toByteArray());
    BytesFile file = new BytesFile(parts.put());
    FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
    assertThat(OrcFiles.FORMAT.pageStatistics(file, metadata, 0, "a.b.d"))
        .hasSize(4)
        .allSatisfy(page -> assertThat(page.statistics().nullCount()).isPresent());
    assertThat(OrcFiles.FORMAT.pageStatistics(file, metadata, 0, "a.b.c"))
        .hasSize(4)
        .allSatisfy(page -> {
          assertThat(page.statistics().nullCount()).isEmpty();
          assertThat(page.statistics().lower()).isNull();
        });
  }

  /// Returns a file without rows whose footer is the given one.
  private static byte[] file(OrcProto.Footer footer) {
    byte[] foot = footer.toByteArray();
    byte[] post =
        OrcProto.PostScript.newBuilder()
            .setFooterLength(foot.length)
            .setCompression(OrcProto.CompressionKind.NONE)
            .setMagic("ORC")
            .addVersion(0)
            .addVersion(12)
            .build()
            .toByteArray();
    byte[] bytes = new byte[3 + foot.length + post.length + 1];
    System.arraycopy("ORC".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 3);
    System.arraycopy(foot, 0, bytes, 3, foot.length);
    System.arraycopy(post, 0, bytes, 3 + foot.length, post.length);
    bytes[bytes.length - 1] = (byte) post.length;
    return bytes;
  }

  private static OrcProto.Type.Builder type(OrcProto.Type.Kind kind, int... parts) {
    OrcProto.Type.Builder type = OrcProto.Type.newBuilder().setKind(kind);
    for (int part : parts) {
      type.addSubtypes(part);
      if (kind == OrcProto.Type.Kind.STRUCT) {
        type.addFieldNames("f" + part);
      }
    }
    return type;
  }

  @Test
  void typesThatAreNoTreeAreRefused() throws IOException {
    OrcProto.Footer.Builder footer = OrcProto.Footer.newBuilder().setNumberOfRows(0);
    footer.addTypes(type(OrcProto.Type.Kind.STRUCT, 1));
    footer.addTypes(type(OrcProto.Type.Kind.LIST, 0));
    assertRefused(file(footer.build()), "type 1 has the part 0");
    footer.setTypes(1, type(OrcProto.Type.Kind.LIST, 9));
    assertRefused(file(footer.build()), "type 1 has the part 9");
    footer.setTypes(1, type(OrcProto.Type.Kind.LIST, -1));
    assertRefused(file(footer.build()), "type 1 has the part");
    footer.setTypes(1, type(OrcProto.Type.Kind.INT));
    FileMetadata metadata = OrcFiles.FORMAT.readMetadata(new BytesFile(file(footer.build())));
    assertThat(metadata.schema()).hasToString("[f1: int32]");
    assertThat(metadata.rowCount()).isZero();
  }

  @Test
  void typesNestedTooDeepAreRefused() {
    OrcProto.Footer.Builder footer = OrcProto.Footer.newBuilder().setNumberOfRows(0);
    footer.addTypes(type(OrcProto.Type.Kind.STRUCT, 1));
    for (int id = 1; id < 100_000; id++) {
      footer.addTypes(type(OrcProto.Type.Kind.LIST, id + 1));
    }
    footer.addTypes(type(OrcProto.Type.Kind.INT));
    assertRefused(file(footer.build()), "nested more than 64 deep");
  }

  @Test
  void stripesOutsideTheFileAreRefused() {
    OrcProto.Footer.Builder footer = OrcProto.Footer.newBuilder().setNumberOfRows(10);
    footer.addTypes(type(OrcProto.Type.Kind.STRUCT, 1)).addTypes(type(OrcProto.Type.Kind.INT));
    OrcProto.StripeInformation.Builder stripe =
        OrcProto.StripeInformation.newBuilder()
            .setOffset(3)
            .setIndexLength(0)
            .setDataLength(Long.MAX_VALUE)
            .setFooterLength(10)
            .setNumberOfRows(10);
    assertRefused(file(footer.addStripes(stripe).build()), "does not lie in bytes [0, 3)");
    footer.setStripes(0, stripe.setDataLength(0).setFooterLength(0).setNumberOfRows(-1));
    assertRefused(file(footer.build()), "the stripes have -1 rows but the footer says 10");
    footer.setStripes(0, stripe.setNumberOfRows(9));
    assertRefused(file(footer.build()), "the stripes have 9 rows but the footer says 10");
  }
}
