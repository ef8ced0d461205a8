package dev.penstock.internal.json;

import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.text.Swar;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;

/// Resolves escapes in strings, to bytes of UTF-8.
final class JsonStrings {
  private final Buffer buffer;
  long from; // the address of the last string's first byte
  long to;

  JsonStrings(ScratchMemory memory) {
    this.buffer = new Buffer(memory);
  }

  /// Takes the last string of a text, and resolves its escapes. It is valid until the next one.
  void take(JsonText text) throws MalformedJsonException {
    if (text.escaped) {
      unescape(text.from, text.to);
    } else {
      from = text.from;
      to = text.to;
    }
  }

  /// Resolves the escapes of a string. The result is never longer than the text.
  private void unescape(long start, long end) throws MalformedJsonException {
    MemorySegment memory = buffer.ensure(end - start);
    from = Raw.address(memory, 0, end - start + Buffer.PADDING);
    to = from;
    long at = start;
    while (at < end) {
      byte b = Swar.load(at++);
      if (b != '\\') {
        put(b);
        continue;
      }
      byte kind = Swar.load(at++);
      switch (kind) {
        case '"', '\\', '/' -> put(kind);
        case 'b' -> put((byte) '\b');
        case 'f' -> put((byte) '\f');
        case 'n' -> put((byte) '\n');
        case 'r' -> put((byte) '\r');
        case 't' -> put((byte) '\t');
        case 'u' -> {
          int unit = hex(at, end);
          at += 4;
          if (Character.isHighSurrogate((char) unit)
              && end - at >= 6
              && Swar.load(at) == '\\'
              && Swar.load(at + 1) == 'u') {
            int low = hex(at + 2, end);
            if (Character.isLowSurrogate((char) low)) {
              unit = Character.toCodePoint((char) unit, (char) low);
              at += 6;
            }
          }
          if (unit < 0x10000 && Character.isSurrogate((char) unit)) {
            throw new MalformedJsonException("an escape is half of a character", at - 6);
          }
          put(unit);
        }
        default -> throw new MalformedJsonException("there is no such escape", at - 2);
      }
    }
  }

  private void put(byte b) {
    Raw.ALL.set(Raw.BYTE, to++, b);
  }

  private void put(int code) {
    if (code < 0x80) {
      put((byte) code);
    } else if (code < 0x800) {
      put((byte) (0xc0 | code >> 6));
      put((byte) (0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
      put((byte) (0xe0 | code >> 12));
      put((byte) (0x80 | (code >> 6 & 0x3f)));
      put((byte) (0x80 | (code & 0x3f)));
    } else {
      put((byte) (0xf0 | code >> 18));
      put((byte) (0x80 | (code >> 12 & 0x3f)));
      put((byte) (0x80 | (code >> 6 & 0x3f)));
      put((byte) (0x80 | (code & 0x3f)));
    }
  }

  private static int hex(long at, long to) throws MalformedJsonException {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = at + i < to ? Character.digit(Swar.load(at + i), 16) : -1;
      if (digit < 0) {
        throw new MalformedJsonException("an escape has no four hexadecimal digits", at - 2);
      }
      value = value << 4 | digit;
    }
    return value;
  }
}
