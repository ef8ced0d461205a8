package dev.penstock.cli.output;

import org.jline.utils.AttributedString;

/// The width of text on a terminal: a Chinese character takes two columns, as does an emoji of
/// several code points, and an accent takes none.
final class TextWidth {
  private TextWidth() {}

  /// Returns how many columns a text takes.
  static int of(String text) {
    return isAscii(text) ? text.length() : new AttributedString(text).columnLength();
  }

  /// Returns the start of a text that fits into `columns`, at least one letter. It ends after a
  /// blank or a comma if one is near.
  static String start(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    String start = cut(text, columns);
    if (start.isEmpty()) {
      return text.substring(0, text.offsetByCodePoints(0, 1));
    }
    int word = Math.max(start.lastIndexOf(' '), start.lastIndexOf(',')) + 1;
    return word > start.length() / 2 ? start.substring(0, word) : start;
  }

  /// Returns a text, or its start and an ellipsis if it is wider than `columns`.
  static String shortened(String text, int columns) {
    return of(text) <= columns ? text : cut(text, columns - 1) + "…";
  }

  private static String cut(String text, int columns) {
    return isAscii(text)
        ? text.substring(0, columns)
        : new AttributedString(text).columnSubSequence(0, columns).toString();
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c <= '~');
  }
}
