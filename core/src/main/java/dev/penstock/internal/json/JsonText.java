package dev.penstock.internal.json;

import dev.penstock.internal.text.Words;

/// A place in JSON that moves on, token by token, by address.
///
/// The text is proven, and a byte 0 stands behind its end: no token contains one, so that no loop
/// goes on behind the end.
final class JsonText {
  /// Deeper values are refused.
  static final int DEPTH_MAX = 64;

  private static final long QUOTES = Words.of((byte) '"');
  private static final long ESCAPES = Words.of((byte) '\\');

  private static final long COMMAS = Words.of((byte) ',');
  private static final long COLONS = Words.of((byte) ':');
  private static final long BRACES = Words.of((byte) '}');
  private static final long LOWER = Words.of((byte) ('}' ^ ']'));
  private static final long OPENED = Words.of((byte) '{');

  /// White space and quotes are below; so is `!`, which no JSON has there.
  private static final long MARKS = Words.of((byte) ('"' + 1));

  private static final long TRUE = letters("true");
  private static final long FALSE = letters("false");
  private static final long NULL = letters("null");

  /// Text that is no JSON, or not what is expected.
  static final class MalformedJsonException extends Exception {
    private static final long serialVersionUID = 1;

    private final long address;

    MalformedJsonException(String message, long address) {
      super(message);
      this.address = address;
    }

    /// Returns where in the text it is.
    long address() {
      return address;
    }
  }

  /// Whether a line break ends the text: in lines of JSON.
  private final boolean lines;

  /// The next byte.
  long at;

  /// The token that was read last, without quotes.
  long from;

  long to;

  /// Whether the string that was read last has escapes.
  boolean escaped;

  JsonText(boolean lines) {
    this.lines = lines;
  }

  /// Goes to the next byte that is no white space, and returns it.
  byte peek() {
    while (true) {
      byte b = Words.load(at);
      if (b > ' ' || b < 0) {
        return b;
      }
      if (b != ' ' && b != '\t' && (lines || (b != '\n' && b != '\r'))) {
        return b;
      }
      at++;
    }
  }

  /// Takes one byte.
  void expect(char wanted) throws MalformedJsonException {
    if (peek() != wanted) {
      throw unexpected("'" + wanted + "'");
    }
    at++;
  }

  MalformedJsonException unexpected(String expected) {
    byte b = Words.load(at);
    String found =
        b == 0 || b == '\n' || b == '\r'
            ? "the end of the text"
            : b < ' ' ? "byte " + (b & 0xff) : "'" + (char) b + "'";
    return new MalformedJsonException("there is " + found + " but expected " + expected, at);
  }

  /// Reads a string.
  void string() throws MalformedJsonException {
    if (peek() != '"') {
      throw unexpected("a string");
    }
    from = ++at;
    escaped = false;
    while (true) {
      long word = Words.word(at);
      // Bytes below a blank, the lowest exactly: others may be found behind it only.
      long controls = (word - 0x2020202020202020L) & ~word & 0x8080808080808080L;
      long found = Words.match(word, QUOTES) | Words.match(word, ESCAPES) | controls;
      if (found == 0) {
        at += 8;
        continue;
      }
      at += Words.place(found);
      byte b = Words.load(at);
      if (b == '"') {
        to = at++;
        return;
      }
      if (b != '\\') {
        throw unexpected("a '\"' that ends the string");
      }
      escaped = true;
      at++;
      if (Words.load(at) < ' ' && Words.load(at) >= 0) {
        throw unexpected("a character behind '\\'");
      }
      at++;
    }
  }

  /// Reads a number, `true`, `false` or `null`: all up to white space or what separates values.
  void word() throws MalformedJsonException {
    byte first = peek();
    from = at;
    if (first != '-' && (first < '0' || first > '9') && (first < 'a' || first > 'z')) {
      throw unexpected("a value");
    }
    long ends;
    while ((ends = ends(Words.word(at))) == 0) {
      at += 8;
    }
    at += Words.place(ends);
    to = at;
    if (first >= 'a' && !isLiteral()) {
      at = from;
      throw unexpected("a value");
    }
  }

  /// Finds what no word contains: white space, quotes, `,`, `:`, brackets, braces and all outside
  /// ASCII. With any of them in a word, records would end elsewhere than where they were counted.
  private static long ends(long word) {
    return Words.below(word, MARKS)
        | Words.match(word, COMMAS)
        | Words.match(word, COLONS)
        | Words.match(word | LOWER, BRACES) // of ']' and '}' all bits but this one are equal
        | Words.match(word | LOWER, OPENED) // of '[' and '{', too
        | Words.high(word);
  }

  /// Returns whether the token that was read last is `true`, `false` or `null`.
  private boolean isLiteral() {
    long letters = Words.first(Words.word(from), to - from);
    return letters == TRUE || letters == FALSE || letters == NULL;
  }

  private static long letters(String word) {
    long letters = 0;
    for (int i = 0; i < word.length(); i++) {
      letters |= (long) word.charAt(i) << (8 * i);
    }
    return letters;
  }

  /// Goes over a value of any kind, and makes it the last token.
  void skip(int depth) throws MalformedJsonException {
    byte b = peek();
    long start = at;
    if (b == '"') {
      string();
      return;
    }
    if (b != '{' && b != '[') {
      word();
      return;
    }
    requireDepth(depth);
    boolean object = b == '{';
    char end = object ? '}' : ']';
    at++;
    if (peek() != end) {
      while (true) {
        if (object) {
          string();
          expect(':');
        }
        skip(depth + 1);
        if (peek() != ',') {
          break;
        }
        at++;
      }
    }
    if (peek() != end) {
      throw unexpected("',' or '" + end + "'");
    }
    at++;
    from = start;
    to = at;
  }

  void requireDepth(int depth) throws MalformedJsonException {
    if (depth >= DEPTH_MAX) {
      throw new MalformedJsonException("values are nested deeper than " + DEPTH_MAX, at);
    }
  }
}
