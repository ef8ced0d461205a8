package dev.penstock.internal.json;

import dev.penstock.internal.text.RecordScanner;
import dev.penstock.internal.text.Swar;

/// Records that are the objects of one array, or objects one after another.
///
/// Only looks at braces, brackets and quotes. Errors between records are found here, those in a
/// record when it is read.
final class ObjectRecords implements RecordScanner {
  private static final long QUOTES = Swar.of((byte) '"');
  private static final long ESCAPES = Swar.of((byte) '\\');

  private int depth; // open brackets and braces, without the array of the records
  private boolean array;
  private boolean closed;
  private boolean first = true;
  private boolean inString;
  private boolean escaped;
  private long records;
  private long sinceOpen; // bytes since the record began
  private long sinceStray = -1; // bytes since the first byte outside of any record
  private long lastEnd;

  @Override
  public long scan(long from, long to, long most) {
    long count = 0;
    long at = from;
    records = 0;
    while (at < to) {
      if (inString && !escaped && to - at >= 8) {
        long word = Swar.word(at);
        if ((Swar.match(word, QUOTES) | Swar.match(word, ESCAPES)) == 0) {
          at += 8;
          pass(8);
          continue;
        }
      }
      byte b = Swar.load(at++);
      pass(1);
      if (inString) {
        if (escaped) {
          escaped = false;
        } else if (b == '\\') {
          escaped = true;
        } else if (b == '"') {
          inString = false;
        }
      } else if (depth == 0) {
        between(b);
      } else if (b == '"') {
        inString = true;
      } else if (b == '{' || b == '[') {
        depth++;
      } else if ((b == '}' || b == ']') && --depth == 0) {
        lastEnd = at;
        if (++count == most) {
          records = count;
          return at;
        }
      }
    }
    records = count;
    return to;
  }

  private void pass(int bytes) {
    sinceOpen += bytes;
    sinceStray += sinceStray >= 0 ? bytes : 0;
  }

  private void between(byte b) {
    if (b == ' ' || b == '\t' || b == '\n' || b == '\r') {
      return;
    }
    if (b == '{' && !closed) {
      depth = 1;
      sinceOpen = 1;
    } else if (b == '[' && first) {
      array = true;
      sinceOpen = 1;
    } else if (b == ']' && array && !closed) {
      closed = true;
    } else if (b != ',' || !array || closed) {
      sinceStray = sinceStray < 0 ? 1 : sinceStray;
    }
    first = false;
  }

  @Override
  public long records() {
    return records;
  }

  /// Returns the address after the last record that ended, in any piece.
  long lastEnd() {
    return lastEnd;
  }

  @Override
  public boolean finish() throws OpenRecordException {
    if (sinceStray >= 0) {
      throw new OpenRecordException(
          "here is neither an object nor what separates objects", sinceStray);
    }
    if (depth > 0) {
      throw new OpenRecordException("an object is opened here but never closed", sinceOpen);
    }
    if (array && !closed) {
      throw new OpenRecordException("the array of objects is never closed", 0);
    }
    return false;
  }
}
