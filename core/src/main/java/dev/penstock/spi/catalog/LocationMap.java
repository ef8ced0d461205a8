package dev.penstock.spi.catalog;

import dev.penstock.storage.Location;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where the files of a moved table are now: the longest matching prefix of a name is replaced. A
/// prefix that is mapped to itself only says that the user knows of it, see [TableLocations].
///
/// In a store's file names `%` is an ordinary character, which table formats use in partition
/// names. In an HTTP URL it starts an escaped character. So names appended to such a URL are
/// escaped.
///
/// @param moves prefixes in the table's metadata and their replacements, longest first
public record LocationMap(List<Move> moves) {
  /// No prefix.
  public static final LocationMap NONE = new LocationMap(List.of());

  private static final Pattern ANYWHERE = Pattern.compile("(?i)(?:file:(?://)?)?");

  /// A prefix and its replacement.
  ///
  /// @param from the prefix in the table's metadata
  /// @param to what is read instead
  public record Move(String from, String to) {
    /// Returns where a file is.
    ///
    /// @param path its name in the metadata, which starts with the prefix
    String apply(String path) {
      String rest = rest(path);
      return to + (isUrl(to) && !isUrl(from) ? escaped(rest) : rest);
    }

    /// Returns whether any local file is below the replacement.
    boolean isAnywhere() {
      return ANYWHERE.matcher(to).matches();
    }

    /// Returns what follows the prefix.
    String rest(String path) {
      return path.substring(from.length());
    }
  }

  /// Sorts the moves.
  ///
  /// @param moves in any order
  public LocationMap {
    List<Move> sorted = new ArrayList<>(moves);
    sorted.sort(Comparator.comparingInt((Move move) -> move.from().length()).reversed());
    moves = List.copyOf(sorted);
  }

  /// {@return a map with another move}
  ///
  /// @param from a prefix, whose earlier replacement is forgotten
  /// @param to its replacement
  /// @throws IllegalArgumentException if `from` is empty or `to` contains a secret
  public LocationMap with(String from, String to) {
    if (from.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot map locations: the prefix is empty. Name what the table's locations start with.");
    }
    Move added = new Move(from, to);
    if (!added.isAnywhere()) {
      new Location(to); // checks it
    }
    List<Move> changed = new ArrayList<>(moves);
    changed.removeIf(move -> move.from().equals(from));
    changed.add(added);
    return new LocationMap(changed);
  }

  /// Returns the move that a file's name calls for.
  Optional<Move> of(String path) {
    return moves.stream().filter(move -> path.startsWith(move.from())).findFirst();
  }

  /// {@return where a file is: its name with its prefix replaced, or as it is}
  ///
  /// @param path its name in the metadata
  public String apply(String path) {
    return of(path).map(move -> move.apply(path)).orElse(path);
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
        escaped.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return escaped.toString();
  }
}
