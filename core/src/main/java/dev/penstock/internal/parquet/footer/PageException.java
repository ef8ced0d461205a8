package dev.penstock.internal.parquet.footer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A page or footer that cannot be decoded, before file, row group and column are known.
///
/// Whoever knows them catches it and adds the place, see [Where].
public final class PageException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String sentence;

  /// Makes the error.
  ///
  /// @param sentence what was found, what was expected and what to do
  public PageException(String sentence) {
    this(sentence, null);
  }

  /// Makes the error.
  ///
  /// @param sentence what was found, what was expected and what to do
  /// @param cause what was thrown there, or null
  public PageException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
    this.sentence = sentence;
  }

  /// Returns what was found.
  ///
  /// @return the sentence it was made with
  public String sentence() {
    return sentence;
  }
}
