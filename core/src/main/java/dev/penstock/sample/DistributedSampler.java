package dev.penstock.sample;

import java.util.PrimitiveIterator;

/// One rank's share of the rows: every `world`-th row of an order that is the same on all ranks.
///
/// All ranks visit the same number of rows. If the rows do not divide evenly, the order starts
/// over, so that some rows come twice in an epoch; with [#withDropLast()] its last rows are left
/// out instead.
///
/// The order is drawn for each epoch, from the seed plus the epoch, unless [#withoutShuffle()] is
/// set. A drawn order takes an array of 4 bytes per row of all ranks, and the number of rows is
/// limited to what [Generator#randperm] takes.
///
/// **Threads.** One at a time. **Order.** The same as torch's sampler of this name with the same
/// seed and epoch. The epoch is 0 until [#setEpoch] changes it for later iterators; loaders call it
/// before each epoch.
public final class DistributedSampler implements Sampler {
  private final long rows;
  private final int world;
  private final int rank;
  private final boolean shuffle;
  private final long seed;
  private final boolean dropLast;
  private long epoch;

  /// Makes the share of a rank, shuffled with seed 0.
  ///
  /// @param size how many rows there are for all ranks together, 0 or more
  /// @param world how many ranks there are, 1 or more
  /// @param rank this one, in `[0, world)`
  public DistributedSampler(long size, int world, int rank) {
    this(size, world, rank, true, 0, false, 0);
  }

  private DistributedSampler(
      long rows, int world, int rank, boolean shuffle, long seed, boolean dropLast, long epoch) {
    if (rows < 0) {
      throw new IllegalArgumentException(
          "Cannot deal rows to ranks: the number of rows is " + rows + " but must be 0 or more.");
    }
    if (world < 1) {
      throw new IllegalArgumentException(
          "Cannot deal rows to ranks: the number of ranks is " + world + " but must be 1 or more.");
    }
    if (rank < 0 || rank >= world) {
      throw new IllegalArgumentException(
          "Cannot deal rows to ranks: the rank is " + rank + " but must be in [0, " + world + ").");
    }
    this.rows = rows;
    this.world = world;
    this.rank = rank;
    this.shuffle = shuffle;
    this.seed = seed;
    this.dropLast = dropLast;
    this.epoch = epoch;
  }

  /// {@return a copy that visits the rows in their own order, the same in every epoch}
  public DistributedSampler withoutShuffle() {
    return new DistributedSampler(rows, world, rank, false, seed, dropLast, epoch);
  }

  /// {@return a copy with another seed}
  ///
  /// @param seed any number, the same on all ranks; as in torch, only the low 32 bits of seed plus
  ///   epoch count
  public DistributedSampler withSeed(long seed) {
    return new DistributedSampler(rows, world, rank, shuffle, seed, dropLast, epoch);
  }

  /// {@return a copy that leaves out the last rows of the order if the rows do not divide evenly,
  /// instead of repeating some rows}
  public DistributedSampler withDropLast() {
    return new DistributedSampler(rows, world, rank, shuffle, seed, true, epoch);
  }

  @Override
  public void setEpoch(long epoch) {
    this.epoch = epoch;
  }

  /// {@return how many rows each rank visits: the rows divided by the ranks, rounded up, or down
  /// with [#withDropLast()]}
  @Override
  public long size() {
    long all = rows / world;
    return dropLast || rows % world == 0 ? all : all + 1;
  }

  @Override
  public PrimitiveIterator.OfLong iterator() {
    if (!shuffle) {
      return Indices.of(size(), this::place);
    }
    int[] order = new Generator(seed + epoch).permutation(rows);
    return Indices.of(size(), turn -> order[(int) place(turn)]);
  }

  /// Returns the index in the order of the rank's row of a turn; the order repeats after its end.
  private long place(long turn) {
    long start = turn * world;
    long left = rows - start;
    return rank < left ? start + rank : (rank - left) % rows;
  }
}
