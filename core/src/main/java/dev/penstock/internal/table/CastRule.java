package dev.penstock.internal.table;

import dev.penstock.schema.DataType;

/// A request to read some columns as another type.
///
/// @param pattern a column's name, or one with the wildcards `*` and `?`
/// @param type the wanted type
/// @param lossy whether a value that does not fit the type becomes the nearest one that does
/// @param exact matches names with case
/// @param anyCase matches names without case
public record CastRule(
    String pattern, DataType type, boolean lossy, Wildcards exact, Wildcards anyCase) {
  /// Returns the rule for a pattern.
  ///
  /// @param pattern a column's name, or one with the wildcards `*` and `?`
  /// @param type the wanted type
  /// @param lossy whether values may be changed
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
          ("Cannot cast column '%s' to %s: name the parts of a struct one by one, as"
                  + " 'column.part'.")
              .formatted(pattern, type));
    }
    return new CastRule(pattern, type, lossy, wildcards(pattern, true), wildcards(pattern, false));
  }

  private static Wildcards wildcards(String pattern, boolean withCase) {
    Wildcards made = new Wildcards();
    pattern
        .codePoints()
        .forEach(c -> {
          switch (c) {
            case '*' -> made.many(_ -> true);
            case '?' -> made.one(_ -> true);
            default -> made.one(withCase ? found -> found == c : found -> fold(found) == fold(c));
          }
        });
    return made;
  }

  private static int fold(int c) {
    return Character.toLowerCase(Character.toUpperCase(c));
  }

  boolean hasWildcard() {
    return pattern.indexOf('*') >= 0 || pattern.indexOf('?') >= 0;
  }

  boolean matches(String path, Names names) {
    return (names.caseSensitive() ? exact : anyCase).matches(path);
  }
}
