package dev.penstock.format;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.storage.Printable;

/// A library that does not work in this JVM: it cannot be loaded, or is denied what it uses.
///
/// The message says why, and what to change. No file is at fault, so it names none.
public final class LibraryException extends AdvisedIOException {
  private static final long serialVersionUID = 1L;

  /// Makes the exception.
  ///
  /// @param sentence what cannot be done, why, and what to do
  /// @param cause what the library threw
  public LibraryException(String sentence, Throwable cause) {
    super(Advice.repeating(sentence, cause).withTexts(Printable::of), cause);
  }
}
