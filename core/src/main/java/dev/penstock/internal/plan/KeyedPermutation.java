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
  public long row(long place) {
    if (listed.length > 0) {
      return listed[(int) place];
    }
    long row = place;
    do {
      row = step(row);
    } while (row >= size);
    return row;
  }

  @Override
  public long place(long row) {
    if (listed.length > 0) {
      return listedPlaces[(int) row];
    }
    long place = row;
    do {
      place = stepBack(place);
    } while (place >= size);
    return place;
  }

  private long stepBack(long number) {
    long line = number / columns;
    long column = number - line * columns;
    for (int round = ROUNDS - 2; round >= 0; round -= 2) {
      line -= Math.unsignedMultiplyHigh(SplitMix64.mix(column ^ keys[round + 1]), lines);
      line += line < 0 ? lines : 0;
      column -= Math.unsignedMultiplyHigh(SplitMix64.mix(line ^ keys[round]), columns);
      column += column < 0 ? columns : 0;
    }
    return line * columns + column;
  }

  private long step(long number) {
    long line = number / columns;
    long column = number - line * columns;
    for (int round = 0; round < ROUNDS; round += 2) {
      column += Math.unsignedMultiplyHigh(SplitMix64.mix(line ^ keys[round]), columns);
      column -= column >= columns ? columns : 0;
      line += Math.unsignedMultiplyHigh(SplitMix64.mix(column ^ keys[round + 1]), lines);
      line -= line >= lines ? lines : 0;
    }
    return line * columns + column;
  }
}
