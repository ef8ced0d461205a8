package dev.penstock.internal.choice;

import dev.penstock.storage.Printable;
import java.util.Collection;
import java.util.function.Function;

/// Texts of limited length, for `toString`: a REPL, debugger or log shows them.
public final class Shown {
  /// The most characters of a list. JShell shows 1,000 characters of a value.
  private static final int LIST_MAX = 600;

  private static final int TEXT_MAX = 200; // the most characters of one text

  private Shown() {}

  /// Returns the first elements of a list, for example `[a, b, ... 12 more]`, in about 800
  /// characters at most. `text` is called for those shown, and the first left out.
  public static <E> String list(Collection<E> all, Function<? super E, String> text) {
    StringBuilder shown = new StringBuilder("[");
    int count = 0;
    for (E element : all) {
      String next = text(text.apply(element));
      if (count > 0 && shown.length() + next.length() > LIST_MAX) {
        return shown + ", ... " + (all.size() - count) + " more]";
      }
      shown.append(count == 0 ? "" : ", ").append(next);
      count++;
    }
    return shown + "]";
  }

  /// Returns a text, or its start of about 200 characters and `...`.
  public static String text(String text) {
    return Printable.of(text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "...");
  }
}
