package dev.penstock.iceberg;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Where the files of a moved table are now: of the prefixes that a name starts with, the longest
/// is replaced.
///
/// @param moves prefixes as the table's metadata has them and what stands for them, longest first
record LocationMap(List<Move> moves) {
  /// The properties of a FileIO that say it, followed by a number.
  private static final String PROPERTY = "penstock.map-location.";

  /// A prefix and what stands for it.
  record Move(String from, String to) {}

  /// Sorts the moves.
  LocationMap {
    List<Move> sorted = new ArrayList<>(moves);
    sorted.sort(Comparator.comparingInt((Move move) -> move.from().length()).reversed());
    moves = List.copyOf(sorted);
  }

  static LocationMap of(Map<String, String> properties) {
    List<Move> moves = new ArrayList<>();
    for (int i = 0; properties.containsKey(PROPERTY + i); i++) {
      String[] move = properties.getOrDefault(PROPERTY + i, "").split("\n", 2);
      moves.add(new Move(move[0], move[1]));
    }
    return new LocationMap(moves);
  }

  /// Adds the properties that [#of] reads.
  void writeTo(Map<String, String> properties) {
    for (int i = 0; i < moves.size(); i++) {
      properties.put(PROPERTY + i, moves.get(i).from() + "\n" + moves.get(i).to());
    }
  }

  String apply(String path) {
    for (Move move : moves) {
      if (path.startsWith(move.from())) {
        return move.to() + path.substring(move.from().length());
      }
    }
    return path;
  }
}
