package dev.penstock.internal.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.parquet.FuzzInput;
import dev.penstock.internal.parquet.FuzzPage;
import dev.penstock.internal.parquet.footer.Codec;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestMemory.RefusedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The fuzz target of each codec.
public final class FuzzCodecs {
  private FuzzCodecs() {}

  private static final int REFUSALS_MAX = 4;

  /// Decompresses what follows the claimed length; an LZ4 block is compared with its definition.
  /// What can be decompressed is so again with memory that refuses.
  public static void decompress(byte[] data, Codec codec) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    int most = Math.max(1, numbers.next2() | numbers.next() << 16);
    byte[] bytes = numbers.rest();
    byte[] expected = codec == Codec.LZ4_RAW ? lz4(bytes, most) : null;
    TestMemory memory = new TestMemory(FuzzPage.MEMORY_BYTES);
    Buffer target = new Buffer(memory);
    try (FuzzPage page = new FuzzPage(bytes);
        Decompressor decompressor = new Decompressor()) {
      MemorySegment source = page.data().asSlice(0, page.length());
      MemorySegment found = decompressor.decompress(codec, source, target, most);
      if (codec == Codec.LZ4_RAW) {
        assertThat(expected).isNotNull();
        assertThat(found.asSlice(0, most).mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
      }
      boolean isRefused = true;
      for (int takes = 0; isRefused && takes < REFUSALS_MAX; takes++) {
        isRefused = isRefused(memory.refusingAfter(takes), decompressor, codec, source, most);
      }
    } catch (PageException e) {
      FuzzPage.check(e);
      assertThat(expected).isNull();
    } finally {
      target.release();
    }
    assertThat(memory.takenBytes()).isZero();
  }

  /// Decompresses a good stream; returns whether memory was refused, which nothing may hide.
  private static boolean isRefused(
      TestMemory memory, Decompressor decompressor, Codec codec, MemorySegment source, int most)
      throws IOException {
    Buffer target = new Buffer(memory);
    try {
      decompressor.decompress(codec, source, target, most);
      return false;
    } catch (PageException e) {
      throw new AssertionError("A good stream was refused", e);
    } catch (RefusedException e) {
      return true;
    } finally {
      target.release();
    }
  }

  /// Returns what a block becomes by the letter of its definition; null if it is corrupt or has
  /// another length. The libraries do not refuse a distance of 0, so they are no judges here.
  private static byte @Nullable [] lz4(byte[] block, int length) {
    byte[] bytes = new byte[length];
    FuzzInput in = new FuzzInput(block);
    int out = 0;
    while (in.left() > 0) {
      int token = in.next();
      int literals = lz4Length(token >> 4, in);
      if (literals > in.left() || literals > length - out) {
        return null;
      }
      for (int i = 0; i < literals; i++) {
        bytes[out++] = (byte) in.next();
      }
      if (in.left() == 0) {
        return out == length ? bytes : null;
      }
      if (in.left() < 2) {
        return null;
      }
      int distance = in.next2();
      int match = 4 + lz4Length(token & 15, in);
      if (distance == 0 || distance > out || match > length - out) {
        return null;
      }
      for (int i = 0; i < match; i++, out++) {
        bytes[out] = bytes[out - distance];
      }
    }
    return null;
  }

  private static int lz4Length(int start, FuzzInput in) {
    int length = start;
    for (int part = start == 15 ? 255 : 0; part == 255 && in.left() > 0; length += part) {
      part = in.next();
    }
    return length;
  }
}
