package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.page.Page;
import org.apache.parquet.format.Encoding;

/// A stream of repetition or definition levels, 1 to 7 bits wide: Parquet's hybrid of run-length
/// and bit-packed runs, or one bit-packed run in the deprecated packing.
///
/// [#next] advances by a stretch of levels. They are either all the same, or in bit planes: plane
/// `j` has bit `j` of each level, so that [#atLeast] compares up to 64 levels at once.
final class LevelRuns extends HybridRuns {
  /* Planes: a load of 64 bits has 64 / width whole levels; compress() gathers the bits of one
   * plane. The deprecated packing has the first level in the highest bits. Page reverses the bits
   * of every byte; then the levels are in order, but the bits of each, and so the planes, are in
   * reverse order. */
  private static final int WIDTH_MAX = 7;

  private final int perLoad;
  private final long[] masks = new long[WIDTH_MAX];
  private final long[] planes = new long[WIDTH_MAX];
  private boolean reversed;
  int level; // that all of those taken have; -1 if they differ

  /// Makes a stream of levels in `[0, max]`, where `max` is at least 1.
  LevelRuns(int max) {
    super("levels", Page.width(max), max);
    this.perLoad = 64 / width;
    for (int i = 0; i < perLoad; i++) {
      for (int plane = 0; plane < width; plane++) {
        masks[plane] |= 1L << (i * width + plane);
      }
    }
  }

  @Override
  void start(Page.Part levels, Encoding encoding, int count) {
    reversed = encoding == Encoding.BIT_PACKED;
    super.start(levels, encoding, count);
  }

  /// Takes some levels, at least 1 and at most `count`, and returns how many.
  ///
  /// [#level] or [#atLeast] describe them until the next call.
  int next(int count) throws PageException {
    if (left == 0) {
      nextRun();
    }
    int taken = (int) Math.min(left, count);
    if (packed) {
      taken = Math.min(taken, perLoad);
      unpack(taken);
      level = -1;
      bit += (long) taken * width;
    } else {
      level = repeated;
    }
    left -= taken;
    return taken;
  }

  /// Returns which of the levels, if they differ, are at least `level`: one bit each, the first the
  /// least significant. Higher bits are undefined.
  long atLeast(int level) {
    long bits = -1L;
    for (int plane = 0; plane < width; plane++) {
      bits = (level >>> plane & 1) != 0 ? bits & planes[plane] : bits | planes[plane];
    }
    return bits;
  }

  private void unpack(int count) throws PageException {
    long word = load();
    if (width == 1) {
      planes[0] = word;
      return;
    }
    for (int plane = 0; plane < width; plane++) {
      planes[reversed ? width - 1 - plane : plane] = Long.compress(word, masks[plane]);
    }
    if (max + 1 < 1 << width && atLeast(max + 1) << (64 - count) != 0) {
      throw tooLarge("more");
    }
  }

  @Override
  void checkRepeated() throws PageException {
    if (repeated > max) {
      throw tooLarge(String.valueOf(repeated));
    }
  }

  private PageException tooLarge(String level) {
    return new PageException(
        "Corrupt Parquet page: a level is " + level + " but expected at most " + max + ".");
  }
}
