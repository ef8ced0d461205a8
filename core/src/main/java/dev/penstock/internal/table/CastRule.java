package dev.penstock.internal.table;

import dev.penstock.schema.DataType;
import java.util.regex.Pattern;

/// A request to read some columns as another type.
///
/// @param pattern a column's name, or one with the wildcards `*` and `?`
/// @param type the wanted type
/// @param lossy whether a value that does not fit the type becomes the nearest one that does
/// @param exact matches names with case
/// @param anyCase matches names without case
public record CastRule(
    String pattern, DataType type, boolean lossy, Pattern exact, Pattern anyCase) {
  /// Returns the rule for a pattern.
  ///
  /// @param pattern a column's name, or one with the wildcards `*` and `?`
  /// @param type the wanted type
  /// @param lossy whether values may be changed
  /// @return the rule
  /// @throws IllegalArgumentException if the pattern is blank, or nothing can be cast to the type
  public static CastRule of(String pattern, DataType type, boolean lossy) {
    if (pattern.isBlank()) {
      throw new IllegalArgumentException("Cannot cast column '" + pattern + "': it has no name.");
    }
    if (type instanceof DataType.Struct
        || type instanceof DataType.Map
        || type instanceof DataType.Null
        || type instanceof DataType.Unsupported) {
      throw new IllegalArgumentException(
          "Cannot cast column '"
              + pattern
              + "' to "
              + type
              + ": name the parts of a struct one by one, as 'column.part'.");
    }
    String regex =
        pattern
            .codePoints()
            .mapToObj(c -> c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c)))
            .reduce("", String::concat);
    int flags = Pattern.DOTALL;
    return new CastRule(
        pattern,
        type,
        lossy,
        Pattern.compile(regex, flags),
        Pattern.compile(regex, flags | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE));
  }

  boolean hasWildcard() {
    return pattern.indexOf('*') >= 0 || pattern.indexOf('?') >= 0;
  }

  boolean matches(String path, Names names) {
    return (names.caseSensitive() ? exact : anyCase).matcher(path).matches();
  }
}
