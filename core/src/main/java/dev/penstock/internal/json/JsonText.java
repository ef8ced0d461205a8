package dev.penstock.internal.json;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.internal.text.Swar;

/// A position in JSON that moves token by token, by address.
///
/// The text is checked, and a byte 0 follows its end: no token contains one, so no loop runs past
/// the end.
final class JsonText {
  static final int DEPTH_MAX = 64; // deeper values are rejected
  private static final long QUOTES = Swar.of((byte) '"');
  private static final long ESCAPES = Swar.of((byte) '\\');

  private static final int TRUE = (int) letters("true");
  private static final int NULL = (int) letters("null");
  private static final long FALSE = letters("false");
  private static final long FIVE_BYTES = 0xff_ffff_ffffL;
  private static final int NAN = (int) letters("NAN");
  private static final int INFI = (int) letters("INFI");
  private static final int THREE_BYTES = 0xff_ffff;

  static final class MalformedJsonException extends AdvisedIOException {
    private static final long serialVersionUID = 1;

    final long address;

    MalformedJsonException(String message, long address) {
      this(Advice.text(message), address);
    }

    MalformedJsonException(Advice message, long address) {
      super(message, null);
      this.address = address;
    }
  }

  private final boolean lines; // whether a line break ends the text, as in JSON lines
  long at;
  long from; // the last token, without quotes
  long to;

  boolean escaped;

  JsonText(boolean lines) {
    this.lines = lines;
  }

  /// Moves to the next byte that is not white space, and returns it.
  byte peek() {
    while (true) {
      byte b = Swar.load(at);
      if (b > ' ' || b < 0) {
        return b;
      }
      if (b != ' ' && b != '\t' && (lines || (b != '\n' && b != '\r'))) {
        return b;
      }
      at++;
    }
  }

  void expect(char wanted) throws MalformedJsonException {
    if (peek() != wanted) {
      throw unexpected("'" + wanted + "'");
    }
    at++;
  }

  /// Enters an object or array; returns false, behind it, if it is empty.
  boolean opens(char open, char close) throws MalformedJsonException {
    expect(open);
    if (peek() != close) {
      return true;
    }
    at++;
    return false;
  }

  /// Moves on from a part of an object or array; returns false, behind it, if it has no more.
  boolean goesOn(char close) throws MalformedJsonException {
    byte b = peek();
    if (b != ',' && b != close) {
      throw unexpected("',' or '" + close + "'");
    }
    at++;
    return b == ',';
  }

  MalformedJsonException unexpected(String expected) {
    byte b = Swar.load(at);
    String found =
        b == 0 || b == '\n' || b == '\r'
            ? "the end of the text"
            : b < ' ' ? "byte " + (b & 0xff) : "'" + (char) b + "'";
    return new MalformedJsonException("there is " + found + " but expected " + expected, at);
  }

  void string() throws MalformedJsonException {
    if (peek() != '"') {
      throw unexpected("a string");
    }
    from = ++at;
    escaped = false;
    while (true) {
      long word = Swar.word(at);
      // Bytes below a blank. The first is exact: false positives only come after it.
      long controls = (word - 0x2020202020202020L) & ~word & 0x8080808080808080L;
      long found = Swar.match(word, QUOTES) | Swar.match(word, ESCAPES) | controls;
      if (found == 0) {
        at += 8;
        continue;
      }
      at += Swar.place(found);
      byte b = Swar.load(at);
      if (b == '"') {
        to = at++;
        return;
      }
      if (b != '\\') {
        throw unexpected("a '\"' that ends the string");
      }
      escaped = true;
      at++;
      if (Swar.load(at) < ' ' && Swar.load(at) >= 0) {
        throw unexpected("a character behind '\\'");
      }
      at++;
    }
  }

  /// Moves behind a field's name and its colon if they are next, in the usual spelling; else
  /// returns false.
  boolean takes(JsonName name) {
    byte first = peek();
    long end = first == '"' ? name.end(at) : 0;
    if (end == 0) {
      return false;
    }
    from = at + 1;
    to = end - 2;
    at = end;
    return true;
  }

  /// Reads a number, `true`, `false` or `null`, as in RFC 8259: rejects `01`, `1.` and `NaN`.
  ///
  /// The next read rejects what must not follow, such as the `a` of `12abc`.
  void word() throws MalformedJsonException {
    byte first = peek();
    from = at;
    if (first >= 'a') {
      literal();
    } else {
      number();
    }
    to = at;
  }

  private void literal() throws MalformedJsonException {
    long word = Swar.word(at);
    if ((int) word == TRUE || (int) word == NULL) {
      at += 4;
    } else if ((word & FIVE_BYTES) == FALSE) {
      at += 5;
    } else {
      throw unexpectedValue("a value");
    }
  }

  private void number() throws MalformedJsonException {
    long first = at;
    byte sign = Swar.load(first);
    first += sign == '-' ? 1 : 0;
    long end = afterDigits(first);
    if (end - first <= 1) {
      requireDigits(first, end, sign == '-' ? "a digit" : "a value");
    } else if (Swar.load(first) == '0') {
      at = first;
      throw unexpected("a number without zeros before it");
    }
    byte b = Swar.load(end);
    if (b == '.') {
      long fraction = end + 1;
      end = afterDigits(fraction);
      requireDigits(fraction, end, "a digit");
      b = Swar.load(end);
    }
    if (b == 'e' || b == 'E') {
      b = Swar.load(++end);
      long exponent = b == '-' || b == '+' ? end + 1 : end;
      end = afterDigits(exponent);
      requireDigits(exponent, end, "a digit");
    }
    at = end;
  }

  private static long afterDigits(long at) {
    long end = at;
    int digits;
    while ((digits = Swar.digits(Swar.word(end))) == 8) {
      end += 8;
    }
    return end + digits;
  }

  private void requireDigits(long first, long end, String expected) throws MalformedJsonException {
    if (end == first) {
      at = first;
      throw unexpectedValue(expected);
    }
  }

  private MalformedJsonException unexpectedValue(String expected) {
    int letters = (int) Swar.word(at) & ~0x20202020; // in upper case
    boolean isNotFinite = (letters & THREE_BYTES) == NAN || letters == INFI;
    return unexpected(isNotFinite ? "null, as JSON has no NaN and no Infinity" : expected);
  }

  /// Checks that a number, `true`, `false` or `null` ends where reading stopped. Call this before
  /// reporting another error.
  void requireEnd() throws MalformedJsonException {
    byte b = Swar.load(at);
    boolean ends = b >= 0 && b <= ' ';
    if (!ends && b != ',' && b != '}' && b != ']') {
      throw unexpected("the end of the value");
    }
  }

  private static long letters(String word) {
    long letters = 0;
    for (int i = 0; i < word.length(); i++) {
      letters |= (long) word.charAt(i) << (8 * i);
    }
    return letters;
  }

  /// Skips a value of any kind, and makes it the last token. Does not check escapes of strings and
  /// duplicate names; [JsonRaw] does.
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
    for (boolean more = opens((char) b, end); more; more = goesOn(end)) {
      if (object) {
        string();
        expect(':');
      }
      skip(depth + 1);
    }
    from = start;
    to = at;
  }

  void requireDepth(int depth) throws MalformedJsonException {
    if (depth >= DEPTH_MAX) {
      throw new MalformedJsonException("values are nested deeper than " + DEPTH_MAX, at);
    }
  }
}
