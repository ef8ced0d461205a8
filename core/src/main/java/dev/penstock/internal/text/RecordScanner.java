package dev.penstock.internal.text;

/// Finds the ends of records without parsing them, at the speed of memory.
///
/// A scanner keeps its state between calls, so a text can be passed to it in pieces.
public interface RecordScanner {
  /// Scans a piece of text.
  ///
  /// @param from the address of its first byte, which follows the last one of the piece before
  /// @param to the address after its last byte; checked, with the padding of [Words]
  /// @param most the most records to count, at least 1
  /// @return the address after the byte that ended record number `most`, or `to`
  long scan(long from, long to, long most);

  /// Returns how many records ended in the last call.
  ///
  /// @return at most `most`
  long records();

  /// Ends the text.
  ///
  /// @return whether the text after the last end of a record is one more record
  /// @throws OpenRecordException if it ends within a record that is not closed
  boolean finish() throws OpenRecordException;

  /// The error of a text that ends within a record.
  final class OpenRecordException extends Exception {
    private static final long serialVersionUID = 1;

    private final long back;

    /// Makes the exception.
    ///
    /// @param message a sentence about what was opened but not closed
    /// @param back how many bytes before the end of the text it was opened
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
