package dev.penstock.filter;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Writes filters as text that [FilterParser] reads back.
final class FilterText {
  /// Words that must be quoted to be a column's name.
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

  static String list(Collection<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
  }

  /// Returns the text after the column.
  static String like(Filter.Like like) {
    return " like "
        + new Literal.Text(like.pattern())
        + (like.escape().isEmpty() ? "" : " escape " + new Literal.Text(like.escape()));
  }

  static String of(Filter filter) {
    StringBuilder text = new StringBuilder();
    write(filter, text);
    return text.toString();
  }

  private static void write(Filter filter, StringBuilder to) {
    switch (filter) {
      case Filter.And(List<Filter> parts) -> join(parts, " and ", to);
      case Filter.Or(List<Filter> parts) -> join(parts, " or ", to);
      case Filter.Not(Filter part) -> not(part, to);
      default -> to.append(filter);
    }
  }

  /// Joins parts. Parts that need it get parentheses, and so do parts of the same kind, which would
  /// otherwise be merged into the whole when parsed.
  private static void join(List<Filter> parts, String word, StringBuilder to) {
    boolean and = word.equals(" and ");
    for (int i = 0; i < parts.size(); i++) {
      Filter part = parts.get(i);
      boolean apart = part instanceof Filter.Or || (and && part instanceof Filter.And);
      to.append(i == 0 ? "" : word).append(apart ? "(" : "");
      write(part, to);
      to.append(apart ? ")" : "");
    }
  }

  private static void not(Filter part, StringBuilder to) {
    switch (part) {
      case Filter.IsNull(String column) -> to.append(column(column)).append(" is not null");
      case Filter.IsNaN(String column) -> to.append(column(column)).append(" is not nan");
      case Filter.In in ->
          to.append(column(in.column())).append(" not in ").append(list(in.values()));
      case Filter.InFold in -> to.append(in.fold()).append(" not in ").append(list(in.folds()));
      case Filter.StartsWith starts ->
          to.append(column(starts.column()))
              .append(" not starts with ")
              .append(new Literal.Text(starts.prefix()));
      case Filter.Like like -> to.append(column(like.column())).append(" not").append(like(like));
      default -> {
        to.append("not (");
        write(part, to);
        to.append(")");
      }
    }
  }
}
