package dev.penstock.internal.text;

final class BoolText {
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};

  private BoolText() {}

  /// Returns 1 for `true` and 0 for `false`, in any case, and -1 for any other text.
  static int word(long from, long to) {
    return equals(from, to, TRUE) ? 1 : equals(from, to, FALSE) ? 0 : -1;
  }

  /// Returns the same as [#word], but also 1 and 0 for the digits `1` and `0`.
  static int value(long from, long to) {
    if (to - from == 1) {
      int digit = Swar.load(from) - '0';
      return digit == 0 || digit == 1 ? digit : -1;
    }
    return word(from, to);
  }

  private static boolean equals(long from, long to, byte[] lower) {
    if (to - from != lower.length) {
      return false;
    }
    for (int i = 0; i < lower.length; i++) {
      if ((Swar.load(from + i) | 0x20) != lower[i]) {
        return false;
      }
    }
    return true;
  }
}
