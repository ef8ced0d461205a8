package dev.penstock.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Cuts the text of a [Filter] into words, names, values and symbols.
record FilterLexer(String text) {
  /// A date and time, and how far it is ahead of UTC.
  static final Pattern ZONED = Pattern.compile("(.*T.*?)(Z|[+-][0-9]{2}(?::?[0-9]{2})?)");

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]{1,10})?");

  private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"]|\"\")*\"");

  enum Kind {
    WORD,
    QUOTED,
    TEXT,
    NUMBER,
    SYMBOL,
    END
  }

  /// A piece of the text.
  record Token(Kind kind, String text, int place) {
    /// Returns whether it is a word, in any case, or a symbol.
    boolean is(String wordOrSymbol) {
      return (kind == Kind.WORD || kind == Kind.SYMBOL) && text.equalsIgnoreCase(wordOrSymbol);
    }
  }

  /// Returns the error of a text that cannot be read; what is written as elsewhere is shown as
  /// filters have it.
  IllegalArgumentException wrong(int place, String found, String expected) {
    OtherSpellings.Spelling other = OtherSpellings.at(text, place);
    return other == null
        ? error(found, place, expected)
        : error("it has '" + other.found() + "'", other.place(), other.ours());
  }

  private IllegalArgumentException error(String found, int place, String expected) {
    return new IllegalArgumentException(
        "Cannot read the filter: "
            + (found + " at character " + (place + 1) + " but expected " + expected)
            + (". [\"" + text + "\"]"));
  }

  /// Returns the pieces, the last of which is the end.
  List<Token> tokens() {
    List<Token> found = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
        continue;
      }
      int end =
          switch (c) {
            case '\'' -> quoteEnd(at, c);
            case '"' -> nameEnd(at);
            case '<', '>', '=', '!' -> at + (isOperatorTail(at + 1) ? 2 : 1);
            case '(', ')', ',' -> at + 1;
            default -> isNumberStart(at) ? numberEnd(at) : c == '-' ? at + 1 : nameEnd(at);
          };
      found.add(token(c, at, end));
      at = end;
    }
    found.add(new Token(Kind.END, "", text.length()));
    return found;
  }

  private Token token(char first, int at, int end) {
    String piece = text.substring(at, end);
    if (first == '\'') {
      return new Token(Kind.TEXT, unquoted(piece), at);
    }
    if (isNumberStart(at)) {
      return new Token(Kind.NUMBER, piece, at);
    }
    if (piece.indexOf('"') >= 0) {
      return new Token(Kind.QUOTED, name(piece), at);
    }
    return new Token(FilterText.isWordStart(first) ? Kind.WORD : Kind.SYMBOL, piece, at);
  }

  /// Returns a column's name without the quotes around its parts.
  private static String name(String piece) {
    return QUOTED
        .matcher(piece)
        .replaceAll(part -> Matcher.quoteReplacement(unquoted(part.group())));
  }

  private static String unquoted(String piece) {
    String quote = piece.substring(0, 1);
    return piece.substring(1, piece.length() - 1).replace(quote + quote, quote);
  }

  private int quoteEnd(int start, char quote) {
    int at = text.indexOf(quote, start + 1);
    while (at >= 0 && at + 1 < text.length() && text.charAt(at + 1) == quote) {
      at = text.indexOf(quote, at + 2); // It was doubled.
    }
    if (at < 0) {
      throw error("a quote opens", start, "one that closes it; a quote within is written twice");
    }
    return at + 1;
  }

  private boolean isOperatorTail(int at) {
    if (at >= text.length()) {
      return false;
    }
    char first = text.charAt(at - 1);
    char second = text.charAt(at);
    return second == '=' || (first == '<' && second == '>');
  }

  private boolean isNumberStart(int start) {
    int at = start;
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
    }
    return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private int numberEnd(int start) {
    Matcher number = NUMBER.matcher(text).region(start, text.length());
    if (!number.lookingAt()) {
      throw error("there is no number", start, "one");
    }
    int end = number.end();
    if (end < text.length() && FilterText.isWordPart(text.charAt(end))) {
      throw error("a number runs into '" + text.charAt(end) + "'", end, "a space or an operator");
    }
    return end;
  }

  /// Returns the end of a name: words or quoted parts, separated by dots.
  private int nameEnd(int start) {
    char first = text.charAt(start);
    if (first != '"' && !FilterText.isWordStart(first)) {
      throw wrong(start, "it has '" + first + "'", "a column, a value or an operator");
    }
    int at = start;
    while (true) {
      boolean quoted = text.charAt(at) == '"';
      at = quoted ? quoteEnd(at, '"') : wordEnd(at);
      boolean dot =
          quoted ? at < text.length() && text.charAt(at) == '.' : text.charAt(at - 1) == '.';
      int part = quoted ? at + 1 : at;
      if (!dot || (!quoted && (part == text.length() || text.charAt(part) != '"'))) {
        return at;
      }
      if (part == text.length()
          || (text.charAt(part) != '"' && !FilterText.isWordPart(text.charAt(part)))) {
        throw error("a path ends", part, "a name behind the dot");
      }
      at = part;
    }
  }

  private int wordEnd(int start) {
    int at = start;
    while (at < text.length() && FilterText.isWordPart(text.charAt(at))) {
      at++;
    }
    return at;
  }
}
