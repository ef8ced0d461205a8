package dev.penstock.internal.text;

/// Finds the ends of records without parsing them, at the speed of memory.
///
/// A scanner keeps its state between calls, so a text can be passed to it in pieces.
public interface RecordScanner {
  /// Scans a piece of text, which follows the piece before, up to the end of record number `most`,
  /// at least 1. Returns the address after that, or `to`. Addresses were checked, with the padding
  /// of [Swar].
  long scan(long from, long to, long most);

  /// Returns how many records ended in the last call.
  long records();

  /// Ends the text. Returns whether what follows the last end of a record is one more record.
  boolean finish() throws OpenRecordException;

  final class OpenRecordException extends Exception {
    private static final long serialVersionUID = 1;

    final long back; // bytes before the end of the text at which the record was opened

    public OpenRecordException(String message, long back) {
      super(message);
      this.back = back;
    }
  }
}
