package dev.penstock.internal.csv;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.text.FieldPlaces;
import dev.penstock.internal.text.Swar;
import dev.penstock.internal.text.TextTypes;
import java.util.Arrays;

/// Cuts text into records and fields, a slice of rows at a time, without decoding the fields.
///
/// Finds the same records as [dev.penstock.internal.text.LineRecords]: a quote opens a field only
/// at its start, line breaks between quotes belong to the field, empty lines are not records.
final class FieldSplitter {
  private static final int BLOCK_BYTES = 64;

  /// The error of a text that is not a record, or is one that cannot be read.
  static final class MalformedRecordException extends AdvisedIOException {
    private static final long serialVersionUID = 1;

    final long address;

    MalformedRecordException(String message, long address) {
      this("Corrupt", Advice.text(message), address);
    }

    MalformedRecordException(String kind, Advice message, long address) {
      super(Advice.of("%s CSV file: %s.", kind, message), null);
      this.address = address;
    }
  }

  private final byte delimiter;
  private final int quote;
  private final int escape;
  private final int comment;
  private final boolean trailing;
  private final boolean fill;
  private final long delimiters;
  private final long quotes;
  private final long escapes;
  private final long limit; // the special bytes that come before digits in ASCII are below this
  private final boolean wide; // whether there are other special bytes
  private final int[] slots; // for each field of a record its place among the wanted ones, or -1
  final FieldPlaces places;
  long next; // the address where the next record starts

  /// Makes a splitter. `slots` has for each field of a record its place among the wanted ones, or
  /// -1. If it is empty, the fields of one record, however many, are the rows of a single column.
  /// With `fill`, missing fields at the end of a record are empty.
  FieldSplitter(Dialect dialect, int[] slots, boolean fill) {
    this.delimiter = dialect.delimiter();
    this.quote = dialect.quote();
    this.escape = dialect.escape();
    this.comment = dialect.comment();
    this.trailing = dialect.trailing();
    this.fill = fill;
    this.delimiters = Swar.of(delimiter);
    this.quotes = quote < 0 ? delimiters : Swar.of((byte) quote);
    this.escapes = escape < 0 ? quotes : Swar.of((byte) escape);
    int[] bytes = {'\r', delimiter, quote, escape};
    this.limit = Swar.of((byte) (Arrays.stream(bytes).filter(b -> b < '-').max().orElse(0) + 1));
    this.wide = Arrays.stream(bytes).anyMatch(b -> b >= '-');
    this.slots = slots;
    int wanted = (int) Arrays.stream(slots).filter(slot -> slot >= 0).count();
    this.places = new FieldPlaces(slots.length == 0 ? 1 : wanted);
  }

  /// Cuts records from the start of one until there are `most`, or the text in memory ends, and
  /// returns how many. Addresses were checked, with the padding of [Swar]; `last` is whether the
  /// text ends at `to`.
  int split(long from, long to, boolean last, int most) throws MalformedRecordException {
    places.begin(from, most);
    int rows = 0;
    int field = 0;
    int marks = 0;
    long start = skipComments(from, to);
    long record = start;
    if (start < 0) {
      next = last ? to : lastComment;
      return 0;
    }
    long block = start;
    blocks:
    while (block < to) {
      long found = special(block, to);
      while (found != 0) {
        long place = block + Long.numberOfTrailingZeros(found);
        found &= found - 1;
        byte b = Swar.load(place);
        if (b == delimiter) {
          put(field++, rows, start, place, marks);
          marks = 0;
          start = place + 1;
          continue;
        }
        long at; // where to continue
        boolean isLine = b == '\n' || b == '\r';
        if (isLine) {
          if (field > 0 || place > start) {
            put(field++, rows, start, place, marks);
            end(place > start ? field : behindLast(field), rows++, record);
            field = 0;
            marks = 0;
          }
          at = place + 1;
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
          put(
              field++,
              rows,
              start + 1,
              close,
              FieldPlaces.QUOTED | (doubled ? FieldPlaces.ESCAPED : 0));
          at = close + 1;
          byte behind = at == to ? (byte) '\n' : Swar.load(at);
          isLine = behind == '\n' || behind == '\r';
          if (behind != delimiter && !isLine) {
            throw new MalformedRecordException(
                "Corrupt",
                Advice.of(
                    "%s%s",
                    Sentence.of(
                        "behind a closing quote there is '%s' but expected '%s' or the end of the"
                            + " line",
                        (char) (behind & 0xff), (char) delimiter),
                    LikelyDelimiter.remedy(behind)),
                at);
          }
          at = Math.min(to, at + 1);
          start = at;
          if (isLine) {
            end(field, rows++, record);
            field = 0;
          }
        } else if (b == escape) {
          marks = FieldPlaces.ESCAPED;
          at = place + 2;
        } else {
          continue; // A byte without special meaning here.
        }
        if (isLine) {
          record = at;
          if (rows == most) {
            next = record;
            return rows;
          }
          start = skipComments(record, to);
          if (start < 0) {
            next = last ? to : lastComment;
            return rows;
          }
          record = start;
          at = start;
        }
        if (at - block >= BLOCK_BYTES) {
          block = at;
          continue blocks;
        }
        found &= -1L << (at - block);
      }
      block += BLOCK_BYTES;
    }
    if (last && (field > 0 || start < to)) {
      put(field++, rows, start, to, marks);
      end(start < to ? field : behindLast(field), rows++, record);
      record = to;
    }
    next = last ? to : record;
    return rows;
  }

