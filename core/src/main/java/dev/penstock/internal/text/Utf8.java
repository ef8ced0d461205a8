package dev.penstock.internal.text;

final class Utf8 {
  private Utf8() {}

  /// Returns whether bytes are valid UTF-8: complete characters, without overlong encodings and
  /// surrogates.
  static boolean isValid(long from, long to) {
    long at = from;
    while (at < to) {
      int first = Swar.load(at);
      if (first >= 0) {
        at++;
        continue;
      }
      int more = first >= (byte) 0xf0 ? 3 : first >= (byte) 0xe0 ? 2 : 1;
      if (first < (byte) 0xc2 || first > (byte) 0xf4 || to - at <= more) {
        return false;
      }
      int code = first & (0x3f >> more);
      for (int i = 1; i <= more; i++) {
        int next = Swar.load(at + i);
        if ((next & 0xc0) != 0x80) {
          return false;
        }
        code = (code << 6) | (next & 0x3f);
      }
      boolean tooLong = code < (more == 3 ? 0x10000 : more == 2 ? 0x800 : 0x80);
      if (tooLong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
        return false;
      }
      at += more + 1;
    }
    return true;
  }
}
