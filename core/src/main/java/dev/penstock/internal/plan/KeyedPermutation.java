package dev.penstock.internal.plan;

/// A permutation that follows from a seed and an epoch, without a list of its rows. The same in
/// every release.
///
/// Few rows are listed in an order drawn by Fisher and Yates, so that each order is equally likely.
/// For more, this is a Feistel network over a grid of numbers (Black and Rogaway 2002, "Ciphers
/// with arbitrary finite domains"). A number is a place in the grid. Rounds move it along its line,
/// by a hash of the line, and along its column, by a hash of the column, in turns. The last line
/// may go on behind the last row; a number there is put through again.
public final class KeyedPermutation implements RowPermutation {
  private static final int LISTED_MAX = 1 << 16; // up to this many rows are listed

  /// With two, the statistics in the tests tell the orders from drawn ones; with four, they do not.
  private static final int ROUNDS = 6;

  private static final int BLOCK = 512; // numbers that stay in the first cache

  private static final long LOW = 0xFFFFFFFFL;

  private static final long NUMBER = Long.MAX_VALUE - 1; // no window has this number

  private final long size;
  private final int[] listed;
  private final int[] listedPlaces;
  private final long columns;
  private final long lines;
  private final long[] keys = new long[ROUNDS];

  public KeyedPermutation(long size, long seed, long epoch) {
    this.size = size;
    long state = Permutation.orderState(seed, epoch, NUMBER);
    for (int i = 0; i < ROUNDS; i++) {
      state += SplitMix64.GOLDEN_GAMMA;
      keys[i] = SplitMix64.mix(state);
    }
    boolean isFew = size <= LISTED_MAX;
    listed = new int[isFew ? (int) size : 0];
    Permutation.fill(listed, listed.length, seed, epoch, NUMBER);
    listedPlaces = new int[listed.length];
    for (int place = 0; place < listed.length; place++) {
      listedPlaces[listed[place]] = place;
    }
    columns = Math.max(1, (long) Math.ceil(Math.sqrt((double) size)));
    lines = Math.ceilDiv(Math.max(1, size), columns);
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long[] rows(long firstPlace, int count) {
    return moved(firstPlace, count, listed, true);
  }

  @Override
  public long[] places(long firstRow, int count) {
    return moved(firstRow, count, listedPlaces, false);
  }

  private long[] moved(long first, int count, int[] list, boolean isForwards) {
    long[] moved = new long[count];
    for (int i = 0; i < count && list.length > 0; i++) {
      moved[i] = list[(int) first + i];
    }
    Block block = new Block(Math.min(count, BLOCK));
    for (int done = 0; done < count && list.length == 0; done += BLOCK) {
      int end = Math.min(count, done + BLOCK);
      block.move(first + done, moved, done, end, isForwards);
      for (int i = done; i < end; i++) {
        while (moved[i] >= size) {
          block.move(moved[i], moved, i, i + 1, isForwards);
        }
      }
    }
    return moved;
  }

  /* The compiler vectorizes loops without branches over arrays of one type, if they are as short as
   * these: 3.7 instead of 18 ns for a number. Lines and columns are below 2^32. */

  /// Some neighbouring numbers, which are moved together.
  private final class Block {
    private final long[] line;
    private final long[] column;
    private final long[] steps;

    Block(int count) {
      this.line = new long[count];
      this.column = new long[count];
      this.steps = new long[count];
    }

    /// Writes where numbers from `first` on are moved to, into `[from, to)` of an array.
    void move(long first, long[] moved, int from, int to, boolean isForwards) {
      int count = to - from;
      begin(first, count);
      for (int i = 0; i < ROUNDS; i++) {
        int round = isForwards ? i : ROUNDS - 1 - i;
        if (round % 2 == 0) {
          turn(column, line, columns, keys[round], count, isForwards);
        } else {
          turn(line, column, lines, keys[round], count, isForwards);
        }
      }
      for (int i = 0; i < count; i++) {
        moved[from + i] = line[i] * columns + column[i];
      }
    }

    private void begin(long first, int count) {
      long nextLine = first / columns;
      long nextColumn = first - nextLine * columns;
      for (int i = 0; i < count; i++) {
        line[i] = nextLine;
        column[i] = nextColumn++;
        if (nextColumn == columns) {
          nextColumn = 0;
          nextLine++;
        }
      }
    }

    private void turn(long[] at, long[] by, long bound, long key, int count, boolean isForwards) {
      mix(by, key, steps, count);
      scale(steps, bound, count);
      if (isForwards) {
        add(at, steps, bound, count);
      } else {
        subtract(at, steps, bound, count);
      }
    }
  }

  private static void mix(long[] numbers, long key, long[] mixed, int count) {
    for (int i = 0; i < count; i++) {
      mixed[i] = SplitMix64.mix(numbers[i] ^ key);
    }
  }

  /// Replaces numbers by the upper halves of their products with a bound below 2^32.
  private static void scale(long[] numbers, long bound, int count) {
    for (int i = 0; i < count; i++) {
      long number = numbers[i];
      numbers[i] = ((number >>> 32) * bound + (((number & LOW) * bound) >>> 32)) >>> 32;
    }
  }

  private static void add(long[] numbers, long[] steps, long bound, int count) {
    for (int i = 0; i < count; i++) {
      long moved = numbers[i] + steps[i] - bound;
      numbers[i] = moved + (bound & moved >> 63);
    }
  }

  private static void subtract(long[] numbers, long[] steps, long bound, int count) {
    for (int i = 0; i < count; i++) {
      long moved = numbers[i] - steps[i];
      numbers[i] = moved + (bound & moved >> 63);
    }
  }
}
