package dev.penstock.filter;

import java.util.stream.IntStream;

/// Patterns of SQL's `like`.
final class LikePattern {
  private LikePattern() {}

  /// Returns a pattern without its escapes, as [Filter.Like#parts()] has it.
  static int[] parts(String pattern, String escape) {
    int[] points = pattern.codePoints().toArray();
    int escaping = escape.isEmpty() ? -1 : escape.codePointAt(0);
    int[] parts = new int[points.length];
    int count = 0;
    for (int i = 0; i < points.length; i++) {
      int point = points[i];
      if (point == escaping) {
        i++;
        boolean escaped =
            i < points.length && (points[i] == '%' || points[i] == '_' || points[i] == escaping);
        if (!escaped) {
          throw new IllegalArgumentException(
              "Cannot use the pattern "
                  + new Literal.Text(pattern)
                  + (": the escape '" + escape + "' at character " + i + " is before ")
                  + (i < points.length ? "'" + Character.toString(points[i]) + "'" : "its end")
                  + (" but expected '%', '_' or '" + escape + "' behind it."));
        }
        parts[count++] = points[i];
      } else {
        parts[count++] =
            switch (point) {
              case '%' -> Filter.Like.ANY_TEXT;
              case '_' -> Filter.Like.ANY_CHARACTER;
              default -> point;
            };
      }
    }
    return IntStream.of(parts).limit(count).toArray();
  }

  /// Returns the text before the first wildcard.
  static String prefix(int[] parts) {
    int length = 0;
    while (length < parts.length && parts[length] >= 0) {
      length++;
    }
    return new String(parts, 0, length);
  }

  static Filter simplified(Filter.Like like) {
    int[] parts = like.parts();
    String text = prefix(parts);
    int[] rest = IntStream.of(parts).skip(text.codePointCount(0, text.length())).toArray();
    if (rest.length == 0) {
      return new Filter.Comparison(like.column(), Operator.EQ, new Literal.Text(text));
    }
    boolean anyEnd = IntStream.of(rest).allMatch(part -> part == Filter.Like.ANY_TEXT);
    return anyEnd ? new Filter.StartsWith(like.column(), text) : like;
  }
}
