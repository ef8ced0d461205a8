package dev.penstock.internal.json;

import dev.penstock.internal.text.Swar;

/// The name of a field.
final class JsonName {
  private final byte[] name;

  /// The name between quotes and a colon, as most writers spell them; empty if it needs escapes.
  private final byte[] usual;

  /// The first bytes of the usual spelling, at most 8, and which bits of a word they take.
  private final long head;

  private final long mask;

  /// @param name in UTF-8
  JsonName(byte[] name) {
    this.name = name;
    boolean plain = true;
    for (byte b : name) {
      plain &= b != '"' && b != '\\' && (b < 0 || b >= ' ');
    }
    this.usual = new byte[plain ? name.length + 3 : 0];
    if (plain) {
      usual[0] = '"';
      System.arraycopy(name, 0, usual, 1, name.length);
      usual[name.length + 1] = '"';
      usual[name.length + 2] = ':';
    }
    long first = 0;
    for (int i = 0; i < Math.min(8, usual.length); i++) {
      first |= (usual[i] & 0xffL) << (8 * i);
    }
    this.head = first;
    this.mask = usual.length < 8 ? (1L << (8 * usual.length)) - 1 : -1;
  }

  /// Returns whether a text is this name.
  boolean is(long from, long to) {
    return Swar.isText(from, to, name);
  }

  /// Returns the address behind the name and its colon if they are at an address in the usual
  /// spelling, or else 0. Reads no further than a byte 0, as no name has one.
  long end(long at) {
    if (((Swar.word(at) ^ head) & mask) != 0) {
      return 0;
    }
    for (int i = 8; i < usual.length; i++) {
      if (Swar.load(at + i) != usual[i]) {
        return 0;
      }
    }
    return usual.length == 0 ? 0 : at + usual.length;
  }
}
