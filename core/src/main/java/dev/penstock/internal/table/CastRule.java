package dev.penstock.internal.table;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;

/// A request to read the columns of a name, or of a pattern with `*` and `?`, as another type; if
/// `lossy`, a value that does not fit becomes the nearest one that does. The pattern is kept
/// compiled for names with case, `exact`, and without, `anyCase`.
public record CastRule(
    String pattern, DataType type, boolean lossy, Wildcards exact, Wildcards anyCase) {
  /// Throws [IllegalArgumentException] if the pattern is blank, or nothing can be cast to the type.
  public static CastRule of(String pattern, DataType type, boolean lossy) {
    if (pattern.isBlank()) {
      throw new IllegalArgumentException("Cannot cast column '" + pattern + "': it has no name.");
    }
    if (type instanceof DataType.Struct
        || type instanceof DataType.Map
        || type instanceof DataType.Null
        || type instanceof DataType.Unsupported) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot cast column '%s' to %s: name the parts of a struct one by one, as"
                  + " 'column.part'.",
              pattern, type));
    }
    return new CastRule(pattern, type, lossy, wildcards(pattern, true), wildcards(pattern, false));
  }

  private static Wildcards wildcards(String pattern, boolean withCase) {
    Wildcards made = new Wildcards();
    Names.dotted(pattern)
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
