package dev.penstock.filter;

/// How a column's value is compared with another.
public enum Operator {
  /// Equal.
  EQ("="),
  /// Not equal.
  NE("!="),
  /// Less than.
  LT("<"),
  /// Less than or equal.
  LE("<="),
  /// Greater than.
  GT(">"),
  /// Greater than or equal.
  GE(">=");

  private final String symbol;

  Operator(String symbol) {
    this.symbol = symbol;
  }

  /// {@return whether the comparison holds}
  ///
  /// @param order negative, 0 or positive, as `compareTo` of the left value gives it for the right
  public boolean test(int order) {
    return switch (this) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
    };
  }

  /// {@return the comparison with its sides exchanged, for example `GT` for `LT`: `5 > x` is `x <
  /// 5`}
  public Operator flipped() {
    return switch (this) {
      case EQ, NE -> this;
      case LT -> GT;
      case LE -> GE;
      case GT -> LT;
      case GE -> LE;
    };
  }

  /// {@return the comparison that holds where this one does not, of values that are not NaN}
  public Operator negated() {
    return switch (this) {
      case EQ -> NE;
      case NE -> EQ;
      case LT -> GE;
      case LE -> GT;
      case GT -> LE;
      case GE -> LT;
    };
  }

  @Override
  public String toString() {
    return symbol;
  }
}
