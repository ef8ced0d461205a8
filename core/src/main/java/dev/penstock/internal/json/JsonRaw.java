package dev.penstock.internal.json;

import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.text.Swar;
import dev.penstock.internal.text.TextColumn;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/// Scans objects and arrays that are kept as text, and checks them as strictly as those that are
/// decoded: escapes, and that no object has a name twice.
final class JsonRaw {
  private static final int FEW = 8; // with fewer names, each is compared with each
  private static final long FACTOR = 0x9e3779b97f4a7c15L; // odd, so that no bit is lost

  private final JsonStrings strings;

  /*
   * A hash of each name of the open objects, the innermost last. Only if two hashes are equal is
   * the object scanned again and names compared as text.
   */
  private long[] hashes = new long[16];
  private int used;

  JsonRaw(JsonStrings strings) {
    this.strings = strings;
  }

  /// Scans an object or array, and makes it the last token.
  void read(JsonText text, int depth) throws MalformedJsonException {
    used = 0;
    value(text, depth);
  }

  private void value(JsonText text, int depth) throws MalformedJsonException {
    switch (text.peek()) {
      case '{' -> nested(text, depth, '}');
      case '[' -> nested(text, depth, ']');
      case '"' -> string(text);
      default -> text.word();
    }
  }

  private void nested(JsonText text, int depth, char end) throws MalformedJsonException {
    text.requireDepth(depth);
    long start = text.at;
    int names = used;
    char open = end == '}' ? '{' : '[';
    for (boolean more = text.opens(open, end); more; more = text.goesOn(end)) {
      if (end == '}') {
        string(text);
        addName();
        text.expect(':');
      }
      value(text, depth + 1);
    }
    if (hasEqual(names)) {
      text.at = start;
      requireNamesOnce(text, depth);
    }
    used = names;
    text.from = start;
    text.to = text.at;
  }

  private void string(JsonText text) throws MalformedJsonException {
    text.string();
    strings.take(text);
  }

  private void addName() {
    long to = strings.to;
    long hash = to - strings.from;
    for (long at = strings.from; at < to; at += 8) {
      hash = (hash ^ Swar.first(Swar.word(at), to - at)) * FACTOR;
    }
    if (used == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * used);
    }
    hashes[used++] = hash;
  }

  private boolean hasEqual(int first) {
    if (used - first > FEW) {
      Arrays.sort(hashes, first, used);
      for (int i = first + 1; i < used; i++) {
        if (hashes[i] == hashes[i - 1]) {
          return true;
        }
      }
      return false;
    }
    for (int i = first + 1; i < used; i++) {
      for (int j = first; j < i; j++) {
        if (hashes[i] == hashes[j]) {
          return true;
        }
      }
    }
    return false;
  }

  /// Scans an object that is known to be well-formed, and compares its names as text.
  private void requireNamesOnce(JsonText text, int depth) throws MalformedJsonException {
    Set<String> seen = new HashSet<>();
    do {
      text.at++;
      string(text);
      String name = TextColumn.text(strings.from, strings.to);
      if (!seen.add(name)) {
        throw new MalformedJsonException("field '" + name + "' is there twice", text.from);
      }
      text.expect(':');
      text.skip(depth + 1);
    } while (text.peek() == ',');
    text.at++;
  }
}
