package dev.penstock.iceberg.internal.files;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Where the files of a moved table are now: of the prefixes that a name starts with, the longest
/// is replaced.
///
/// The names of files are as they are in a store, where `%` is a character like any other; Iceberg
/// writes it into the names of partitions. In a URL of HTTP it is the start of an escaped
/// character. So what is put behind such a URL is escaped.
///
/// @param moves prefixes as the table's metadata has them and what stands for them, longest first
public record LocationMap(List<Move> moves) {
  /// The properties of a FileIO that say it, followed by a number.
  private static final String PROPERTY = "penstock.map-location.";

  /// A prefix and what stands for it.
  public record Move(String from, String to) {}

  /// Sorts the moves.
  public LocationMap {
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
  public void writeTo(Map<String, String> properties) {
    for (int i = 0; i < moves.size(); i++) {
      properties.put(PROPERTY + i, moves.get(i).from() + "\n" + moves.get(i).to());
    }
  }

  String apply(String path) {
    for (Move move : moves) {
      if (path.startsWith(move.from())) {
        String rest = path.substring(move.from().length());
        return move.to() + (isUrl(move.to()) && !isUrl(move.from()) ? escaped(rest) : rest);
      }
    }
    return path;
  }

  private static boolean isUrl(String prefix) {
    return prefix.regionMatches(true, 0, "http://", 0, 7)
        || prefix.regionMatches(true, 0, "https://", 0, 8);
  }

  /// Escapes all but what stands for itself in the path of a URL.
  private static String escaped(String path) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "/-._~!$&'()*+,;=:@".indexOf(c) >= 0;
      if (plain) {
        escaped.append(c);
      } else {
        escaped.append(String.format("%%%02X", (int) c));
      }
    }
    return escaped.toString();
  }
}
