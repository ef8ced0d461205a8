package dev.penstock.storage;

import java.util.HexFormat;

/// Text of others for people: names of files and columns, values of partitions, messages of stores.
///
/// A name may hold a line end, which makes one line of a log two, or an escape sequence, which a
/// terminal obeys. So errors, logs and tables show such characters escaped. Data keeps them:
/// [Location#text()], names of columns, JSON.
public final class Printable {
  private Printable() {}

  /// {@return a text in one line, with each character that is not for show as its number, such as
  /// `\u001b`: control characters, line ends, and marks that turn the direction of the text behind
  /// them; the text itself if nothing in it has to be escaped}
  ///
  /// @param text any text
  public static String of(String text) {
    int first = 0;
    while (first < text.length() && !isHidden(text.charAt(first))) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder printable = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isHidden(c)) {
        printable.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        printable.append(c);
      }
    }
    return printable.toString();
  }

  private static boolean isHidden(char c) {
    return Character.isISOControl(c)
        || (c >= '\u2028' && c <= '\u202e') // ends of lines and paragraphs, directions
        || (c >= '\u2066' && c <= '\u2069'); // directions
  }
}
