package dev.penstock.steps;

import dev.penstock.advice.Advice;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Steps of an epoch, half-open: `[from, to)`. A step is a batch of every rank, numbered from 0 in
/// the epoch.
///
/// Immutable.
///
/// @param from the first, at least 0
/// @param to the one after the last, at least `from`
public record Steps(long from, long to) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\.\\.(\\d{1,18})");

  /// Checks the numbers.
  ///
  /// @throws IllegalArgumentException if they are not a range
  public Steps {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          "Steps must be a half-open range of numbers from 0 on, got [" + from + ", " + to + ").");
    }
  }

  /// Returns one step.
  ///
  /// @param step its number, at least 0
  /// @return `[step, step + 1)`
  public static Steps of(long step) {
    if (step < 0 || step == Long.MAX_VALUE) {
      throw new IllegalArgumentException("A step is a number from 0 on, got " + step + ".");
    }
    return new Steps(step, step + 1);
  }

  /// Reads a range.
  ///
  /// @param text as [#toString] writes it, such as `4700..4720`
  /// @return the range
  /// @throws IllegalArgumentException if it is no range
  public static Steps parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw Advice.argumentError(
          "Cannot read the steps '%s': expected 'A..B', the first and the one after the last, such"
              + " as 4700..4720.",
          text);
    }
    return new Steps(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
  }

  /// Returns whether a step is among these.
  ///
  /// @param step its number
  /// @return true if so
  public boolean contains(long step) {
    return step >= from && step < to;
  }

  /// Returns how many there are.
  ///
  /// @return at least 0
  public long count() {
    return to - from;
  }

  @Override
  public String toString() {
    return from + ".." + to;
  }
}
