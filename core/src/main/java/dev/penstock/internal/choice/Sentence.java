package dev.penstock.internal.choice;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A sentence with values in it, the same in every locale.
public final class Sentence {
  private Sentence() {}

  /// Puts values into a sentence.
  ///
  /// @param form the sentence, with `%s` in place of each value
  @FormatMethod
  public static String of(String form, @Nullable Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
