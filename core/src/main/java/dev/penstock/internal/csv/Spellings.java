package dev.penstock.internal.csv;

import dev.penstock.internal.text.FormatOptions;
import dev.penstock.internal.text.Swar;
import dev.penstock.internal.text.TextColumn;
import dev.penstock.internal.text.TextTypes;
import dev.penstock.schema.DataType;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The user's spellings of values: of each kind that is not the usual one.
record Spellings(Map<Kind, Spelling> stated) {
  private static final int BYTES_MAX = 1024; // the most bytes of a value in another spelling

  /// The kinds of values, in the order in which a text is tried.
  enum Kind {
    NUMBER,
    BOOLEAN,
    DATE,
    TIMESTAMP
  }

  static Spellings of(FormatOptions options) {
    Map<Kind, Spelling> stated = new EnumMap<>(Kind.class);
    if (options.has("decimal") || options.has("thousands")) {
      stated.put(Kind.NUMBER, numbers(options));
    }
    if (options.has("true") || options.has("false")) {
      stated.put(Kind.BOOLEAN, booleans(options));
    }
    if (options.has("date-format")) {
      stated.put(
          Kind.DATE, times(options, "date-format", Spelling::ofDates, "dates such as dd.MM.yyyy"));
    }
    if (options.has("timestamp-format")) {
      stated.put(
          Kind.TIMESTAMP,
          times(
              options,
              "timestamp-format",
              Spelling::ofTimestamps,
              "dates and times such as dd.MM.yyyy HH:mm:ss"));
    }
    return new Spellings(stated);
  }

  private static Spelling numbers(FormatOptions options) {
    int decimal = options.character("decimal", '.', false);
    if (isPartOfNumbers(decimal)) {
      throw FormatOptions.wrong(
          "decimal",
          String.valueOf((char) decimal),
          "one ASCII character that is no letter, digit or sign");
    }
    Optional<String> thousands = options.text("thousands");
    thousands.ifPresent(text -> {
      if (text.codePointCount(0, text.length()) != 1 || isPartOfNumbers(text.codePointAt(0))) {
        throw FormatOptions.wrong(
            "thousands", text, "one character that is no letter, digit or sign");
      }
      if (text.codePointAt(0) == decimal) {
        throw FormatOptions.wrong("thousands", text, "another character than option 'decimal'");
      }
    });
    return Spelling.ofNumbers((char) decimal, thousands);
  }

  private static boolean isPartOfNumbers(int character) {
    return Character.isLetterOrDigit(character) || character == '+' || character == '-';
  }

  private static Spelling booleans(FormatOptions options) {
    List<String> yes = options.list("true").orElse(List.of());
    List<String> no = options.list("false").orElse(List.of());
    if (yes.stream().anyMatch(text -> no.contains(text) || text.equalsIgnoreCase("false"))
        || no.stream().anyMatch("true"::equalsIgnoreCase)) {
      throw FormatOptions.wrong(
          "true", String.join(",", yes), "other texts than option 'false' and than false");
    }
    return Spelling.ofBooleans(yes, no);
  }

  private static Spelling times(
      FormatOptions options, String key, Function<String, Spelling> made, String expected) {
    String pattern = options.text(key).orElseThrow();
    try {
      return made.apply(pattern);
    } catch (IllegalArgumentException _) {
      throw FormatOptions.wrong(key, pattern, "a pattern of " + expected);
    }
  }

  /// Returns the narrowest type of a text, like [TextTypes#of] but with these spellings. `copy` is
  /// memory for converted texts.
  DataType typeOf(long from, long to, CopiedText copy) {
    DataType usual = TextTypes.of(from, to);
    if (stated.isEmpty()) {
      return usual;
    }
    for (Kind kind : Kind.values()) {
      Spelling spelling = stated.get(kind);
      DataType found =
          spelling == null
              ? usual
              : copyUsual(spelling, from, to, copy)
                  ? TextTypes.of(copy.from, copy.to)
                  : DataType.string();
      if (kind == kind(found)) {
        return found;
      }
    }
    return DataType.string();
  }

  /// Returns the spelling of values of a type, or null if it is the usual one. A timestamp may be
  /// just a date.
  @Nullable Spelling of(DataType type) {
    Kind kind = kind(type);
    Spelling spelling = kind == null ? null : stated.get(kind);
    Spelling dates = stated.get(Kind.DATE);
    if (kind != Kind.TIMESTAMP || (spelling == null && dates == null)) {
      return spelling;
    }
    return text -> {
      boolean isUsualTime = text.indexOf(':') >= 0;
      return usual(spelling, text, isUsualTime).or(() -> usual(dates, text, !isUsualTime));
    };
  }

  private static Optional<String> usual(@Nullable Spelling spelling, String text, boolean isUsual) {
    return spelling != null ? spelling.usual(text) : Optional.of(text).filter(_ -> isUsual);
  }

  /// Converts a value to the usual spelling, into `copy`; false if the text is certainly not a
  /// value.
  static boolean copyUsual(Spelling spelling, long from, long to, CopiedText copy) {
    long start = Swar.blanksEnd(from, to);
    long end = Swar.blanksStart(start, to);
    if (end - start > BYTES_MAX) {
      return false;
    }
    Optional<String> usual = spelling.usual(TextColumn.text(start, end));
    usual.ifPresent(text -> copy.set(text.getBytes(StandardCharsets.UTF_8)));
    return usual.isPresent();
  }

  private static @Nullable Kind kind(DataType type) {
    return switch (TextTypes.near(type)) {
      case DataType.Int _, DataType.Floating _, DataType.Decimal _ -> Kind.NUMBER;
      case DataType.Bool _ -> Kind.BOOLEAN;
      case DataType.Date _ -> Kind.DATE;
      case DataType.Timestamp _ -> Kind.TIMESTAMP;
      default -> null;
    };
  }
}
