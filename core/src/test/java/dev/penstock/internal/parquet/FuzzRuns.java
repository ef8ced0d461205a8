package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.page.Page;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Fuzz targets of what lies in runs, repeated or bit-packed: levels, booleans, dictionary indices.
final class FuzzRuns {
  private FuzzRuns() {}

  /// Repetition and definition levels of 1 to 7 bits, against their definition.
  static void runs(byte[] data) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    int max = 1 + numbers.next() % 127;
    int count = numbers.next2();
    int step = 1 + numbers.next();
    byte[] bytes = numbers.rest();
    try (FuzzPage page = new FuzzPage(bytes)) {
      List<Integer> expected = expected(bytes, Page.width(max), count);
      LevelRuns runs = new LevelRuns(max);
      runs.startRuns(page.data(), 0, page.length());
      for (int done = 0; done < count; ) {
        int taken = runs.next(Math.min(step, count - done));
        for (int i = 0; i < taken; i++) {
          int level = expected.get(done + i);
          assertThat(level).isBetween(0, max);
          if (runs.level >= 0) {
            assertThat(runs.level).isEqualTo(level);
          } else {
            assertThat((runs.atLeast(level) >>> i) & 1).isEqualTo(1);
            if (level < max) {
              assertThat((runs.atLeast(level + 1) >>> i) & 1).isZero();
            }
          }
        }
        done += taken;
      }
    } catch (PageException e) {
      FuzzPage.check(e);
    }
  }

  /// Definition levels and booleans: taken one by one, and many at a time.
  static void levels(byte[] data) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    int count = numbers.next2();
    int step = 1 + numbers.next() % 64;
    try (FuzzPage page = new FuzzPage(numbers.rest())) {
      BitRuns ones = new BitRuns();
      BitRuns many = new BitRuns();
      BitRuns written = new BitRuns();
      MemorySegment bitmap = Arena.ofAuto().allocate(Bits.bytes(count + 2 * 64L));
      ones.startRuns(page.data(), 0, page.length());
      many.startRuns(page.data(), 0, page.length());
      written.startRuns(page.data(), 0, page.length());
      for (int done = 0; done < count; done += step) {
        long bits = 0;
        for (int i = 0; i < step; i++) {
          bits |= ones.take(1) << i;
        }
        if (many.takeMax(step)) {
          assertThat(bits).isEqualTo(-1L >>> (64 - step));
        } else {
          assertThat(many.take(step)).isEqualTo(bits);
        }
        assertThat(written.take(bitmap, done, step)).isEqualTo(Long.bitCount(bits));
        assertThat(Bits.get(bitmap, done, step)).isEqualTo(bits);
      }
    } catch (PageException e) {
      FuzzPage.check(e);
    }
  }

  /// Dictionary indices: as codes and looked up, refused in either way or in none.
  static void indices(byte[] data) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    int size = numbers.next2();
    int count = numbers.next2();
    int step = 1 + numbers.next();
    int[] ints = new int[size];
    long[] longs = new long[Math.max(1, Integer.highestOneBit(size) << 1)];
    for (int i = 0; i < size; i++) {
      ints[i] = ~i;
      longs[i] = ~i;
    }
    try (FuzzPage page = new FuzzPage(numbers.rest())) {
      IndexDecoder codes = new IndexDecoder();
      IndexDecoder fours = new IndexDecoder();
      IndexDecoder eights = new IndexDecoder();
      codes.start(page.data(), 0, page.length());
      fours.start(page.data(), 0, page.length());
      eights.start(page.data(), 0, page.length());
      MemorySegment found = page.take(step * 16L);
      long at = Raw.address(found, 0, step * 16L);
      for (int done = 0; done < count; done += step) {
        try {
          codes.codes(at, step, size);
        } catch (PageException e) {
          FuzzPage.check(e);
          assertThatThrownBy(() -> fours.gather4(ints, at + step * 4L, step))
              .isInstanceOf(PageException.class);
          assertThatThrownBy(() -> eights.gather8(longs, size, at + step * 8L, step))
              .isInstanceOf(PageException.class);
          return;
        }
        for (int i = 0; i < step; i++) {
          assertThat(found.get(Raw.INT, i * 4L)).isBetween(0, size - 1);
        }
        fours.gather4(ints, at + step * 4L, step);
        eights.gather8(longs, size, at + step * 8L, step);
        for (int i = 0; i < step; i++) {
          int code = found.get(Raw.INT, i * 4L);
          assertThat(found.get(Raw.INT, (step + i) * 4L)).isEqualTo(~code);
          assertThat(found.get(Raw.LONG, (step + i) * 8L)).isEqualTo(~code);
        }
      }
    } catch (PageException e) {
      FuzzPage.check(e);
    }
  }

  /// Returns up to `count` levels of a hybrid of runs, as far as there are any.
  private static List<Integer> expected(byte[] bytes, int width, int count) {
    List<Integer> levels = new ArrayList<>();
    int at = 0;
    while (levels.size() < count && at < bytes.length) {
      long header = 0;
      for (int shift = 0; at < bytes.length && shift < 35; shift += 7) {
        byte part = bytes[at++];
        header |= (part & 0x7fL) << shift;
        if (part >= 0) {
          break;
        }
      }
      if ((header & 1) == 0) {
        int level = at < bytes.length ? bytes[at++] & 0xff : 0;
        for (long i = header >>> 1; i > 0 && levels.size() < count; i--) {
          levels.add(level);
        }
      } else {
        long end = Math.min(bytes.length, at + (header >>> 1) * width) * 8L;
        for (long bit = at * 8L; bit + width <= end && levels.size() < count; bit += width) {
          int level = 0;
          for (int i = 0; i < width; i++) {
            long place = bit + i;
            level |= ((bytes[(int) (place >>> 3)] >> (place & 7)) & 1) << i;
          }
          levels.add(level);
        }
        at = (int) (end / 8);
      }
    }
    return levels;
  }
}
