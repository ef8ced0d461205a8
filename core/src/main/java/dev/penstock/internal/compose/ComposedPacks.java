package dev.penstock.internal.compose;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.compose.Balance;
import dev.penstock.compose.Packs;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.slices.Rows;
import dev.penstock.stats.PaddingStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// The lists of a window, packed into rows of one length.
///
/// @param starts the first piece of each pack, and the end
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record ComposedPacks(Packs how, Lists lists, Pieces pieces, int[] starts, PaddingStats padding)
    implements Composed {
  /// Neighbouring elements of lists. Each is in one pack.
  static final class Pieces {
    private int[] rows = new int[64];
    private int[] from = new int[64]; // the first element, counted from 0 in the list
    private int[] counts = new int[64];
    private int size;

    void add(int row, int first, int count) {
      if (size == rows.length) {
        rows = Arrays.copyOf(rows, 2 * size);
        from = Arrays.copyOf(from, 2 * size);
        counts = Arrays.copyOf(counts, 2 * size);
      }
      rows[size] = row;
      from[size] = first;
      counts[size++] = count;
    }

    Pieces in(int[] order) {
      Pieces ordered = new Pieces();
      for (int piece : order) {
        ordered.add(rows[piece], from[piece], counts[piece]);
      }
      return ordered;
    }
  }

  /// Packs the lists in the column number `column` of a window.
  ///
  /// @throws IOException if a list is longer than a pack and must not be
  static ComposedPacks of(Packs how, int batchSize, int column, Rows window, WindowNumber draw)
      throws IOException {
    Lists lists = Lists.of(window, column);
    int[] lengths = lists.lengths();
    int[] rows = draw.rows(lengths.length);
    Pieces pieces = new Pieces();
    int[] starts;
    long dropped = 0;
    if (how.mode() == Packs.Mode.WHOLE) {
      dropped = requireFit(how, lists, lengths);
      whole(rows, lengths, how.length(), pieces);
      int[] packs = bestFit(pieces, how.length());
      int[] order = byPack(packs);
      pieces = pieces.in(order);
      starts = starts(packs, order);
    } else {
      starts = cut(rows, lengths, how.length(), pieces);
    }
    long elements = Arrays.stream(lengths).asLongStream().sum();
    long used = Arrays.stream(lengths).filter(each -> each > 0).count();
    long before = Math.max(elements, used * how.length());
    PaddingStats padding =
        new PaddingStats(elements, (starts.length - 1L) * how.length(), before, dropped);
    ComposedPacks packs = new ComposedPacks(how, lists, pieces, starts, padding);
    if (how.balance().isEmpty()) {
      return packs;
    }
    Balance balance = how.balance().get();
    double[] costs = packs.costs(balance);
    int[] usual = WindowNumber.asTheyAre(costs.length);
    return packs.in(draw.even(costs, batchSize, balance, usual));
  }

  /// Returns what each pack costs, the sum of its lists; of a stream, of one list.
  private double[] costs(Balance balance) throws IOException {
    double[] costs = new double[starts.length - 1];
    for (int pack = 0; pack < costs.length; pack++) {
      long elements = 0;
      for (int piece = starts[pack]; piece < starts[pack + 1]; piece++) {
        costs[pack] += balance.cost(pieces.counts[piece]);
        elements += pieces.counts[piece];
      }
      if (how.mode() == Packs.Mode.STREAM) {
        costs[pack] = balance.cost((double) elements);
      }
    }
    ComposedBalanced.requireFinite(balance, how.column(), Arrays.stream(costs).sum());
    return costs;
  }

  /// Returns the same packs in another order.
  private ComposedPacks in(int[] packs) {
    int[] order = new int[pieces.size];
    int[] ordered = new int[starts.length];
    int at = 0;
    for (int i = 0; i < packs.length; i++) {
      ordered[i] = at;
      for (int piece = starts[packs[i]]; piece < starts[packs[i] + 1]; piece++) {
        order[at++] = piece;
      }
    }
    ordered[packs.length] = at;
    return new ComposedPacks(how, lists, pieces.in(order), ordered, padding);
  }

  /// Sets the lengths of lists to 0 that are too long and left out; returns how many.
  private static long requireFit(Packs how, Lists lists, int[] lengths) throws IOException {
    long dropped = 0;
    for (int row = 0; row < lengths.length; row++) {
      if (lengths[row] > how.length() && how.tooLong() == Packs.TooLong.DROP) {
        dropped++;
        lengths[row] = 0;
      } else if (lengths[row] > how.length() && how.tooLong() == Packs.TooLong.ERROR) {
        throw Advice.ioError(
            "Cannot pack %s: its list '%s' has %s elements, but a pack has %s. Make"
                + " packs longer, cut or drop such lists%s, or leave them out with a filter.",
            lists.name(row),
            how.column(),
            lengths[row],
            how.length(),
            Remedy.of("tooLong", "cut", "Packs.whole(TooLong)").within(" (", ")"));
      }
    }
    return dropped;
  }

  /// Makes a piece of each list; several of one that is longer than a pack.
  private static void whole(int[] rows, int[] lengths, int length, Pieces pieces) {
    for (int row : rows) {
      for (int from = 0; from < lengths[row]; ) {
        int count = Math.min(length, lengths[row] - from);
        pieces.add(row, from, count);
        from += count;
      }
    }
  }

  /// Fills one pack after another; returns the first piece of each, and the end.
  private static int[] cut(int[] rows, int[] lengths, int length, Pieces pieces) {
    int[] starts = new int[16];
    int packs = 0;
    int room = 0;
    for (int row : rows) {
      for (int from = 0; from < lengths[row]; ) {
        if (room == 0) {
          if (packs + 1 == starts.length) {
            starts = Arrays.copyOf(starts, 2 * starts.length);
          }
          starts[packs++] = pieces.size;
          room = length;
        }
        int count = Math.min(room, lengths[row] - from);
        pieces.add(row, from, count);
        room -= count;
        from += count;
      }
    }
    starts[packs] = pieces.size;
    return Arrays.copyOf(starts, packs + 1);
  }

  /// Puts each piece into the pack where it leaves least room, the longest first.
  private static int[] bestFit(Pieces pieces, int length) {
    long[] longestFirst = new long[pieces.size];
    for (int piece = 0; piece < longestFirst.length; piece++) {
      longestFirst[piece] = (long) (length - pieces.counts[piece]) << 32 | piece;
    }
    Arrays.sort(longestFirst);
    int[] packs = new int[pieces.size];
    OpenPacks open = new OpenPacks(length);
    for (long each : longestFirst) {
      int piece = (int) each;
      packs[piece] = open.put(pieces.counts[piece]);
    }
    return packs;
  }

  /// Numbers packs anew in the order of their first pieces; returns the pieces by pack.
  private static int[] byPack(int[] packs) {
    int[] numbers = new int[packs.length];
    Arrays.fill(numbers, -1);
    int next = 0;
    long[] keys = new long[packs.length];
    for (int piece = 0; piece < packs.length; piece++) {
      if (numbers[packs[piece]] < 0) {
        numbers[packs[piece]] = next++;
      }
      packs[piece] = numbers[packs[piece]];
      keys[piece] = (long) packs[piece] << 32 | piece;
    }
    Arrays.sort(keys);
    return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
  }

  private static int[] starts(int[] packs, int[] order) {
    int[] starts = new int[order.length + 1];
    int count = 0;
    for (int i = 0; i < order.length; i++) {
      if (packs[order[i]] == count) {
        starts[count++] = i;
      }
    }
    starts[count] = order.length;
    return Arrays.copyOf(starts, count + 1);
  }

  @Override
  public Extent extent() {
    return new Extent(starts.length - 1, null);
  }

  @Override
  public void write(int from, int to, RowCopies target) {
    boolean isStream = how.mode() == Packs.Mode.STREAM;
    for (int pack = from; pack < to; pack++) {
      int left = how.length();
      for (int piece = starts[pack]; piece < starts[pack + 1]; piece++) {
        int first = pieces.from[piece];
        int count = pieces.counts[piece];
        target.addElements(0, lists.elements(), lists.start(pieces.rows[piece]) + first, count);
        target.addInts(1, isStream ? 1 : piece - starts[pack] + 1, 0, count);
        target.addInts(2, isStream ? how.length() - left : first, 1, count);
        left -= count;
      }
      for (int column = 0; column < 3; column++) {
        target.addZeros(column, left);
        target.endList(column);
      }
    }
  }

  @Override
  public List<RowPart> parts(int row) {
    List<RowPart> parts = new ArrayList<>();
    int offset = 0;
    for (int piece = starts[row]; piece < starts[row + 1]; piece++) {
      int count = pieces.counts[piece];
      for (RowPart whole : lists.window().parts(pieces.rows[piece])) {
        parts.add(whole.elements(pieces.from[piece], count, offset));
      }
      offset += count;
    }
    return parts;
  }

  /// Packs that have room.
  ///
  /// Best fit: D. S. Johnson, Near-optimal bin packing algorithms, 1973.
  private static final class OpenPacks {
    private static final int NONE = -1;

    private final int length;
    private final BitSet rooms = new BitSet(); // bit n: some pack has room for exactly n
    private final int[] last; // by room, the last pack that has it
    private int[] before = new int[64]; // by pack, the one before it with the same room
    private int packs;

    OpenPacks(int length) {
      this.length = length;
      this.last = new int[length + 1];
      Arrays.fill(last, NONE);
    }

    /// Puts `count`, at least 1 and at most the length of a pack, into the pack where it leaves
    /// least room, or into a new one; returns the number of the pack, from 0.
    int put(int count) {
      int room = rooms.nextSetBit(count);
      int pack = room < 0 ? packs++ : take(room);
      int left = (room < 0 ? length : room) - count;
      if (pack == before.length) {
        before = Arrays.copyOf(before, 2 * pack);
      }
      if (left > 0) {
        before[pack] = last[left];
        last[left] = pack;
        rooms.set(left);
      }
      return pack;
    }

    private int take(int room) {
      int pack = last[room];
      last[room] = before[pack];
      if (before[pack] == NONE) {
        rooms.clear(room);
      }
      return pack;
    }
  }
}
