package dev.penstock.internal.parquet.footer;

import com.google.errorprone.annotations.FormatMethod;
import dev.penstock.internal.choice.Sentence;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The error of a page or footer that cannot be decoded, without file, row group and column.
///
/// Code that knows them catches it and adds the place, see [Where].
public final class PageException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String sentence;

  public PageException(String sentence) {
    this(sentence, null);
  }

  public PageException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
    this.sentence = sentence;
  }

  /// Makes the error of a sentence with a value in place of each `%s`.
  @FormatMethod
  public static PageException of(String sentence, Object... values) {
    return new PageException(Sentence.of(sentence, values));
  }

  public String sentence() {
    return sentence;
  }
}
