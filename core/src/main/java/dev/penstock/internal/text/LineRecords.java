package dev.penstock.internal.text;

/// Records that are lines: of CSV, where a line break between quotes is part of a value, or of
/// JSON. Lines without anything are no records.
///
/// A quote opens a value only where a value starts; elsewhere it is text. All readers of such
/// records have to see them so, or rows would be counted that are not there.
public final class LineRecords implements RecordScanner {
  private static final long NEWLINES = Words.of((byte) '\n');
  private static final long RETURNS = Words.of((byte) '\r');
  private static final int NONE = -1;

  private final int delimiter;
  private final int quote;
  private final int escape;
  private final int comment;
  private final long quotes;

  /// All bytes that a record can end with, or change what does, are below.
  private final long limit;

  /// Whether lines can be counted in words without a quote: no byte changes what the next one is.
  private final boolean simple;

  private int before = '\n';
  private boolean quoted;
  private boolean closing; // the byte before was a quote between quotes
  private boolean escaped; // the byte before was the escape
  private boolean commented;
  private long sinceQuote; // bytes since the last quote that opened
  private long records;

  /// Makes a scanner of lines.
  public LineRecords() {
    this(NONE, NONE, NONE, NONE);
  }

  /// Makes a scanner of CSV.
  ///
  /// @param delimiter the byte between values
  /// @param quote the byte around values, or -1
  /// @param escape the byte before one that means itself, or -1
  /// @param comment the first byte of lines that are no records, or -1
  public LineRecords(int delimiter, int quote, int escape, int comment) {
    this.delimiter = delimiter;
    this.quote = quote;
    this.escape = escape;
    this.comment = comment;
    this.quotes = Words.of((byte) quote);
    this.limit = Words.of((byte) (Math.max(quote, '\r') + 1));
    this.simple = escape < 0 && comment < 0;
  }

  private LineRecords(LineRecords same) {
    this(same.delimiter, same.quote, same.escape, same.comment);
  }

  /// Returns a scanner of the same text that starts as this one started.
  LineRecords fresh() {
    return new LineRecords(this);
  }

  /// Returns a scanner that goes on from where this one is.
  LineRecords copy() {
    LineRecords copy = new LineRecords(this);
    copy.before = before;
    copy.quoted = quoted;
    copy.closing = closing;
    copy.escaped = escaped;
    copy.commented = commented;
    copy.sinceQuote = sinceQuote;
    return copy;
  }

  /// Returns whether another scanner of the same text would go on as this one.
  boolean isLike(LineRecords other) {
    return before == other.before
        && quoted == other.quoted
        && closing == other.closing
        && escaped == other.escaped
        && commented == other.commented
        && (!(quoted || closing) || sinceQuote == other.sinceQuote);
  }

  /// Returns whether a line break behind a byte ends a line, unless it is between quotes.
  boolean isPlainBefore(int b) {
    return b != escape;
  }

  @Override
  public long scan(long from, long to, long most) {
    long at = from;
    long count = 0;
    while (at < to) {
      if (simple && !closing && to - at >= 8) {
        /*
         * A word without a quote. Between quotes nothing can happen in it. Elsewhere each line
         * break ends a record, unless another one is just before it.
         */
        long word = Words.word(at);
        if (!Words.mayHaveBelow(word, limit)) {
          sinceQuote += 8;
          before = (int) (word >>> 56);
          at += 8;
          continue;
        }
        if (quote < 0 || Words.match(word, quotes) == 0) {
          if (quoted) {
            sinceQuote += 8;
            at += 8;
            continue;
          }
          long breaks = Words.match(word, NEWLINES) | Words.match(word, RETURNS);
          int ends = 0;
          if (breaks != 0) {
            ends = Long.bitCount(breaks & ~(breaks << 8 | (isBreak(before) ? 0x80 : 0)));
          }
          if (count + ends < most) {
            count += ends;
            before = (int) (word >>> 56);
            at += 8;
            continue;
          }
        }
      }
      long stop = Math.min(to, at + 8);
      while (at < stop) {
        boolean ended = isEnd(Words.load(at++) & 0xff);
        if (ended && ++count == most) {
          records = count;
          return at;
        }
      }
    }
    records = count;
    return to;
  }

  private static boolean isBreak(int b) {
    return b == '\n' || b == '\r';
  }

  /// Takes one byte and returns whether it ends a record.
  private boolean isEnd(int b) {
    sinceQuote++;
    if (escaped) {
      escaped = false;
      before = NONE;
      return false;
    }
    if (commented) {
      commented = !isBreak(b);
      return false;
    }
    if (quoted) {
      escaped = b == escape;
      closing = b == quote && !escaped;
      quoted = !closing;
      return false;
    }
    if (closing) {
      closing = false;
      if (b == quote) {
        quoted = true;
        return false;
      }
      before = NONE;
    }
    boolean starts = isBreak(before);
    if (isBreak(b)) {
      before = b;
      return !starts;
    }
    if (starts && b == comment) {
      commented = true;
    } else if (b == quote && (starts || before == delimiter)) {
      quoted = true;
      sinceQuote = 1;
      before = NONE;
    } else {
      escaped = b == escape;
      before = b;
    }
    return false;
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public boolean finish() throws OpenRecordException {
    if (quoted) {
      throw new OpenRecordException("a quote is opened here but never closed", sinceQuote);
    }
    return closing || !isBreak(before);
  }
}
