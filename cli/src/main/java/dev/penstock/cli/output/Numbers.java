package dev.penstock.cli.output;

import dev.penstock.split.ByteSize;
import java.util.Locale;

/// Numbers as people read them.
public final class Numbers {
  private Numbers() {}

  /// Returns a number in groups of three digits, for example `1,234,567`.
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /// Returns a number with its noun in the right form, for example `1 file` or `2 files`.
  public static String count(long number, String noun) {
    return count(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /// Returns a speed, for example `2.14 M` or `835 k`.
  public static String rate(double perSecond) {
    if (perSecond >= 999_500) {
      return String.format(Locale.ROOT, "%.2f M", perSecond / 1e6);
    }
    return perSecond >= 999.5
        ? String.format(Locale.ROOT, "%.0f k", perSecond / 1e3)
        : String.format(Locale.ROOT, "%.0f", perSecond);
  }

  /// Returns a size, for example `1.5 MiB`.
  public static String bytes(long bytes) {
    return new ByteSize(bytes).toString();
  }

  /// Returns a number with a fixed number of decimals, for example `0.250` with 3.
  public static String fixed(double number, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", number);
  }

  /// Returns a part of 1 as a percentage, for example `2.5 %` or `40 %`.
  public static String percent(double part) {
    return fixed(100 * part, part > 0 && part < 0.0995 ? 1 : 0) + " %";
  }
}
