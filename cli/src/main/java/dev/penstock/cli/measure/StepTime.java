package dev.penstock.cli.measure;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How long a training step keeps an accelerator busy, from 1 us to 3600 s.
///
/// @param text the length as the user wrote it, such as `0.375ms`
/// @param nanos the length in nanoseconds
public record StepTime(String text, long nanos) {
  private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(us|ms|s)");
  private static final int LENGTH_MAX = 32;
  private static final BigDecimal LEAST = BigDecimal.valueOf(1_000);
  private static final BigDecimal MOST = BigDecimal.valueOf(3_600_000_000_000L);

  /// Reads a length.
  ///
  /// @param option whose value it is, for the error
  /// @throws IllegalArgumentException if it is not a number with a unit, or out of range
  public static StepTime parse(String option, String text) {
    Matcher form = FORM.matcher(text);
    if (text.length() <= LENGTH_MAX && form.matches()) {
      BigDecimal nanos =
          new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(nanosOf(form.group(2))));
      if (nanos.compareTo(LEAST) >= 0 && nanos.compareTo(MOST) <= 0) {
        return new StepTime(text, nanos.longValue());
      }
    }
    throw new IllegalArgumentException(
        "Cannot use "
            + option
            + " '"
            + text
            + "': expected a number with the unit us, ms or s, from 1us to 3600s, such as 0.375ms.");
  }

  private static long nanosOf(String unit) {
    return switch (unit) {
      case "us" -> 1_000;
      case "ms" -> 1_000_000;
      default -> 1_000_000_000;
    };
  }

  public double seconds() {
    return nanos / 1e9;
  }
}
