package dev.penstock.internal.csv;

import dev.penstock.internal.text.Words;
import java.util.Arrays;

/// Cuts text into records and fields, a slice of rows at a time, without touching what is in them.
///
/// Sees records as [dev.penstock.internal.text.LineRecords] does: a quote opens a field only at its
/// start, line breaks between quotes belong to the field, lines without anything are no records.
final class FieldSplitter {
  /// Set in an end: the field was quoted; the quotes are left out.
  static final int QUOTED = 1 << 30;

  /// Set in an end: some bytes of the field have to be taken out before it is what it means.
  static final int ESCAPED = 1 << 31;

  static final int PLACE = QUOTED - 1;

  private static final long NEWLINES = Words.of((byte) '\n');
  private static final long RETURNS = Words.of((byte) '\r');

  /// A text that is no record.
  static final class MalformedRecordException extends Exception {
    private static final long serialVersionUID = 1;

    private final long address;

    MalformedRecordException(String message, long address) {
      super(message);
      this.address = address;
    }

    /// Returns where in the text it is.
    long address() {
      return address;
    }
  }

  private final byte delimiter;
  private final int quote;
  private final int escape;
  private final int comment;
  private final boolean fill;
  private final long delimiters;
  private final long quotes;
  private final long escapes;

  /// All bytes that mean something are below.
  private final long limit;

  /// For each field of a record its place among the wanted ones, or -1.
  private final int[] slots;

  private final int wanted;
  private int capacity;
  private int[] starts = {};
  private int[] ends = {};

  private long base;
  private long next;

  /// Makes a splitter.
  ///
  /// @param slots for each field of a record its place among the wanted ones, or -1; empty to take
  ///   the fields of one record, however many they are
  /// @param fill whether missing fields at the end of a record are empty
  FieldSplitter(Dialect dialect, int[] slots, boolean fill) {
    this.delimiter = dialect.delimiter();
    this.quote = dialect.quote();
    this.escape = dialect.escape();
    this.comment = dialect.comment();
    this.fill = fill;
    this.delimiters = Words.of(delimiter);
    this.quotes = Words.of(quote < 0 ? delimiter : (byte) quote);
    this.escapes = escape < 0 ? quotes : Words.of((byte) escape);
    int highest = Math.max(Math.max(delimiter, '\r'), Math.max(quote, escape));
    this.limit = Words.of((byte) (highest + 1));
    this.slots = slots;
    this.wanted = (int) Arrays.stream(slots).filter(slot -> slot >= 0).count();
  }

  /// Returns where the fields of a wanted column start, row by row, behind the first address.
  int start(int slot, int row) {
    return starts[slot * capacity + row];
  }

  /// Returns where a field ends, with its marks.
  int end(int slot, int row) {
    return ends[slot * capacity + row];
  }

  /// Returns where the next record starts.
  long next() {
    return next;
  }

  /// Cuts records until the text or the rows are at their end.
  ///
  /// @param from where a record starts
  /// @param to the end of the text that is there; proven, with the padding of [Words]
  /// @param last whether the text ends there
  /// @param most how many rows at most
  /// @return how many whole records there were
  int split(long from, long to, boolean last, int most) throws MalformedRecordException {
    reserve(most);
    base = from;
    int rows = 0;
    int field = 0;
    int marks = 0;
    long record = from;
    long start = from;
    long at = from;
    if (isComment(at, to)) {
      at = behindLine(at, to);
      if (at < 0) {
        next = last ? to : from;
        return 0;
      }
      start = at;
      record = at;
    }
    words:
    while (at < to) {
      long word = Words.word(at);
      if (!Words.mayHaveBelow(word, limit)) {
        at += 8;
        continue;
      }
      long found =
          Words.first(
              Words.match(word, delimiters)
                  | Words.match(word, NEWLINES)
                  | Words.match(word, RETURNS)
                  | Words.match(word, quotes)
                  | Words.match(word, escapes),
              to - at);
      while (found != 0) {
        long place = at + Words.place(found);
        found &= found - 1;
        byte b = Words.load(place);
        if (b == delimiter) {
          put(field++, rows, start, place, marks);
          marks = 0;
          start = place + 1;
        } else if (b == '\n' || b == '\r') {
          if (field > 0 || place > start) {
            put(field++, rows, start, place, marks);
            end(field, rows++, record);
            field = 0;
            marks = 0;
          }
          start = place + 1;
          record = start;
          if (rows == most) {
            next = record;
            return rows;
          }
          if (isComment(start, to)) {
            at = behindLine(start, to);
            if (at < 0) {
              next = last ? to : record;
              return rows;
            }
            start = at;
            record = at;
            continue words;
          }
        } else if (b == quote && place == start) {
          long close = closing(place + 1, to);
          boolean open = close >= to || (close == to - 1 && !last);
          if (open) {
            if (last) {
              throw new MalformedRecordException("a quote is opened here but never closed", place);
            }
            next = record;
            return rows;
          }
          put(field++, rows, start + 1, close, QUOTED | (doubled ? ESCAPED : 0));
          at = close + 1;
          byte behind = at == to ? (byte) '\n' : Words.load(at);
          if (behind == delimiter) {
            start = ++at;
            continue words;
          }
          if (behind != '\n' && behind != '\r') {
            throw new MalformedRecordException(
                "behind a closing quote there is '"
                    + (char) (behind & 0xff)
                    + "' but expected '"
                    + (char) delimiter
                    + "' or the end of the line",
                at);
          }
          end(field, rows++, record);
          field = 0;
          at = Math.min(to, at + 1);
          start = at;
          record = at;
          if (rows == most) {
            next = record;
            return rows;
          }
          if (isComment(start, to)) {
            at = behindLine(start, to);
            if (at < 0) {
              next = last ? to : record;
              return rows;
            }
            start = at;
            record = at;
          }
          continue words;
        } else if (b == escape) {
          marks = ESCAPED;
          at = place + 2;
          continue words;
        }
      }
      at += 8;
    }
    if (last && (field > 0 || start < to)) {
      put(field++, rows, start, to, marks);
      end(field, rows++, record);
      record = to;
    }
    next = last ? to : record;
    return rows;
  }

