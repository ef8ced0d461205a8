package dev.penstock.internal.compose;

import dev.penstock.compose.SlidingWindows;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.Selection;
import dev.penstock.stats.PaddingStats;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// The sliding windows over the groups of a window.
///
/// @param key the place of the key's column
/// @param starts the first row of each sliding window
/// @param counts the rows of each that are not padding
/// @param order the order in which they are delivered
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record ComposedSlides(
    SlidingWindows how, int key, int columns, Rows window, int[] starts, int[] counts, int[] order)
    implements Composed {
  static ComposedSlides of(SlidingWindows how, int key, int columns, Rows window, WindowNumber draw)
      throws IOException {
    Keys keys = Keys.of(window, key, how.column());
    int[] starts = new int[keys.count()];
    int[] counts = new int[keys.count()];
    int made = 0;
    for (int group = 0; group < keys.count(); group++) {
      int size = keys.size(group);
      int number = Math.toIntExact(count(size, how));
      if (starts.length < made + number) {
        starts = Arrays.copyOf(starts, Math.max(2 * made, made + number));
        counts = Arrays.copyOf(counts, starts.length);
      }
      for (int i = 0; i < number; i++) {
        int from = i * how.stride();
        starts[made] = keys.start(group) + from;
        counts[made++] = Math.min(how.length(), size - from);
      }
    }
    return new ComposedSlides(how, key, columns, window, starts, counts, draw.rows(made));
  }

  static long count(int size, SlidingWindows how) {
    if (size <= how.length()) {
      return 1;
    }
    long whole = (size - how.length()) / how.stride() + 1L;
    long covered = (whole - 1) * how.stride() + how.length();
    return covered < size && whole * how.stride() < size ? whole + 1 : whole;
  }

  static long count(List<Integer> sizes, SlidingWindows how) {
    return sizes.stream().mapToLong(size -> count(size, how)).sum();
  }

  @Override
  public Extent extent() {
    return new Extent(order.length, null);
  }

  @Override
  public void write(int from, int to, RowCopies target) {
    for (int i = from; i < to; i++) {
      int first = starts[order[i]];
      int count = counts[order[i]];
      for (int column = 0; column < columns; column++) {
        if (column == key) {
          target.append(column, window.column(column), Selection.range(first, 1));
        } else {
          target.addElements(column, window.column(column), first, count);
          target.addZeros(column, how.length() - count);
          target.endList(column);
        }
      }
      target.appendInt(columns, count);
    }
  }

  @Override
  public List<RowPart> parts(int row) {
    int first = starts[order[row]];
    return IntStream.range(first, first + counts[order[row]])
        .mapToObj(window::parts)
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public PaddingStats padding() {
    long elements = 0;
    for (int i : order) {
      elements += counts[i];
    }
    long padded = (long) order.length * how.length();
    return new PaddingStats(elements, padded, padded, 0);
  }
}
