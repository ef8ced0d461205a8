package dev.penstock.filter;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Writes filters as text that [FilterParser] reads back.
final class FilterText {
  /// Words that a column's name must be quoted to have.
  static final Set<String> WORDS =
      Set.of("and", "or", "not", "in", "between", "is", "null", "nan", "true", "false", "infinity");

  private FilterText() {}

  static String column(String name) {
    boolean plain =
        !name.isEmpty()
            && isWordStart(name.charAt(0))
            && name.chars().allMatch(c -> isWordPart((char) c))
            && !WORDS.contains(name.toLowerCase(Locale.ROOT));
    return plain ? name : "\"" + name.replace("\"", "\"\"") + "\"";
  }

  static boolean isWordStart(char c) {
    return Character.isLetter(c) || c == '_';
  }

  static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.';
  }

  static String list(Collection<Literal> values) {
    return values.stream().map(Literal::toString).collect(Collectors.joining(", ", "(", ")"));
  }

  /// Joins parts, with parentheses around those of the given kinds.
  static String join(
      List<Filter> parts, String word, Class<? extends Filter> one, Class<? extends Filter> other) {
    return parts.stream()
        .map(part -> one.isInstance(part) || other.isInstance(part) ? "(" + part + ")" : "" + part)
        .collect(Collectors.joining(word));
  }

  static String not(Filter part) {
    return switch (part) {
      case Filter.IsNull(String column) -> column(column) + " is not null";
      case Filter.IsNaN(String column) -> column(column) + " is not nan";
      case Filter.In in -> column(in.column()) + " not in " + list(in.values());
      case Filter.StartsWith starts ->
          column(starts.column()) + " not starts with " + new Literal.Text(starts.prefix());
      default -> "not (" + part + ")";
    };
  }
}