  /// Returns a bit for each byte of a block, set if it may be special; the first byte's is the
  /// lowest.
  private long special(long block, long to) {
    long found = 0;
    for (int i = 0; i < BLOCK_BYTES; i += 8) {
      long word = Swar.word(block + i);
      long matches = Swar.below(word, limit);
      if (wide) {
        matches |= Swar.match(word, delimiters);
        matches |= Swar.match(word, quotes) | Swar.match(word, escapes);
      }
      found |= Swar.bits(matches) << i;
    }
    long left = to - block;
    return left >= BLOCK_BYTES ? found : found & ((1L << left) - 1);
  }

  private long lastComment; // the start of the last line that skipComments skipped

  /// Skips comment lines. Returns where the next other line starts, or -1 if the text ends within a
  /// comment.
  private long skipComments(long from, long to) {
    long at = from;
    while (comment >= 0 && at < to && Swar.load(at) == comment) {
      lastComment = at;
      byte b = 0;
      while (b != '\n' && b != '\r') {
        if (++at == to) {
          return -1;
        }
        b = Swar.load(at);
      }
      at++;
    }
    return at;
  }

  private boolean doubled; // whether the field that closing scanned has bytes to remove

  /// Returns the address of the quote that closes a field, or `to` if there is none.
  private long closing(long from, long to) {
    doubled = false;
    long at = from;
    while (at < to) {
      long word = Swar.word(at);
      long found = Swar.first(Swar.match(word, quotes) | Swar.match(word, escapes), to - at);
      if (found == 0) {
        at += 8;
        continue;
      }
      at += Swar.place(found);
      if (Swar.load(at) != quote) { // the escape
        doubled = true;
        at += 2;
      } else if (at + 1 < to && Swar.load(at + 1) == quote) {
        doubled = true;
        at += 2;
      } else {
        return at;
      }
    }
    return to;
  }

  private void put(int field, int row, long start, long end, int marks)
      throws MalformedRecordException {
    if (slots.length == 0) {
      if (field >= TextTypes.COLUMNS_MAX) {
        throw new MalformedRecordException(
            "Unsupported",
            Advice.of(
                "the first record has more than %s fields, and a file may have that many columns."
                    + " If fields are separated otherwise, set %s",
                TextTypes.COLUMNS_MAX, Remedy.formatOption("delimiter")),
            start);
      }
      places.room(field + 1);
      places.put(0, field, start, end, marks);
      return;
    }
    int slot = field < slots.length ? slots[field] : -1;
    if (slot >= 0) {
      places.put(slot, row, start, end, marks);
    }
  }

  int fields; // of the last record

  /// Returns how many fields a record has whose last delimiter is followed by nothing.
  private int behindLast(int count) {
    return trailing ? count - 1 : count;
  }

  private void end(int count, int row, long record) throws MalformedRecordException {
    fields = count;
    if (count == slots.length || slots.length == 0) {
      return;
    }
    if (count > slots.length || !fill) {
      throw new MalformedRecordException(
          "Corrupt",
          Advice.of(
              "the record has %s%s but expected %s%s",
              count, count == 1 ? " field" : " fields", slots.length, remedy(count)),
          record);
    }
    for (int field = count; field < slots.length; field++) {
      put(field, row, record, record, 0);
    }
  }

  private Advice remedy(int count) {
    if (count < slots.length) {
      return Advice.of(
          ". Set %s to read missing ones as null", Remedy.formatOption("ragged", "to", "fill"));
    }
    if (slots.length == 1) {
      return Advice.of(
          ". If fields are separated otherwise, say so: for example %s",
          Remedy.formatOption("delimiter", ";"));
    }
    return count == slots.length + 1 && !trailing
        ? Advice.of(
            ". If a delimiter ends each record, set %s",
            Remedy.formatOption("trailing-delimiter", "to", "true"))
        : Advice.text("");
  }

  /// Removes quoting and escaping bytes from a field: the first of two quotes, if it was between
  /// quotes, and the escape before another byte.
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
