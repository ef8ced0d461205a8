package dev.penstock.internal.csv;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// How values of a kind are written that are not written as usual.
///
/// Columns read values only as they are usually written, so texts are turned into that.
@FunctionalInterface
interface Spelling {
  /// Returns how a value is usually written.
  ///
  /// @param text the value in this spelling, without blanks around it
  /// @return the same value, as [dev.penstock.internal.text.TextTypes] knows it, or a text that is
  ///   none; empty for a text that is surely none
  Optional<String> usual(String text);

  /// Returns that of numbers.
  ///
  /// @param decimal the character before the fraction
  /// @param thousands what is between groups of three digits before it; empty for nothing
  static Spelling ofNumbers(char decimal, Optional<String> thousands) {
    String group = thousands.orElse("");
    String quoted = Pattern.quote(group);
    Pattern whole = Pattern.compile("(?:[0-9+-]" + (group.isEmpty() ? "" : "|" + quoted) + ")*");
    Pattern grouped = Pattern.compile("[+-]?[0-9]{1,3}(?:" + quoted + "[0-9]{3})+");
    return text -> {
      var found = whole.matcher(text);
      int end = found.lookingAt() ? found.end() : 0;
      String digits = text.substring(0, end);
      String rest = text.substring(end);
      if (!group.isEmpty() && digits.contains(group)) {
        if (!grouped.matcher(digits).matches()) {
          return Optional.empty();
        }
        digits = digits.replace(group, "");
      }
      return decimal != '.' && text.indexOf('.', end) >= 0
          ? Optional.empty()
          : Optional.of(digits + rest.replace(decimal, '.'));
    };
  }

  /// Returns that of booleans; `true` and `false` stay what they are.
  ///
  /// @param yes what is true besides
  /// @param no what is false besides
  static Spelling ofBooleans(List<String> yes, List<String> no) {
    return text -> Optional.of(yes.contains(text) ? "true" : no.contains(text) ? "false" : text);
  }

  /// Returns that of dates.
  ///
  /// @param pattern one of [DateTimeFormatter]
  /// @throws IllegalArgumentException if it is none, or does not say which day
  static Spelling ofDates(String pattern) {
    DateTimeFormatter parser = parser(pattern);
    Spelling dates =
        text -> {
          try {
            return Optional.of(parser.parse(text, LocalDate::from).toString());
          } catch (DateTimeException _) {
            return Optional.empty();
          }
        };
    return checked(dates, parser);
  }

  /// Returns that of timestamps, which are in UTC where the pattern has an offset or a zone.
  ///
  /// @param pattern one of [DateTimeFormatter]
  /// @throws IllegalArgumentException if it is none, or does not say which day and time
  static Spelling ofTimestamps(String pattern) {
    DateTimeFormatter parser = parser(pattern);
    Spelling timestamps =
        text -> {
          try {
            TemporalAccessor time =
                parser.parseBest(text, ZonedDateTime::from, LocalDateTime::from);
            return Optional.of(
                time instanceof ZonedDateTime zoned
                    ? utc(zoned)
                    : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time));
          } catch (DateTimeException _) {
            return Optional.empty();
          }
        };
    return checked(timestamps, parser);
  }

  private static String utc(ZonedDateTime time) {
    OffsetDateTime moved = time.toOffsetDateTime().withOffsetSameInstant(ZoneOffset.UTC);
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(moved);
  }

  /// Makes a parser that takes no day or time that there is not, such as February 30.
  private static DateTimeFormatter parser(String pattern) {
    return new DateTimeFormatterBuilder()
        .parseCaseInsensitive()
        .appendPattern(pattern)
        .parseDefaulting(ChronoField.ERA, 1)
        .toFormatter(Locale.ENGLISH)
        .withResolverStyle(ResolverStyle.STRICT);
  }

  private static Spelling checked(Spelling times, DateTimeFormatter parser) {
    ZonedDateTime any = ZonedDateTime.of(2001, 1, 31, 13, 45, 0, 0, ZoneOffset.UTC);
    try {
      if (times.usual(parser.format(any)).isPresent()) {
        return times;
      }
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("The pattern cannot be written", e);
    }
    throw new IllegalArgumentException("The pattern does not say which day or time it is");
  }
}
