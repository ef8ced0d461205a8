package dev.penstock.internal.text;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;

/// A sentence of an error, the same in all locales.
public final class Sentence {
  private Sentence() {}

  /// Returns a sentence with a value in place of each `%s`.
  @FormatMethod
  public static String of(String sentence, Object... values) {
    return String.format(Locale.ROOT, sentence, values);
  }
}
