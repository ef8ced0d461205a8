package dev.penstock.internal.plan;

import java.util.ArrayList;
import java.util.List;

/// Where the places of a composed window are in the shares of ranks.
///
/// @param stretches in the order of places; several where the window is cut between ranks
public record BatchSteps(List<Stretch> stretches) {
  /// Places that one rank has.
  ///
  /// @param rank which; the number of ranks for places that none has
  /// @param first the first place of the window
  /// @param place where that is in the rank's share
  public record Stretch(int first, int rank, long place) {}

  public BatchSteps {
    stretches = List.copyOf(stretches);
  }

  /// Returns where places `[from, to)` of a sequence of `rows` places are.
  static BatchSteps of(Dealing dealing, long rows, long from, long to) {
    List<Stretch> stretches = new ArrayList<>();
    for (long place = from; place < to; ) {
      int rank = dealing.firstRankOf(rows, place);
      long start = dealing.start(rows, rank);
      stretches.add(new Stretch((int) (place - from), rank, place - start));
      place = rank == dealing.world() ? to : dealing.start(rows, rank + 1);
    }
    return new BatchSteps(stretches);
  }
}
