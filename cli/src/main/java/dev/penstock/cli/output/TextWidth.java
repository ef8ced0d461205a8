package dev.penstock.cli.output;

import java.util.stream.Collectors;
import java.util.stream.Stream;
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
  /// blank, or else a comma or slash, if there is one.
  static String start(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    String start = cut(text, columns + 1);
    int word = start.lastIndexOf(' ');
    if (word < 0) {
      start = cut(text, columns);
      word = Math.max(start.lastIndexOf(','), start.lastIndexOf('/'));
    }
    if (word >= 0) {
      return start.substring(0, word + 1);
    }
    return start.isEmpty() ? text.substring(0, text.offsetByCodePoints(0, 1)) : start;
  }

  /// Returns the width of the widest part of a text that [#start] leaves whole.
  static int ofWidestWord(String text) {
    return Stream.of(text.split("(?<=[ ,/])", -1))
        .mapToInt(word -> of(word.stripTrailing()))
        .max()
        .orElse(0);
  }

  /// Breaks lines that are wider than `columns` between words. What follows the first part of an
  /// indented line is indented by two columns more. A word that is wider than `columns` stays
  /// whole.
  static String folded(String text, int columns) {
    return Stream.of(text.split("\n", -1))
        .map(line -> of(line) <= columns ? line : foldedLine(line, columns))
        .collect(Collectors.joining("\n"));
  }

  private static String foldedLine(String line, int columns) {
    int indent = line.length() - line.stripLeading().length();
    String further = " ".repeat(indent == 0 ? 0 : indent + 2);
    StringBuilder folded = new StringBuilder();
    String rest = line;
    while (of(rest) > columns) {
      int word = rest.length() - rest.stripLeading().length();
      int end = cut(rest, columns + 1).lastIndexOf(' ');
      end = end > word ? end : rest.indexOf(' ', word);
      if (end < 0) {
        break;
      }
      folded.append(rest.substring(0, end).stripTrailing()).append('\n');
      rest = further + rest.substring(end).stripLeading();
    }
    return folded.append(rest).toString();
  }

  /// Returns a text, or its start and an ellipsis if it is wider than `columns`.
  static String shortened(String text, int columns) {
    return of(text) <= columns ? text : cut(text, columns - 1) + "…";
  }

  /// Returns a text, or an ellipsis and its end if it is wider than `columns`.
  static String end(String text, int columns) {
    int from = of(text) - columns + 1;
    if (from <= 1) {
      return text;
    }
    return "…"
        + (isAscii(text)
            ? text.substring(from)
            : new AttributedString(text).columnSubSequence(from, of(text)).toString());
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
