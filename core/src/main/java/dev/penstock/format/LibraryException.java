package dev.penstock.format;

import dev.penstock.storage.Printable;
import java.io.IOException;

/// A library that does not work in this JVM: it cannot be loaded, or is denied what it uses.
///
/// The message says why, and what to change. No file is at fault, so it names none.
public final class LibraryException extends IOException {
  private static final long serialVersionUID = 1L;

  /// Makes the exception.
  ///
  /// @param sentence what cannot be done, why, and what to do
  /// @param cause what the library threw
  public LibraryException(String sentence, Throwable cause) {
    super(Printable.of(sentence), cause);
  }
}
