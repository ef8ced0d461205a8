package dev.penstock.internal.text;

/// Records that are lines: of CSV, where a line break between quotes is part of a value, or of
/// JSON. Empty lines are not records. In JSON, neither are lines of blanks and tabs, which may be a
/// value in CSV.
///
/// A quote opens a value only at the start of a value; elsewhere it is text. All readers of such
/// records must agree on this, or the counted rows would be wrong.
public final class LineRecords implements RecordScanner {
  private static final long NEWLINES = Swar.of((byte) '\n');
  private static final long RETURNS = Swar.of((byte) '\r');
  private static final long SPACES = Swar.of((byte) ' ');
  private static final long TABS = Swar.of((byte) '\t');
  private static final int NONE = -1;

  private final int delimiter;
  private final int quote;
  private final int escape;
  private final int comment;
  private final long quotes;
  private final long limit; // all bytes that can end a record or change its end are below this

  /// Whether lines can be counted in words without a quote, because no byte changes the meaning of
  /// the next.
  private final boolean simple;

  private final boolean skipsBlanks;

  private int before = '\n';
  private boolean quoted;
  private boolean closing; // the byte before was a quote between quotes
  private boolean escaped; // the byte before was the escape
  private boolean commented;
  private long sinceQuote; // bytes since the last opening quote
  private long records;

  public LineRecords() {
    this(NONE, NONE, NONE, NONE, true);
  }

  /// Makes a scanner of CSV. Each but the delimiter may be -1 for none; a comment is told by the
  /// first byte of its line.
  public LineRecords(int delimiter, int quote, int escape, int comment) {
    this(delimiter, quote, escape, comment, false);
  }

  private LineRecords(int delimiter, int quote, int escape, int comment, boolean skipsBlanks) {
    this.skipsBlanks = skipsBlanks;
    this.delimiter = delimiter;
    this.quote = quote;
    this.escape = escape;
    this.comment = comment;
    this.quotes = Swar.of((byte) quote);
    this.limit = Swar.of((byte) (Math.max(quote, '\r') + 1));
    this.simple = escape < 0 && comment < 0;
  }

  private LineRecords(LineRecords same) {
    this(same.delimiter, same.quote, same.escape, same.comment, same.skipsBlanks);
  }

  LineRecords fresh() {
    return new LineRecords(this);
  }

  /// Returns a scanner that continues from this one's state.
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

  /// Returns whether another scanner of the same kind has the same state.
  boolean isLike(LineRecords other) {
    return before == other.before
        && quoted == other.quoted
        && closing == other.closing
        && escaped == other.escaped
        && commented == other.commented
        && (!(quoted || closing) || sinceQuote == other.sinceQuote);
  }

  /// Returns whether a line break after a byte ends a line, unless it is between quotes.
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
         * A word without a quote. Between quotes, it cannot end a record. Elsewhere, each line
         * break ends a record unless another one comes right before it.
         */
        long word = Swar.word(at);
        boolean blankStart = skipsBlanks && isBreak(before) && isBlank((int) word & 0xff);
        if (!blankStart && !Swar.mayHaveBelow(word, limit)) {
          sinceQuote += 8;
          before = (int) (word >>> 56);
          at += 8;
          continue;
        }
        if (!blankStart && (quote < 0 || Swar.match(word, quotes) == 0)) {
          if (quoted) {
            sinceQuote += 8;
            at += 8;
            continue;
          }
          long breaks = Swar.match(word, NEWLINES) | Swar.match(word, RETURNS);
          int ends = 0;
          if (breaks != 0) {
            ends = Long.bitCount(breaks & ~(breaks << 8 | (isBreak(before) ? 0x80 : 0)));
          }
          boolean blankLater = skipsBlanks && (blanks(word) & breaks << 8) != 0;
          if (!blankLater && count + ends < most) {
            count += ends;
            before = (int) (word >>> 56);
            at += 8;
            continue;
          }
        }
      }
      long stop = Math.min(to, at + 8);
      while (at < stop) {
        boolean ended = isEnd(Swar.load(at++) & 0xff);
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

  private static boolean isBlank(int b) {
    return b == ' ' || b == '\t';
  }

  private static long blanks(long word) {
    return Swar.match(word, SPACES) | Swar.match(word, TABS);
  }

  /// Scans one byte and returns whether it ends a record.
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
    } else if (starts && skipsBlanks && isBlank(b)) {
      return false; // the line has not begun
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
