package dev.penstock.schema;

import dev.penstock.schema.DataType.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The text form of types.
final class TypeText {
  private static final Pattern FORM =
      Pattern.compile("([a-z]+)([0-9]{1,3})?(?:\\((.*)\\)|\\[(ms|us|ns)(, *UTC)?\\])?");

  private TypeText() {}

  static DataType parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    DataType type = null;
    try {
      type = form.matches() ? type(form) : null;
    } catch (IllegalArgumentException _) {
      // Reported below, with the text.
    }
    if (type == null || !type.toString().replace(" ", "").equals(text.replace(" ", ""))) {
      throw new IllegalArgumentException(
          "Cannot cast to '"
              + text
              + "': expected a type as 'penstock schema' prints it, such as int64, float32,"
              + " decimal(10, 2), string, bool, date or timestamp[us, UTC].");
    }
    return type;
  }

  private static @Nullable DataType type(Matcher form) {
    String digits = form.group(2);
    int bits = digits == null ? 0 : Integer.parseInt(digits);
    boolean utc = form.group(5) != null;
    return switch (form.group(1)) {
      case "bool" -> new DataType.Bool();
      case "int" -> new DataType.Int(bits, true);
      case "uint" -> new DataType.Int(bits, false);
      case "float" -> new DataType.Floating(bits);
      case "decimal" -> {
        String[] parts = String.valueOf(form.group(3)).split(", *", -1);
        yield parts.length == 2
            ? new DataType.Decimal(Integer.parseInt(parts[0]), Integer.parseInt(parts[1].strip()))
            : null;
      }
      case "string" -> new DataType.Utf8();
      case "binary" -> new DataType.Binary();
      case "fixed" -> new DataType.FixedBinary(Integer.parseInt(String.valueOf(form.group(3))));
      case "uuid" -> new DataType.Uuid();
      case "date" -> new DataType.Date();
      case "time" -> new DataType.Time(unit(form), utc);
      case "timestamp" -> new DataType.Timestamp(unit(form), utc);
      default -> null;
    };
  }

  private static TimeUnit unit(Matcher form) {
    for (TimeUnit unit : TimeUnit.values()) {
      if (unit.toString().equals(form.group(4))) {
        return unit;
      }
    }
    throw new IllegalArgumentException("No unit.");
  }
}
