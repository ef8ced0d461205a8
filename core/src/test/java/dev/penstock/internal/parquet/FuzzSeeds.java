package dev.penstock.internal.parquet;

import com.github.luben.zstd.Zstd;
import dev.penstock.internal.planfile.FuzzPlans;
import dev.penstock.internal.text.FuzzTexts;
import dev.penstock.testing.TestNested;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.column.values.deltalengthbytearray.DeltaLengthByteArrayValuesWriter;
import org.apache.parquet.column.values.deltastrings.DeltaByteArrayWriter;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.apache.parquet.io.api.Binary;
import org.xerial.snappy.Snappy;

/// Makes the good inputs that a fuzzer starts from.
final class FuzzSeeds {
  private final Random random;

  FuzzSeeds(Random random) {
    this.random = random;
  }

  byte[] of(FuzzTarget target, Path folder) throws IOException {
    return switch (target) {
      case FILE -> file(folder);
      case FOOTER -> footer(file(folder));
      case CHUNK -> join(kind(), number2(20), chunk(file(folder)));
      case PAGE -> page();
      case NESTED -> nested();
      case RUNS -> join(number(random.nextInt(127)), number2(200), number(50), bytes(60));
      case LEVELS -> join(number2(200), number(random.nextInt(64)), bytes(40));
      case INDICES -> join(number2(1000), number2(300), number(50), number(9), bytes(200));
      case DELTAS -> join(number2(500), number(99), deltas(random.nextInt(400)));
      case SPLIT -> join(number(random.nextInt(20)), number(30), bytes(random.nextInt(2000)));
      case LENGTHS -> join(number2(200), number(2), strings(true));
      case STRINGS -> join(number2(200), number(2), strings(false));
      case SNAPPY -> claim(Snappy.compress(repeating()), 3000);
      case GZIP -> claim(gzip(repeating()), 3000);
      case ZSTD -> claim(Zstd.compress(repeating(), random.nextInt(20)), 3000);
      case BROTLI -> claim(HexFormat.of().parseHex("700010050000000600000003"), 8);
      case LZ4, LZ4_RAW ->
          claim(LZ4Factory.safeInstance().fastCompressor().compress(repeating()), 3000);
      case CSV -> join(number2(1 << 16), text("a,b\n1,x\n2,\"y,\"\"\n\"\n", "#c\n3;\\;\r\n"));
      case JSONL -> join(number2(1 << 16), text("{\"a\":1,\"b\":[1.5,null]}\n", "{\"c\":{}}\r\n"));
      case JSON -> join(number2(1 << 16), text("[{\"a\":true,\"b\":\"2001-01-31\"},", "{}]"));
      case BZIP2 -> FuzzTexts.packed(repeating());
      case UNPACKED -> unpacked();
      case PLAN -> FuzzPlans.seed(random);
    };
  }

  /// Two frames or members, of which an archive has one.
  private byte[] unpacked() throws IOException {
    int kind = random.nextInt(100);
    byte[] first = FuzzTexts.packed(kind, Arrays.copyOf(repeating(), random.nextInt(500)));
    return random.nextBoolean() ? first : join(first, FuzzTexts.packed(kind, repeating()));
  }

  private byte[] text(String often, String last) {
    String all = often.repeat(1 + random.nextInt(4)) + last;
    return all.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] file(Path folder) throws IOException {
    int rows = 1 + random.nextInt(60);
    Path path = folder.resolve("seed.parquet");
    Layout layout = Layout.random(random, rows);
    if (random.nextBoolean()) {
      TestNested.random(random, 1, rows, 3).write(layout, path);
    } else {
      Table table = TestTables.random(random, 1 + random.nextInt(2), rows);
      boolean filters = random.nextBoolean();
      TestTables.write(
          table,
          layout,
          path,
          builder -> builder.withBloomFilterEnabled(filters).withBloomFilterNDV("c0", 10));
    }
    byte[] bytes = Files.readAllBytes(path);
    Files.delete(path);
    return bytes;
  }

  private static byte[] footer(byte[] file) {
    return Arrays.copyOfRange(file, chunk(file).length + 4, file.length - 8);
  }

  /// Returns everything before the footer.
  private static byte[] chunk(byte[] file) {
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    return Arrays.copyOfRange(file, 4, file.length - 8 - length);
  }

  private byte[] kind() {
    return join(
        number(random.nextInt(Type.values().length)),
        number(random.nextInt(40)),
        number(random.nextInt(CompressionCodec.values().length)));
  }

  private byte[] page() throws IOException {
    byte[] values =
        switch (random.nextInt(4)) {
          case 0 -> deltas(50);
          case 1 -> strings(true);
          case 2 -> strings(false);
          default -> bytes(400);
        };
    int encoding = random.nextInt(Encoding.values().length);
    return join(
        number(random.nextInt(8)),
        number(2 * random.nextInt(10)),
        number(0),
        number(encoding),
        number(random.nextInt(2)),
        number2(50),
        number(random.nextInt(3)),
        values);
  }

  /// An optional list of required integers: two, none, three and null.
  private byte[] nested() {
    byte[] repetition = HandMadeFile.packed(1, 0, 1, 0, 0, 1, 1, 0);
    byte[] definition = HandMadeFile.packed(2, 2, 2, 1, 2, 2, 2, 0);
    return join(
        new byte[] {0, 1, (byte) random.nextInt(2), 2, 4, 7, 0},
        HandMadeFile.ints(repetition.length),
        repetition,
        HandMadeFile.ints(definition.length),
        definition,
        HandMadeFile.ints(1, 2, 3, 4, 5));
  }

  private byte[] deltas(int count) throws IOException {
    var writer =
        new DeltaBinaryPackingValuesWriterForLong(
            128, 4, 1000, 1000, new HeapByteBufferAllocator());
    int shift = random.nextInt(64);
    for (int i = 0; i < count; i++) {
      writer.writeLong(random.nextLong() >> shift);
    }
    return written(writer);
  }

  private byte[] strings(boolean lengthsOnly) throws IOException {
    HeapByteBufferAllocator heap = new HeapByteBufferAllocator();
    ValuesWriter writer =
        lengthsOnly
            ? new DeltaLengthByteArrayValuesWriter(1000, 1000, heap)
            : new DeltaByteArrayWriter(1000, 1000, heap);
    for (int i = random.nextInt(200); i > 0; i--) {
      writer.writeBytes(Binary.fromString("value".repeat(random.nextInt(8)) + random.nextInt(50)));
    }
    return written(writer);
  }

  private static byte[] written(ValuesWriter writer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.getBytes().writeAllTo(bytes);
    return bytes.toByteArray();
  }

  private byte[] repeating() {
    byte[] bytes = new byte[3000];
    int distance = 1 + random.nextInt(100);
    for (int i = 0; i < bytes.length; i++) {
      boolean fresh = i < distance || random.nextInt(20) == 0;
      bytes[i] = fresh ? (byte) random.nextInt() : bytes[i - distance];
    }
    return bytes;
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] claim(byte[] stream, int bytes) {
    return join(number2(bytes), number(0), stream);
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] number(int value) {
    return new byte[] {(byte) value};
  }

  private static byte[] number2(int value) {
    return new byte[] {(byte) value, (byte) (value >> 8)};
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List.of(parts).forEach(all::writeBytes);
    return all.toByteArray();
  }
}
