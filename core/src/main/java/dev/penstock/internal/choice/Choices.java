package dev.penstock.internal.choice;

import dev.penstock.storage.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Names that a user gives, and the end of an error message about an unknown one: the likely
/// intended name, and all names.
public final class Choices {
  private Choices() {}

  /// Returns a copy of what a user gave. Throws [IllegalArgumentException] if a name is null.
  ///
  /// @param what what the names are for
  public static List<String> given(String what, Collection<String> names) {
    int at = new ArrayList<>(names).indexOf(null);
    if (at >= 0) {
      throw new IllegalArgumentException(
          Sentence.of(
              "%s must not contain null, got it as number %s of %s.", what, at + 1, names.size()));
    }
    return List.copyOf(names);
  }

  /// Lists the names, for example `Did you mean 'delay'? Columns are: [date, delay].`
  ///
  /// @param what what the names denote, in the plural and capitalized
  public static String listed(String what, String wanted, Collection<String> names) {
    return Printable.of(
        meant(wanted, names).map(name -> "Did you mean '" + name + "'? ").orElse("")
            + what
            + " are: "
            + names
            + ".");
  }

  /// Returns the name behind the last dot of the wanted one, as in `df.delay`, or the most similar
  /// one, if at most about a third of its letters differ.
  private static Optional<String> meant(String wanted, Collection<String> names) {
    int most = Math.min((wanted.length() + 2) / 3, wanted.length() - 1);
    String last = wanted.substring(wanted.lastIndexOf('.') + 1);
    if (names.contains(last)) {
      return Optional.of(last);
    }
    return names.stream()
        .filter(name -> Math.abs(name.length() - wanted.length()) <= most)
        .filter(name -> distance(wanted, name) <= most)
        .min(Comparator.comparingInt(name -> distance(wanted, name)));
  }

  /// Counts the letters to insert, delete, replace, or swap with the next, ignoring case: the
  /// optimal string alignment distance.
  private static int distance(String wanted, String name) {
    String from = wanted.toLowerCase(Locale.ROOT);
    String to = name.toLowerCase(Locale.ROOT);
    int[][] steps = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        int other = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int least = Math.min(steps[i - 1][j], steps[i][j - 1]) + 1;
        least = Math.min(least, steps[i - 1][j - 1] + other);
        boolean swapped =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        steps[i][j] = swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
      }
    }
    return steps[from.length()][to.length()];
  }
}
