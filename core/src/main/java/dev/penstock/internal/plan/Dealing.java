package dev.penstock.internal.plan;

import dev.penstock.split.RankEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// How a sequence is dealt to the ranks of a world: each gets consecutive rows, and their numbers
/// differ by at most one.
///
/// @param world how many ranks there are, at least 1
/// @param end how rows that do not divide evenly are dealt
/// @param byMatches whether rows are counted by actual matches of the filter, or by what a
///   composition makes of them; else by possible matches
public record Dealing(int world, RankEnd end, boolean byMatches) {
  /// Where the ranks of a world stopped.
  ///
  /// @param positions where each stopped in its share; a single position if all stopped at the same
  public record Leg(Dealing dealing, List<Position> positions) {
    public Leg {
      positions = List.copyOf(positions);
      if (positions.size() != 1 && positions.size() != dealing.world()) {
        throw new IllegalArgumentException(
            positions.size() + " positions of " + dealing.world() + " ranks");
      }
    }

    /// Returns the same in a normal form, for comparing: with a single position if all ranks
    /// stopped at the same.
    public Leg reduced() {
      boolean isOne = positions.stream().distinct().count() == 1;
      return isOne ? new Leg(dealing, List.of(positions.getFirst())) : this;
    }

    /// Returns where the ranks stopped, for messages, as `2 ranks after rows [10, 12]`.
    public String text() {
      return dealing.text() + " after rows " + positions.stream().map(Position::rows).toList();
    }

    /// Returns the rows that the ranks have left, one rank after another.
    ///
    /// @param sequence the rows that were dealt to them, counted as they were then
    /// @param order the order of each rank's share
    /// @param blockRows the rows of a transform's block, see
    ///   [dev.penstock.internal.table.TableFile#blockEnd]
    public Sequence rest(Sequence sequence, UnaryOperator<Sequence> order, int blockRows) {
      List<Sequence> rests = new ArrayList<>();
      for (int rank = 0; rank < dealing.world(); rank++) {
        Position position = positions.get(positions.size() == 1 ? 0 : rank);
        rests.add(order.apply(dealing.share(sequence, rank)).from(position, blockRows));
      }
      if (dealing.end() == RankEnd.DROP) { // rows that were left out belong to the rest
        long dealt = dealing.most(sequence.rows()) * dealing.world();
        rests.add(order.apply(sequence.slice(dealt, sequence.rows())));
      }
      return sequence.slice(0, 0).then(rests);
    }
  }

  /// Returns the ranks and how rows are dealt to them, for messages, as `2 ranks`.
  public String text() {
    return world
        + (world == 1 ? " rank" : " ranks")
        + (end == RankEnd.EXACT ? "" : " (" + end + ")")
        + (byMatches ? " that counted their matches" : "");
  }

  private long start(long rows, int rank) {
    return switch (end) {
      case EXACT -> rows / world * rank + Math.min(rows % world, rank);
      case PAD -> most(rows) * rank;
      case DROP -> rows / world * rank;
    };
  }

  /// Returns the most rows that a rank gets of a sequence of `rows` rows.
  public long most(long rows) {
    return end == RankEnd.DROP ? rows / world : Math.ceilDiv(rows, world);
  }

  /// Returns the fewest rows that a rank gets of a sequence of `rows` rows.
  public long least(long rows) {
    return end == RankEnd.PAD ? Math.ceilDiv(rows, world) : rows / world;
  }

  /// Returns the share of a rank in `[0, world)`, of the rows of all ranks.
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
