package dev.penstock.internal.csv;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
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
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/// An unusual way to write values of a kind.
///
/// Columns only read the usual spelling, so texts are converted to it.
@FunctionalInterface
interface Spelling {
  /// Returns the usual spelling, as [dev.penstock.internal.text.TextTypes] reads it, of a value
  /// without blanks around it. Empty, or a text that is not a value, if it is not a value.
  Optional<String> usual(String text);

  /// Returns the spelling of numbers, by the character before the fraction and the text between
  /// groups of three digits before it.
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

  /// Returns the spelling of booleans; `true` and `false` are also accepted.
  static Spelling ofBooleans(List<String> yes, List<String> no) {
    return text -> Optional.of(yes.contains(text) ? "true" : no.contains(text) ? "false" : text);
  }

  /// Returns the spelling of dates by a pattern of [DateTimeFormatter], which must determine the
  /// day.
  static Spelling ofDates(String pattern) {
    return ofTimes(pattern, (parser, text) -> parser.parse(text, LocalDate::from).toString());
  }

  /// Returns the spelling of timestamps by a pattern of [DateTimeFormatter], which must determine
  /// day and time. They are in UTC if the pattern has an offset or a zone.
  static Spelling ofTimestamps(String pattern) {
    return ofTimes(
        pattern,
        (parser, text) -> {
          TemporalAccessor time = parser.parseBest(text, ZonedDateTime::from, LocalDateTime::from);
          return time instanceof ZonedDateTime zoned
              ? DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                  zoned.toOffsetDateTime().withOffsetSameInstant(ZoneOffset.UTC))
              : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time);
        });
  }

  /// Makes a spelling by a pattern. It rejects days and times that do not exist, such as February
  /// 30.
  private static Spelling ofTimes(
      String pattern, BiFunction<DateTimeFormatter, String, String> usual) {
    DateTimeFormatter parser =
        new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern(pattern)
            .parseDefaulting(ChronoField.ERA, 1)
            .toFormatter(Locale.ENGLISH)
            .withResolverStyle(ResolverStyle.STRICT);
    Spelling times =
        text -> {
          try {
            return Optional.of(usual.apply(parser, text));
          } catch (DateTimeException _) {
            return Optional.empty();
          }
        };
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