  private boolean isComment(long at, long to) {
    return comment >= 0 && at < to && Words.load(at) == comment;
  }

  /// Returns where the next line starts, or -1 if it is not there.
  private static long behindLine(long from, long to) {
    for (long at = from; at < to; at++) {
      byte b = Words.load(at);
      if (b == '\n' || b == '\r') {
        return at + 1;
      }
    }
    return -1;
  }

  /// Whether the field that [#closing] went over has bytes to be taken out.
  private boolean doubled;

  /// Returns the quote that closes a field, or `to` or more if there is none.
  private long closing(long from, long to) {
    doubled = false;
    long at = from;
    while (at < to) {
      long word = Words.word(at);
      long found = Words.first(Words.match(word, quotes) | Words.match(word, escapes), to - at);
      if (found == 0) {
        at += 8;
        continue;
      }
      at += Words.place(found);
      if (Words.load(at) != quote) { // the escape
        doubled = true;
        at += 2;
      } else if (at + 1 < to && Words.load(at + 1) == quote) {
        doubled = true;
        at += 2;
      } else {
        return at;
      }
    }
    return to;
  }

  private void put(int field, int row, long start, long end, int marks) {
    if (slots.length == 0) {
      if (field == capacity) {
        capacity = Math.max(16, 2 * capacity);
        starts = Arrays.copyOf(starts, capacity);
        ends = Arrays.copyOf(ends, capacity);
      }
      starts[field] = (int) (start - base);
      ends[field] = (int) (end - base) | marks;
      return;
    }
    int slot = field < slots.length ? slots[field] : -1;
    if (slot >= 0) {
      starts[slot * capacity + row] = (int) (start - base);
      ends[slot * capacity + row] = (int) (end - base) | marks;
    }
  }

  private int fields;

  /// Returns how many fields the last record had.
  int fields() {
    return fields;
  }

  private void end(int count, int row, long record) throws MalformedRecordException {
    fields = count;
    if (count == slots.length || slots.length == 0) {
      return;
    }
    if (count > slots.length || !fill) {
      throw new MalformedRecordException(
          "the record has "
              + count
              + (count == 1 ? " field" : " fields")
              + " but expected "
              + slots.length
              + (count < slots.length
                  ? ". Set format option 'ragged' to 'fill' to read missing ones as null"
                  : ""),
          record);
    }
    for (int field = count; field < slots.length; field++) {
      put(field, row, record, record, 0);
    }
  }

  private void reserve(int rows) {
    if (slots.length > 0 && rows > capacity) {
      capacity = rows;
      starts = new int[Math.multiplyExact(wanted, rows)];
      ends = new int[starts.length];
    }
  }

  /// Takes out of a field what is there only to be taken out: the first of two quotes, and the
  /// escape before another byte.
  ///
  /// @param bytes the field as it is written
  /// @param quoted whether it was between quotes
  /// @return the bytes that it means
  byte[] unescaped(byte[] bytes, boolean quoted) {
    byte[] kept = new byte[bytes.length];
    int count = 0;
    for (int i = 0; i < bytes.length; i++) {
      int b = bytes[i] & 0xff;
      boolean skipped = b == escape || (quoted && b == quote);
      if (skipped && i + 1 < bytes.length) {
        i++;
      }
      kept[count++] = bytes[i];
    }
    return Arrays.copyOf(kept, count);
  }
}
