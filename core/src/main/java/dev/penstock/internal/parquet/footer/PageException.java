package dev.penstock.internal.parquet.footer;

import com.google.errorprone.annotations.FormatMethod;
import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import org.jspecify.annotations.Nullable;

/// The error of a page or footer that cannot be decoded, without file, row group and column.
///
/// Code that knows them catches it and adds the place, see [Where].
public final class PageException extends AdvisedIOException {
  private static final long serialVersionUID = 1L;

  public PageException(String sentence) {
    this(Advice.text(sentence), null);
  }

  public PageException(String sentence, @Nullable Throwable cause) {
    this(Advice.text(sentence), cause);
  }

  public PageException(Advice sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  /// Makes the error of a sentence with a value in place of each `%s`.
  @FormatMethod
  public static PageException of(String sentence, Object... values) {
    return new PageException(Advice.of(sentence, values), null);
  }

  public String sentence() {
    return advice().toString();
  }
}
