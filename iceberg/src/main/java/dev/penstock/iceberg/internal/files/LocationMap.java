package dev.penstock.iceberg.internal.files;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Where the files of a moved table are now: the longest matching prefix of a name is replaced.
///
/// In a store's file names `%` is an ordinary character, which Iceberg uses in partition names. In
/// an HTTP URL it starts an escaped character. So names appended to such a URL are escaped.
///
/// @param moves prefixes in the table's metadata and their replacements, longest first
public record LocationMap(List<Move> moves) {
  /// The names of the FileIO properties, each followed by a number.
  private static final String PROPERTY = "penstock.map-location.";

  /// A prefix and its replacement.
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

  /// Escapes all characters that are not literal in the path of a URL.
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
