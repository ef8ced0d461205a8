package dev.penstock.filter;

import java.util.List;

/// How deep conditions may be nested: deeper filters are refused before recursion over them can
/// overflow the stack.
final class FilterDepth {
  static final int MAX = 500;

  private FilterDepth() {}

  static List<Filter> requireTwo(List<Filter> parts) {
    if (parts.size() < 2) {
      throw new IllegalArgumentException(
          "And and Or need at least two conditions, got " + parts.size());
    }
    require(parts);
    return List.copyOf(parts);
  }

  static void require(List<Filter> parts) {
    if (depth(parts) >= MAX) {
      throw new IllegalArgumentException(
          "Cannot make the filter: it is nested more than "
              + MAX
              + " deep. Look for one of several values by 'in', and give And and Or their"
              + " conditions in one list.");
    }
  }

  private static int depth(List<Filter> parts) {
    int depth = 0;
    for (Filter part : parts) {
      depth =
          Math.max(
              depth,
              switch (part) {
                case Filter.And(List<Filter> inner) -> 1 + depth(inner);
                case Filter.Or(List<Filter> inner) -> 1 + depth(inner);
                case Filter.Not(Filter inner) -> 1 + depth(List.of(inner));
                default -> 0;
              });
    }
    return depth;
  }
}
