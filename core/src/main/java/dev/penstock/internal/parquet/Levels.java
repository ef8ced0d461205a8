package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.internal.parquet.page.Page;
import dev.penstock.internal.parquet.page.PageHeader;
import dev.penstock.spi.format.ScratchMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The levels of a leaf below structs, lists or maps, page by page. They are turned into the
/// [Layer]s above the leaf and its own slots.
///
/// A slot is a place for a value, which may be null: a row of a column in structs, an element of
/// the innermost list. Lists that are null or empty have an entry in the levels but no slot.
final class Levels {
  /* Definition levels become one bitmap for each level that matters, so that the rest works on 64
   * entries at a time. If one run says that all are at their maximum, there are no bitmaps. */
  private static final long ROW_BYTES_MAX = 256 << 20;

  /// Entries of a page that take this many bytes are a slice of their own, in the page's memory,
  /// instead of being copied and joined with the next page's. The limit is higher if more columns
  /// have to end their slices at the same row.
  private static final long LARGE_PAGE_BYTES = 256 << 10;

  private static final long LARGE_PAGE_BYTES_PER_LEAF = 16 << 10;

  private static final int BLOCK = 1 << 16;

  private final int max;
  private final int within;
  private final int lists;
  private final int bytesPerEntry; // in memory, at most; without the bytes of variable-width values
  final int entriesOfLargePage; // a page with this many is not joined with others
  private final @Nullable LevelRuns runs; // null if all levels are 0
  final @Nullable Repetition repetition; // null if the leaf is not in a list
  private final @Nullable Bitmap[] bitmaps; // by level
  final List<Layer> layers; // above the leaf, the outermost first
  private int first; // the first of the chosen entries that are described now
  boolean allMax; // all entries are at the maximum

  /// Makes the levels of a leaf, whose values take `width` bytes; `leaves` are read together.
  /// `above` is the wanted column, and the layers between it and the leaf.
  Levels(Column leaf, List<Column> above, int width, int leaves, ScratchMemory memory) {
    this.max = leaf.definition();
    this.lists = leaf.repetition();
    this.bytesPerEntry = Math.max(4, width) + 4 * lists;
    long large = Math.max(LARGE_PAGE_BYTES, LARGE_PAGE_BYTES_PER_LEAF * leaves);
    this.entriesOfLargePage = (int) Math.max(1, large / bytesPerEntry);
    this.runs = max == 0 ? null : new LevelRuns(max);
    this.bitmaps = new Bitmap[max + 1];
    this.repetition =
        lists == 0 ? null : new Repetition(lists, (int) Math.max(1, ROW_BYTES_MAX / bytesPerEntry));
    Layer[] layers = new Layer[above.size()];
    int around = 0;
    for (int i = 0; i < layers.length; i++) {
      Column column = above.get(i);
      boolean list = !column.isStruct();
      layers[i] = new Layer(list, column.repetition(), around, column.definition(), memory);
      need(column.definition());
      if (list) {
        around = column.definition() + 1;
        need(around);
      }
    }
    need(max);
    this.layers = List.of(layers);
    this.within = around;
  }

  private void need(int level) {
    if (level > 0 && bitmaps[level] == null) {
      bitmaps[level] = new Bitmap();
    }
  }

  /// Returns how many entries a slice should have at most.
  int entriesPerSlice() {
    return (int) Math.max(1, ColumnReader.SLICE_BYTES / bytesPerEntry);
  }

  void startSlice() {
    layers.forEach(Layer::clear);
  }

  void startPage(Page page) {
    PageHeader header = page.header();
    if (runs != null) {
      runs.start(page.definition(), header.levels().definition(), header.valueCount());
    }
    if (repetition != null) {
      repetition.startPage(page);
    }
  }

  /// Adds the page's next `count` entries to the slice (in lists, the chosen ones), and returns how
  /// many of their slots have a value.
  int append(int count, SliceValidity slots) throws PageException {
    first = 0;
    allMax = runs == null || runs.takeMax(count);
    if (runs == null || allMax) {
      if (repetition != null && lists > 1) {
        repetition.markRows(0, count);
      }
      appendLayers(count);
      slots.appendPresent(count);
      return count;
    }
    int present = 0;
    for (; first < count; first += BLOCK) {
      int part = Math.min(BLOCK, count - first);
      readBitmaps(runs, part);
      if (repetition != null) {
        repetition.markRows(first, part);
      }
      appendLayers(part);
      present += appendSlots(part, slots);
    }
    return present;
  }

  private void appendLayers(int count) throws PageException {
    for (Layer layer : layers) {
      layer.append(this, count);
    }
  }

  private int appendSlots(int count, SliceValidity slots) {
    int there = 0;
    for (int from = 0; from < count; from += 64) {
      there += Long.bitCount(atLeast(within, from, Math.min(64, count - from)));
    }
    if (max == within) {
      slots.appendPresent(there);
      return there;
    }
    slots.expect(there);
    int present = 0;
    for (int from = 0; from < count; from += 64) {
      int part = Math.min(64, count - from);
      long begun = atLeast(within, from, part);
      if (begun != 0) {
        long bits = Long.compress(atLeast(max, from, part), begun);
        present += slots.append(bits, Long.bitCount(begun));
      }
    }
    return present;
  }

  private void readBitmaps(LevelRuns runs, int count) throws PageException {
    for (Bitmap bitmap : bitmaps) {
      if (bitmap != null) {
        bitmap.expect(count);
      }
    }
    for (int done = 0; done < count; ) {
      int part = runs.next(count - done);
      int level = runs.level;
      for (int least = 1; least <= max; least++) {
        Bitmap bitmap = bitmaps[least];
        if (bitmap != null && level >= 0) {
          bitmap.fill(done, level >= least ? -1L : 0, part);
        } else if (bitmap != null) {
          bitmap.set(done, runs.atLeast(least), part);
        }
      }
      done += part;
    }
  }

  /* Queries of layers while entries are appended, for `count` entries, in [1, 64], from the first
   * plus `from` on. One bit each; higher bits are zero. */

  /// Returns the repetition levels if every entry is an element of the only list, so that only the
  /// starts of rows matter; else null.
  @Nullable Repetition rowsOnly() {
    return allMax && lists == 1 ? repetition : null;
  }

  /// Returns which entries begin something of a depth.
  long begins(int depth, int from, int count) {
    return repetition == null ? -1L >>> (64 - count) : repetition.word(depth, first + from, count);
  }

  /// Returns which entries' definition levels are at least `level`.
  long atLeast(int level, int from, int count) {
    Bitmap bitmap = bitmaps[level];
    return allMax || bitmap == null ? -1L >>> (64 - count) : bitmap.get(from, count);
  }
}
