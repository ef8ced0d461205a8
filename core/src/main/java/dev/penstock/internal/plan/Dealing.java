package dev.penstock.internal.plan;

import dev.penstock.split.RankEnd;
import dev.penstock.steps.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
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
  /// @param batches how many steps the epoch had had then; empty if an earlier version noted it
  /// @param skips the steps that were not to be delivered, also those that it did not come to,
  ///   whose rows do not belong to the rest
  /// @param batchPlaces how many places a batch had; 0 where it came to all steps to skip
  public record Leg(
      Dealing dealing,
      List<Position> positions,
      OptionalLong batches,
      List<Steps> skips,
      int batchPlaces) {
    public Leg {
      positions = List.copyOf(positions);
      skips = SkippedSteps.joined(skips);
      if (positions.size() != 1 && positions.size() != dealing.world()) {
        throw new IllegalArgumentException(
            positions.size() + " positions of " + dealing.world() + " ranks");
      }
      if (batchPlaces == 0 && SkippedSteps.isAhead(skips, batches.orElse(Long.MAX_VALUE))) {
        throw new IllegalArgumentException("steps to skip of batches of unknown size");
      }
    }

    public Leg(Dealing dealing, List<Position> positions) {
      this(dealing, positions, OptionalLong.empty(), List.of(), 0);
    }

    /// Returns whether there are steps to skip that it did not come to.
    public boolean isSkipAhead() {
      return SkippedSteps.isAhead(skips, batches.orElse(Long.MAX_VALUE));
    }

    /// Returns the same in a normal form, for comparing: with a single position if all ranks
    /// stopped at the same.
    public Leg reduced() {
      boolean isOne = positions.stream().distinct().count() == 1;
      return isOne
          ? new Leg(dealing, List.of(positions.getFirst()), batches, skips, batchPlaces)
          : this;
    }

    /// Returns where the ranks stopped, for messages, as `2 ranks after rows [10, 12]`.
    public String text() {
      return dealing.text() + " after rows " + positions.stream().map(Position::rows).toList();
    }

    /// Returns the rows that the ranks have left, one rank after another, without those of steps to
    /// skip.
    ///
    /// @param sequence the rows that were dealt to them, counted as they were then
    /// @param order the order of each rank's share
    /// @param blockRows the rows of a transform's block, see
    ///   [dev.penstock.internal.table.TableFile#blockEnd]
    public Sequence rest(Sequence sequence, UnaryOperator<Sequence> order, int blockRows) {
      List<Sequence> rests = new ArrayList<>();
      for (int rank = 0; rank < dealing.world(); rank++) {
        Position position = positions.get(positions.size() == 1 ? 0 : rank);
        rests.addAll(kept(order.apply(dealing.share(sequence, rank)).from(position, blockRows)));
      }
      if (dealing.end() == RankEnd.DROP) { // rows that were left out belong to the rest
        long dealt = dealing.most(sequence.rows()) * dealing.world();
        rests.add(order.apply(sequence.slice(dealt, sequence.rows())));
      }
      return sequence.slice(0, 0).then(rests);
    }

    /// Cuts the steps to skip out of what is left of a rank's share.
    private List<Sequence> kept(Sequence rest) {
      if (!isSkipAhead()) {
        return List.of(rest);
      }
      long next = batches.orElseThrow();
      List<Sequence> kept = new ArrayList<>();
      long from = 0;
      for (Steps each : SkippedSteps.from(skips, next)) {
        kept.add(rest.slice(from, place(each.from() - next, rest)));
        from = place(each.to() - next, rest);
      }
      kept.add(rest.slice(from, rest.rows()));
      return kept;
    }

    private long place(long steps, Sequence rest) {
      return steps > rest.rows() / batchPlaces ? rest.rows() : steps * batchPlaces;
    }
  }

  /// Returns the ranks and how rows are dealt to them, for messages, as `2 ranks`.
  public String text() {
    return world
        + (world == 1 ? " rank" : " ranks")
        + (end == RankEnd.EXACT ? "" : " (" + end + ")")
        + (byMatches ? " that counted their matches" : "");
  }

  /// Returns which ranks have a row of a sequence of `rows` rows: with [RankEnd#PAD] maybe several,
  /// with [RankEnd#DROP] maybe none.
  public List<Integer> ranksOf(long rows, long row) {
    List<Integer> ranks = new ArrayList<>();
    long each = rows / world;
    switch (end) {
      case EXACT -> {
        long more = rows % world * (each + 1); // the rows of ranks that have one more
        ranks.add((int) (row < more ? row / (each + 1) : rows % world + (row - more) / each));
      }
      case DROP -> {
        if (row < each * world) {
          ranks.add((int) (row / each));
        }
      }
      case PAD -> {
        long most = most(rows);
        for (long padded = row; padded < most * world; padded += rows) {
          ranks.add((int) (padded / most));
        }
      }
    }
    return ranks;
  }

  /// Returns the first rank that has a row of a sequence of `rows` rows; [#world] if none has it.
  int firstRankOf(long rows, long row) {
    long most = most(rows);
    return switch (end) {
      case EXACT -> ranksOf(rows, row).getFirst();
      case PAD -> (int) (row / most);
      case DROP -> most == 0 ? world : (int) Math.min(world, row / most);
    };
  }

  /// Returns the row with which the share of a rank begins; for [#world], the row behind all.
  long start(long rows, int rank) {
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
