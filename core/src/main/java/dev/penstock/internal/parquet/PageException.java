package dev.penstock.internal.parquet;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A page that cannot be decoded, before file, row group and column are known.
///
/// [ColumnReader] catches it and adds the place.
final class PageException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String sentence;

  PageException(String sentence) {
    this(sentence, null);
  }

  PageException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
    this.sentence = sentence;
  }

  String sentence() {
    return sentence;
  }
}
