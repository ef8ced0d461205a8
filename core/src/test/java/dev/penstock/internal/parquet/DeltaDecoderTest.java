package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DeltaDecoderTest {
  private final TestMemory memory = new TestMemory(64 << 20);
  private final Buffer page = new Buffer(memory);
  private final Buffer target = new Buffer(memory);

  /// Reads all values in parts of any size, and the place behind them before.
  private long[] read(byte[] bytes, int bits, int count, Random random) throws PageException {
    int start = random.nextInt(9);
    MemorySegment data = page.ensure(start + bytes.length);
    data.fill((byte) random.nextInt());
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, data, start, bytes.length);
    DeltaDecoder decoder = new DeltaDecoder();
    decoder.start(data, start, start + bytes.length, count);
    assertThat(decoder.left()).isEqualTo(count);
    assertThat(decoder.behind()).isEqualTo(start + bytes.length);
    MemorySegment values = target.ensure(count * 8L);
    long[] read = new long[count];
    for (int done = 0; done < count; ) {
      int part = random.nextInt(1 + Math.min(count - done, 1 + random.nextInt(500)));
      long to = Raw.address(values, 0, part * (bits / 8L));
      if (bits == 32) {
        decoder.ints(to, part);
      } else {
        decoder.longs(to, part);
      }
      for (int i = 0; i < part; i++) {
        read[done + i] = bits == 32 ? values.get(Raw.INT, i * 4L) : values.get(Raw.LONG, i * 8L);
      }
      done += part;
    }
    assertThat(decoder.left()).isZero();
    page.release();
    target.release();
    assertThat(memory.takenBytes()).isZero();
    return read;
  }

  /// The encoding by the letter of the specification, bit by bit, and with more bits than needed.
  private static final class SlowWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int bits;
    private final Random random;

    SlowWriter(int bits, Random random) {
      this.bits = bits;
      this.random = random;
    }

    byte[] write(long[] values, int blockValues, int miniblocks, int atLeast) {
      varint(BigInteger.valueOf(blockValues));
      varint(BigInteger.valueOf(miniblocks));
      varint(BigInteger.valueOf(values.length));
      zigzag(values.length == 0 ? 0 : values[0]);
      for (int from = 1; from < values.length; from += blockValues) {
        int to = Math.min(values.length, from + blockValues);
        block(values, from, to, blockValues / miniblocks, miniblocks, atLeast);
      }
      return bytes.toByteArray();
    }

    private void block(long[] values, int from, int to, int size, int miniblocks, int atLeast) {
      long[] deltas = new long[to - from];
      for (int i = from; i < to; i++) {
        long delta = values[i] - values[i - 1];
        deltas[i - from] = bits == 32 ? (int) delta : delta;
      }
      long least = Arrays.stream(deltas).min().orElseThrow();
      zigzag(least);
      int[] widths = new int[miniblocks];
      for (int m = 0; m < miniblocks; m++) {
        if (m * size >= deltas.length) {
          widths[m] = random.nextInt(256); // without values it may be anything
          continue;
        }
        for (int i = m * size; i < Math.min(deltas.length, (m + 1) * size); i++) {
          long above = deltas[i] - least;
          long kept = bits == 32 ? above & 0xffffffffL : above;
          widths[m] = Math.max(widths[m], 64 - Long.numberOfLeadingZeros(kept));
        }
        widths[m] = Math.max(widths[m], atLeast);
      }
      for (int width : widths) {
        bytes.write(width);
      }
      for (int m = 0; m * size < deltas.length; m++) {
        BigInteger packed = BigInteger.ZERO;
        for (int i = 0; i < size; i++) {
          int at = m * size + i;
          long above = at < deltas.length ? deltas[at] - least : random.nextLong();
          BigInteger kept = unsigned(above).mod(BigInteger.ONE.shiftLeft(widths[m]));
          packed = packed.or(kept.shiftLeft(i * widths[m]));
        }
        for (int i = 0; i < size * widths[m] / 8; i++) {
          bytes.write(packed.shiftRight(8 * i).intValue());
        }
      }
    }

    private static BigInteger unsigned(long value) {
      return new BigInteger(Long.toUnsignedString(value));
    }

    private void zigzag(long value) {
      BigInteger twice = BigInteger.valueOf(value).shiftLeft(1);
      varint(value < 0 ? twice.negate().subtract(BigInteger.ONE) : twice);
    }

    private void varint(BigInteger value) {
      BigInteger rest = value;
      while (rest.bitLength() > 7) {
        bytes.write(rest.intValue() | 0x80);
        rest = rest.shiftRight(7);
      }
      bytes.write(rest.intValue());
    }
  }

  /// Values whose neighbours differ by about so many bits.
  private static long[] values(Random random, int bits, int width, int count) {
    long[] values = new long[count];
    long value = random.nextLong();
    for (int i = 0; i < count; i++) {
      value += width == 0 ? 1 : random.nextLong() >>> (64 - width);
      values[i] = bits == 32 ? (int) value : value;
    }
    return values;
  }

  @Seeded(runs = 60)
  void everyBitWidthIsUnpacked(Random random) throws PageException {
    for (int bits = 32; bits <= 64; bits += 32) {
      for (int width = 0; width <= 64; width += 1 + random.nextInt(4)) {
        int miniblocks = 1 + random.nextInt(4);
        int block = miniblocks * 128 * (1 + random.nextInt(2));
        int count = random.nextInt(1 + random.nextInt(2 * block + 2));
        long[] values = values(random, bits, random.nextInt(Math.min(bits, width) + 1), count);
        byte[] bytes = new SlowWriter(bits, random).write(values, block, miniblocks, width);
        assertThat(read(bytes, bits, count, random)).as("width %s", width).isEqualTo(values);
      }
    }
  }

  @Seeded(runs = 200)
  void whatParquetJavaWritesIsRead(Random random) throws IOException {
    int bits = random.nextBoolean() ? 32 : 64;
    int miniblocks = 1 << random.nextInt(4);
    int block = miniblocks * 128 * (1 + random.nextInt(3));
    int count = random.nextInt(3000);
    long[] values = values(random, bits, random.nextInt(bits + 1), count);
    HeapByteBufferAllocator heap = new HeapByteBufferAllocator();
    DeltaBinaryPackingValuesWriter writer =
        bits == 32
            ? new DeltaBinaryPackingValuesWriterForInteger(block, miniblocks, 1000, 1000, heap)
            : new DeltaBinaryPackingValuesWriterForLong(block, miniblocks, 1000, 1000, heap);
    for (long value : values) {
      if (bits == 32) {
        writer.writeInteger((int) value);
      } else {
        writer.writeLong(value);
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.getBytes().writeAllTo(bytes);
    writer.close();
    assertThat(read(bytes.toByteArray(), bits, count, random)).isEqualTo(values);
  }

  @Seeded(runs = 50)
  void missingBytesBehindTheLastValueAreNotNeeded(Random random) throws PageException {
    long[] values = values(random, 64, 20, 2 + random.nextInt(30));
    byte[] bytes = new SlowWriter(64, random).write(values, 128, 4, 20);
    int padding = (32 - (values.length - 1)) * 20 / 8;
    byte[] cut = Arrays.copyOf(bytes, bytes.length - padding);
    MemorySegment data = page.ensure(cut.length);
    MemorySegment.copy(MemorySegment.ofArray(cut), 0, data, 0, cut.length);
    DeltaDecoder decoder = new DeltaDecoder();
    decoder.start(data, 0, cut.length, 100);
    MemorySegment to = target.ensure(values.length * 8L);
    decoder.longs(Raw.address(to, 0, values.length * 8L), values.length);
    for (int i = 0; i < values.length; i++) {
      assertThat(to.get(Raw.LONG, i * 8L)).isEqualTo(values[i]);
    }
  }

  @Seeded(runs = 100)
  void cutPagesAreRefused(Random random) {
    long[] values = values(random, 64, random.nextInt(65), 2 + random.nextInt(300));
    byte[] bytes = new SlowWriter(64, random).write(values, 128, 4, 0);
    int padding = 32 * 64 / 8;
    for (int length = 0; length < bytes.length - padding; length += 1 + random.nextInt(40)) {
      byte[] cut = Arrays.copyOf(bytes, length);
      MemorySegment data = page.ensure(length);
      MemorySegment.copy(MemorySegment.ofArray(cut), 0, data, 0, length);
      DeltaDecoder decoder = new DeltaDecoder();
      int end = length;
      long to = Raw.address(target.ensure(values.length * 8L), 0, values.length * 8L);
      assertThatThrownBy(
              () -> {
                decoder.start(data, 0, end, values.length);
                decoder.longs(to, values.length);
              })
          .isInstanceOf(PageException.class)
          .hasMessageStartingWith("Truncated Parquet page: ");
    }
  }

  @Nested
  class HeadersThatLie {
    private void assertRefused(String sentence, int... header) {
      byte[] bytes = new byte[header.length + 64];
      for (int i = 0; i < header.length; i++) {
        bytes[i] = (byte) header[i];
      }
      MemorySegment data = page.ensure(bytes.length);
      MemorySegment.copy(MemorySegment.ofArray(bytes), 0, data, 0, bytes.length);
      DeltaDecoder decoder = new DeltaDecoder();
      long to = Raw.address(target.ensure(400), 0, 400);
      assertThatThrownBy(
              () -> {
                decoder.start(data, 0, bytes.length, 100);
                decoder.ints(to, (int) decoder.left());
              })
          .isInstanceOf(PageException.class)
          .hasMessageStartingWith(sentence);
    }

    @Test
    void blocksOfAnOddSizeAreRefused() {
      String sentence = "Corrupt Parquet page: its blocks of differences have ";
      assertRefused(sentence + "0 values in 4 miniblocks", 0, 4, 9, 0);
      assertRefused(sentence + "127 values in 1 miniblocks", 127, 1, 9, 0);
      assertRefused(sentence + "128 values in 0 miniblocks", 0x80, 1, 0, 9, 0);
      assertRefused(sentence + "128 values in 3 miniblocks", 0x80, 1, 3, 9, 0);
      assertRefused(sentence + "128 values in 8 miniblocks", 0x80, 1, 8, 9, 0);
      assertRefused(
          sentence + "34359738240 values in 4 miniblocks", 0x80, 255, 255, 255, 127, 4, 9, 0);
      assertRefused(
          sentence + "18446744073709551488 values in",
          0x80,
          255,
          255,
          255,
          255,
          255,
          255,
          255,
          255,
          1,
          4,
          9,
          0);
    }

    @Test
    void moreValuesThanThePageClaimsAreRefused() {
      assertRefused(
          "Corrupt Parquet page: it has 101 values stored as differences but claims 100.",
          0x80,
          1,
          4,
          101,
          0);
    }

    @Test
    void differencesOfMoreThan64BitsAreRefused() {
      assertRefused(
          "Corrupt Parquet page: its differences have 65 bits, more than 64.",
          0x80,
          1,
          4,
          100,
          0,
          0,
          65,
          0,
          0,
          0);
    }

    @Test
    void endlessNumbersAreRefused() {
      assertRefused(
          "Corrupt Parquet page: a number has more than 10 bytes.",
          255,
          255,
          255,
          255,
          255,
          255,
          255,
          255,
          255,
          255,
          255);
    }
  }
}
