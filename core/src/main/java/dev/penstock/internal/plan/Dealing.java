package dev.penstock.internal.plan;

import dev.penstock.split.RankEnd;
import java.util.List;

/// How a sequence is dealt to the ranks of a world: each gets neighbouring rows, as many as the
/// others, up to one.
///
/// @param world how many ranks there are, at least 1
/// @param end what becomes of rows that do not divide evenly
public record Dealing(int world, RankEnd end) {
  /// Where the ranks of a world stopped.
  ///
  /// @param dealing how rows were dealt to them
  /// @param positions where each stopped in its share; a single one where all stopped at the same
  public record Stage(Dealing dealing, List<Position> positions) {
    /// Copies the list.
    public Stage {
      positions = List.copyOf(positions);
      if (positions.size() != 1 && positions.size() != dealing.world()) {
        throw new IllegalArgumentException(
            positions.size() + " positions of " + dealing.world() + " ranks");
      }
    }

    /// Returns what the ranks have left, one after another.
    ///
    /// @param sequence what was dealt to them
    /// @return the rest
    public Sequence rest(Sequence sequence) {
      long rows = sequence.rows();
      Sequence rest = sequence.slice(0, 0);
      for (int rank = 0; rank < dealing.world(); rank++) {
        // What comes twice for padding has no part in the rest, what is dropped has.
        long from = Math.min(dealing.start(rows, rank), rows);
        boolean isLast = rank == dealing.world() - 1;
        long to = isLast ? rows : Math.min(dealing.start(rows, rank + 1), rows);
        Position position = positions.get(positions.size() == 1 ? 0 : rank);
        rest = rest.then(sequence.slice(from, to).from(position));
      }
      return rest;
    }
  }

  /// Returns where a rank's share starts.
  private long start(long rows, int rank) {
    return switch (end) {
      case EXACT -> rows / world * rank + Math.min(rows % world, rank);
      case PAD -> most(rows) * rank;
      case DROP -> rows / world * rank;
    };
  }

  /// Returns how many rows the rank has that has most.
  ///
  /// @param rows the rows of the sequence
  /// @return rows of a rank
  public long most(long rows) {
    return end == RankEnd.DROP ? rows / world : Math.ceilDiv(rows, world);
  }

  /// Returns how many rows the rank has that has least.
  ///
  /// @param rows the rows of the sequence
  /// @return rows of a rank
  public long least(long rows) {
    return end == RankEnd.PAD ? Math.ceilDiv(rows, world) : rows / world;
  }

  /// Returns a rank's share.
  ///
  /// @param sequence the rows of all ranks
  /// @param rank the rank, in `[0, world)`
  /// @return its rows
  public Sequence share(Sequence sequence, int rank) {
    long rows = sequence.rows();
    long start = start(rows, rank);
    if (end != RankEnd.PAD) {
      return sequence.slice(
          start, end == RankEnd.DROP ? start + most(rows) : start(rows, rank + 1));
    }
    Sequence share = sequence.slice(0, 0);
    long left = rows == 0 ? 0 : most(rows);
    while (left > 0) {
      long from = start % rows;
      long taken = Math.min(left, rows - from);
      share = share.then(sequence.slice(from, from + taken));
      start += taken;
      left -= taken;
    }
    return share;
  }
}
