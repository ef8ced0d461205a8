package dev.penstock.internal.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.lz4.Lz4;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Against what lz4-java writes.
class Lz4Test {
  private static final LZ4Factory LZ4 = LZ4Factory.safeInstance();

  private final TestMemory memory = new TestMemory(64 << 20);

  @AfterEach
  void everythingIsGivenBack() {
    assertThat(memory.takenBytes()).isZero();
  }

  /// Decompresses in memory without any padding, as far as it is watched.
  private byte[] decompress(byte[] source, int size, boolean framed) {
    MemorySegment in = memory.take(source.length);
    MemorySegment out = memory.take(size);
    MemorySegment.copy(MemorySegment.ofArray(source), 0, in, 0, source.length);
    long length = framed ? HadoopLz4.decompressFramedOrBare(in, out) : Lz4.decompress(in, out);
    byte[] result = new byte[(int) Math.max(0, length)];
    MemorySegment.copy(out, 0, MemorySegment.ofArray(result), 0, result.length);
    memory.give(in);
    memory.give(out);
    return length < 0 ? new byte[] {-1, -1, -1} : result;
  }

  private static byte[] compress(byte[] bytes, Random random) {
    LZ4Compressor compressor =
        random.nextBoolean() ? LZ4.fastCompressor() : LZ4.highCompressor(1 + random.nextInt(17));
    return compressor.compress(bytes);
  }

  /// Bytes that repeat themselves at any distance.
  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[1 + random.nextInt(1 + random.nextInt(100_000))];
    int at = 0;
    while (at < bytes.length) {
      int length = Math.min(bytes.length - at, 1 + random.nextInt(1 + random.nextInt(2000)));
      if (at == 0 || random.nextInt(3) == 0) {
        byte[] fresh = new byte[length];
        random.nextBytes(fresh);
        System.arraycopy(fresh, 0, bytes, at, length);
      } else {
        int distance = 1 + random.nextInt(Math.min(at, random.nextBoolean() ? 20 : 70_000));
        for (int i = 0; i < length; i++) {
          bytes[at + i] = bytes[at + i - distance];
        }
      }
      at += length;
    }
    return bytes;
  }

  @Seeded(runs = 300)
  void whatWasCompressedComesBack(Random random) {
    byte[] bytes = bytes(random);
    byte[] source = compress(bytes, random);
    assertThat(decompress(source, bytes.length, false)).isEqualTo(bytes);
    assertThat(decompress(source, bytes.length, true)).isEqualTo(bytes);
    assertThat(decompress(source, bytes.length + random.nextInt(100), false)).isEqualTo(bytes);
  }

  @Seeded(runs = 200)
  void framedBlocksAreJoined(Random random) {
    byte[] bytes = bytes(random);
    ByteArrayOutputStream framed = new ByteArrayOutputStream();
    for (int at = 0; at < bytes.length; ) {
      int total = 1 + random.nextInt(bytes.length - at);
      framed.writeBytes(ByteBuffer.allocate(4).putInt(total).array());
      for (int end = at + total; at < end; ) {
        int part = 1 + random.nextInt(end - at);
        byte[] block = compress(Arrays.copyOfRange(bytes, at, at + part), random);
        framed.writeBytes(ByteBuffer.allocate(4).putInt(block.length).array());
        framed.writeBytes(block);
        at += part;
      }
    }
    assertThat(decompress(framed.toByteArray(), bytes.length, true)).isEqualTo(bytes);
  }

  @Seeded(runs = 300)
  void damageIsRefusedOrGivesOtherBytesInsideTheTarget(Random random) {
    byte[] bytes = bytes(random);
    byte[] source = compress(bytes, random);
    byte[] cut = Arrays.copyOf(source, random.nextInt(source.length));
    assertThat(decompress(cut, bytes.length, random.nextBoolean())).isNotEqualTo(bytes);
    for (int i = 0; i < 20; i++) {
      byte[] bad = source.clone();
      bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      int room = Math.max(0, bytes.length - random.nextInt(20));
      assertThat(decompress(bad, room, random.nextBoolean()).length)
          .isLessThanOrEqualTo(Math.max(3, room));
    }
  }

  @Test
  void everyShortDistanceRepeats() {
    for (int distance = 1; distance <= 20; distance++) {
      int literals = 15 + distance;
      int match = 15 + 30 + 4;
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      byte[] expected = new byte[literals + match + 5];
      block.write(0xff); // lengths of 15 and more
      block.write(distance);
      for (int i = 0; i < literals; i++) {
        expected[i] = (byte) (i + 1);
        block.write(i + 1);
      }
      block.writeBytes(new byte[] {(byte) distance, 0, 30});
      for (int i = literals; i < literals + match; i++) {
        expected[i] = expected[i - distance];
      }
      block.writeBytes(new byte[] {0x50, 0, 0, 0, 0, 0}); // 5 literals
      assertThat(decompress(block.toByteArray(), expected.length, false)).isEqualTo(expected);
    }
  }
}
