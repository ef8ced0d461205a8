package dev.penstock.split;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A number of bytes, written the way people do: `128MiB`, `1.5 GB`, `4096`.
///
/// @param bytes the number, not negative
public record ByteSize(long bytes) {
  /// Throws [IllegalArgumentException] if `bytes` is negative.
  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("A size must not be negative, got " + bytes + " bytes.");
    }
  }

  /// {@return the size that a text states; a fraction of a byte is dropped} `KiB`, `MiB`, `GiB`,
  /// `TiB` count in powers of 1024; `KB`, `MB`, `GB`, `TB` in powers of 1000; `K`, `M`, `G`, `T`
  /// alone mean the same as `KB` to `TB`. Case and spaces do not matter.
  ///
  /// @param text the size, for example `128MiB`
  /// @throws IllegalArgumentException if the text is not a size or exceeds 63 bits
  public static ByteSize parse(String text) {
    Pattern pattern = Pattern.compile("\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(?:([KMGT])(I)?)?B?\\s*");
    Matcher matcher = pattern.matcher(text.toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "Cannot read '" + text + "' as a size: expected a number and a unit, such as '128MiB'.");
    }
    String prefix = matcher.group(2);
    long base = matcher.group(3) == null ? 1000 : 1024;
    int power = prefix == null ? 0 : "KMGT".indexOf(prefix) + 1;
    BigDecimal bytes =
        new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(base).pow(power));
    if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          "Cannot use '" + text + "' as a size: it exceeds 63 bits.");
    }
    return new ByteSize(bytes.longValue());
  }

  /// {@return the size in the largest binary unit that gives a short number: `128 MiB`, `1.5 GiB`,
  /// `12 B`}
  @Override
  public String toString() {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f %s", value, units[unit])
        : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }
}
