package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.Encoding;

/// Fuzz targets of the encodings of values: differences, byte streams and strings.
final class FuzzValues {
  private static final int SIZED_BYTES = 1 << 20;

  private FuzzValues() {}

  /// DELTA_BINARY_PACKED: as 64 bits at once, and as 32 bits in parts.
  static void deltas(byte[] data) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    int most = numbers.next2();
    int step = 1 + numbers.next();
    try (FuzzPage page = new FuzzPage(numbers.rest())) {
      DeltaDecoder whole = new DeltaDecoder();
      DeltaDecoder parts = new DeltaDecoder();
      whole.start(page.data(), 0, page.length(), most);
      parts.start(page.data(), 0, page.length(), most);
      int count = (int) whole.left();
      assertThat(count).isBetween(0, most);
      MemorySegment longs = page.take(count * 8L);
      MemorySegment ints = page.take(count * 4L);
      whole.longs(Raw.address(longs, 0, count * 8L), count);
      for (int done = 0; done < count; done += step) {
        int part = Math.min(step, count - done);
        parts.ints(Raw.address(ints, done * 4L, part * 4L), part);
      }
      for (int i = 0; i < count; i++) {
        assertThat(ints.get(Raw.INT, i * 4L)).isEqualTo((int) longs.get(Raw.LONG, i * 8L));
      }
      DeltaDecoder other = new DeltaDecoder();
      other.start(page.data(), 0, page.length(), most);
      assertThat(other.behind()).isBetween(0L, page.length());
    } catch (PageException e) {
      FuzzPage.check(e);
    }
  }

  /// BYTE_STREAM_SPLIT, against its definition.
  static void split(byte[] data) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    int width = 1 + numbers.next();
    int step = 1 + numbers.next();
    byte[] streams = numbers.rest();
    int count = streams.length / width;
    try (FuzzPage page = new FuzzPage(streams)) {
      ByteStreamSplit split = new ByteStreamSplit();
      split.start(page.data(), 0, page.length(), width, count);
      MemorySegment values = page.take((long) count * width + ByteStreamSplit.PADDING);
      for (int done = 0; done < count; done += step) {
        int part = Math.min(step, count - done);
        long bytes = (long) part * width + ByteStreamSplit.PADDING;
        split.decode(Raw.address(values, (long) done * width, bytes), part);
      }
      for (int i = 0; i < count * width; i++) {
        assertThat(values.get(Raw.BYTE, i)).isEqualTo(streams[i % width * count + i / width]);
      }
    } catch (PageException e) {
      FuzzPage.check(e);
    }
  }

  /// DELTA_LENGTH_BYTE_ARRAY, against its definition.
  static void lengths(byte[] data) throws IOException {
    sized(data, Encoding.DELTA_LENGTH_BYTE_ARRAY);
  }

  /// DELTA_BYTE_ARRAY, against its definition.
  static void strings(byte[] data) throws IOException {
    sized(data, Encoding.DELTA_BYTE_ARRAY);
  }

  /// Takes values in parts and compares them with those made one by one from the same differences.
  private static void sized(byte[] data, Encoding encoding) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    int most = numbers.next2();
    int step = 1 + numbers.next() * 40;
    try (FuzzPage page = new FuzzPage(numbers.rest())) {
      SizedValues values = SizedValues.of(encoding, null, page.memory());
      Buffer target = new Buffer(page.memory());
      try {
        values.start(page.data(), 0, page.length(), most);
        Expected expected = expected(page, most, encoding);
        int bytesLeft = SIZED_BYTES;
        for (int done = 0; done < expected.values.size(); ) {
          int part = values.fit(Math.min(step, expected.values.size() - done), bytesLeft);
          if (part == 0) {
            break;
          }
          MemorySegment lengths = values.lengths(part);
          long sum = 0;
          for (int i = 0; i < part; i++) {
            assertThat(lengths.get(Raw.INT, i * 4L))
                .isEqualTo(expected.values.get(done + i).length);
            sum += lengths.get(Raw.INT, i * 4L);
          }
          MemorySegment to = target.ensure(sum);
          values.take(part, sum, to, 0);
          long at = 0;
          for (int i = 0; i < part; i++) {
            byte[] one = expected.values.get(done + i);
            assertThat(to.asSlice(at, one.length).mismatch(MemorySegment.ofArray(one)))
                .isEqualTo(-1);
            at += one.length;
          }
          bytesLeft -= (int) sum;
          done += part;
          if (done == expected.values.size() && expected.wrongNext) {
            assertThatThrownBy(() -> values.lengths(1)).isInstanceOf(PageException.class);
          }
        }
      } finally {
        values.close();
        target.release();
      }
    } catch (PageException e) {
      FuzzPage.check(e);
    }
  }

  /// The values of a page up to the first wrong one, or so many that they are enough.
  private record Expected(List<byte[]> values, boolean wrongNext) {}

  private static Expected expected(FuzzPage page, int most, Encoding encoding)
      throws PageException {
    DeltaDecoder prefixes = new DeltaDecoder();
    DeltaDecoder lengths = new DeltaDecoder();
    long at = 0;
    if (encoding == Encoding.DELTA_BYTE_ARRAY) {
      prefixes.start(page.data(), 0, page.length(), most);
      at = prefixes.behind();
    }
    lengths.start(page.data(), at, page.length(), most);
    at = lengths.behind();
    MemorySegment one = page.take(16);
    List<byte[]> all = new ArrayList<>();
    byte[] before = {};
    long total = 0;
    while (lengths.left() > 0 && total < SIZED_BYTES) {
      one.set(Raw.INT, 0, 0);
      if (prefixes.left() > 0) {
        prefixes.ints(Raw.address(one, 0, 4), 1);
      }
      lengths.ints(Raw.address(one, 4, 4), 1);
      int prefix = one.get(Raw.INT, 0);
      int length = one.get(Raw.INT, 4);
      if (prefix < 0 || prefix > before.length || length < 0 || length > page.length() - at) {
        return new Expected(all, true);
      }
      byte[] value = Arrays.copyOf(before, prefix + length);
      MemorySegment.copy(page.data(), Raw.BYTE, at, value, prefix, length);
      at += length;
      total += value.length + 16;
      all.add(value);
      before = value;
    }
    return new Expected(all, false);
  }
}
