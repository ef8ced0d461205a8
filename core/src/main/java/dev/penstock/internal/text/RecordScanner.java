package dev.penstock.internal.text;

/// Finds where records end, without looking at what is in them: at the speed of memory.
///
/// A scanner remembers where it is in the text, so that a text is given to it in pieces.
public interface RecordScanner {
  /// Goes on over a piece of text.
  ///
  /// @param from the address of its first byte, which follows the last one of the piece before
  /// @param to the address behind its last byte; proven, with the padding of [Words]
  /// @param most how many records to count at most, at least 1
  /// @return the address behind the byte that ended the last of so many records, or `to`
  long scan(long from, long to, long most);

  /// Returns how many records ended in the last piece.
  ///
  /// @return at most as many as were asked for
  long records();

  /// Ends the text.
  ///
  /// @return whether the text behind the last end of a record is one more record
  /// @throws OpenRecordException if it ends where no record can
  boolean finish() throws OpenRecordException;

  /// A text that ends within a record.
  final class OpenRecordException extends Exception {
    private static final long serialVersionUID = 1;

    private final long back;

    /// Makes it.
    ///
    /// @param message what was opened and never closed, as a sentence
    /// @param back how many bytes before the end of the text that was
    public OpenRecordException(String message, long back) {
      super(message);
      this.back = back;
    }

    /// Returns where the text was opened.
    ///
    /// @return bytes before its end
    public long back() {
      return back;
    }
  }
}
