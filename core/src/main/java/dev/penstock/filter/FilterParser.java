package dev.penstock.filter;

import dev.penstock.filter.FilterLexer.Kind;
import dev.penstock.filter.FilterLexer.Token;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reads a [Filter] from text by recursive descent; the grammar is described at [Filter#parse].
final class FilterParser {
  /// Deeper nesting is refused before it can overflow the stack. `not (` is two levels.
  private static final int DEPTH_MAX = 2 * FilterDepth.MAX + 1;

  private final FilterLexer lexer;
  private final List<Token> tokens;
  private int next;
  private int depth;

  FilterParser(String text) {
    this.lexer = new FilterLexer(text);
    this.tokens = lexer.tokens();
  }

  Filter parse() {
    Filter filter = or();
    if (peek().kind() != Kind.END) {
      throw wrong("'and', 'or' or the end");
    }
    return filter;
  }

  private Filter or() {
    List<Filter> parts = new ArrayList<>(List.of(and()));
    while (takes("or")) {
      parts.add(and());
    }
    return parts.size() == 1 ? parts.getFirst() : new Filter.Or(parts);
  }

  private Filter and() {
    List<Filter> parts = new ArrayList<>(List.of(not()));
    while (takes("and")) {
      parts.add(not());
    }
    return parts.size() == 1 ? parts.getFirst() : new Filter.And(parts);
  }

  private Filter not() {
    if (++depth > DEPTH_MAX) {
      throw new IllegalArgumentException(
          "Cannot read the filter: it is nested more than " + FilterDepth.MAX + " deep.");
    }
    try {
      if (takes("not")) {
        return not().not();
      }
      if (takes("(")) {
        Filter inner = or();
        expect(")");
        return inner;
      }
      Filter condition = condition();
      if (operator() != null) {
        next--;
        throw wrong("'and': a < b < c is written as a < b and b < c");
      }
      return condition;
    } finally {
      depth--;
    }
  }

  private Filter condition() {
    Literal left = literal();
    if (left != null) {
      Operator operator = operator();
      String hint =
          left instanceof Literal.Text ? "; a column's name is in double quotes, or in none" : "";
      if (operator == null) {
        throw wrong("a comparison such as '<'" + hint);
      }
      if (!isColumn(peek())) {
        throw wrong("a column" + hint + quotesHint());
      }
      return new Filter.Comparison(take().text(), operator.flipped(), left);
    }
    if (isFold()) {
      return foldTest(fold());
    }
    String column = column();
    Operator operator = operator();
    if (operator != null) {
      return comparison(column, operator);
    }
    if (takes("is")) {
      boolean not = takes("not");
      Filter test;
      if (takes("null")) {
        test = new Filter.IsNull(column);
      } else if (takes("nan")) {
        test = new Filter.IsNaN(column);
      } else {
        throw wrong("'null' or 'nan'");
      }
      return not ? test.not() : test;
    }
    boolean not = takes("not");
    Filter test = wordTest(column);
    if (test == null && not) {
      throw wrong("'in', 'between', 'like' or 'starts with'");
    }
    if (test == null) {
      return new Filter.Comparison(column, Operator.EQ, new Literal.Bool(true));
    }
    return not ? test.not() : test;
  }

  private boolean isFold() {
    return peek().is("fold") && tokens.get(next + 1).is("(");
  }

  /// Reads `fold(a, b, k, seed)`.
  private Fold fold() {
    take();
    expect("(");
    List<String> columns = new ArrayList<>();
    while (peek().kind() != Kind.NUMBER) {
      columns.add(column());
      expect(",");
    }
    int k = (int) wholeNumber(1, Fold.K_MAX, "the number of folds, from 1 to " + Fold.K_MAX);
    expect(",");
    long seed = wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE, "a seed, a whole number of 64 bits");
    expect(")");
    return new Fold(columns, k, seed);
  }

  private long wholeNumber(long least, long most, String expected) {
    int start = next;
    if (literal() instanceof Literal.Num(BigDecimal number)
        && number.stripTrailingZeros().scale() <= 0
        && number.compareTo(BigDecimal.valueOf(least)) >= 0
        && number.compareTo(BigDecimal.valueOf(most)) <= 0) {
      return number.longValueExact();
    }
    next = start;
    throw wrong(expected);
  }

  private Filter foldTest(Fold fold) {
    Operator operator = operator();
    if (operator != null) {
      return inFold(fold, operator, number(fold));
    }
    boolean not = takes("not");
    Filter test;
    if (takes("in")) {
      test = new Filter.InFold(fold, list(() -> number(fold)));
    } else if (takes("between")) {
      int low = number(fold);
      expect("and");
      test = inFolds(fold, low, number(fold));
    } else {
      throw wrong("a comparison such as '<', 'in' or 'between' after a fold");
    }
    return not ? test.not() : test;
  }

  private int number(Fold fold) {
    return (int) wholeNumber(0, fold.k() - 1, "a fold, a number from 0 to " + (fold.k() - 1));
  }

  private static Filter inFold(Fold fold, Operator operator, int number) {
    return switch (operator) {
      case EQ -> fold.eq(number);
      case NE -> fold.eq(number).not();
      case LT -> inFolds(fold, 0, number - 1);
      case LE -> inFolds(fold, 0, number);
      case GT -> inFolds(fold, 0, number).not();
      case GE -> inFolds(fold, 0, number - 1).not();
    };
  }

  private static Filter inFolds(Fold fold, int low, int high) {
    return fold.in(low > high ? new int[0] : IntStream.rangeClosed(low, high).toArray());
  }

  private @Nullable Filter wordTest(String column) {
    if (takes("in")) {
      return new Filter.In(column, list(this::requireLiteral));
    }
    if (takes("between")) {
      Filter low = comparison(column, Operator.GE);
      expect("and");
      return low.and(comparison(column, Operator.LE));
    }
    if (takes("starts")) {
      expect("with");
      return new Filter.StartsWith(column, requireText());
    }
    if (takes("like")) {
      return new Filter.Like(column, requireText(), takes("escape") ? requireText() : "");
    }
    return null;
  }

  /// Reads the right side of a comparison: a value or a column.
  private Filter comparison(String column, Operator operator) {
    Literal literal = literal();
    if (literal != null) {
      return new Filter.Comparison(column, operator, literal);
    }
    return isColumn(peek())
        ? new Filter.ColumnComparison(column, operator, take().text())
        : new Filter.Comparison(column, operator, requireLiteral());
  }

  private String requireText() {
    if (peek().kind() != Kind.TEXT) {
      throw wrong("a text in single quotes");
    }
    return take().text();
  }

  /// Reads values between parentheses, maybe none.
  private <T> Set<T> list(Supplier<T> value) {
    Set<T> values = new LinkedHashSet<>();
    expect("(");
    if (takes(")")) {
      return values;
    }
    do {
      values.add(value.get());
    } while (takes(","));
    expect(")");
    return values;
  }

  private String column() {
    if (!isColumn(peek())) {
      throw wrong("a column" + quotesHint());
    }
    return take().text();
  }

  private static boolean isColumn(Token token) {
    return token.kind() == Kind.QUOTED || (token.kind() == Kind.WORD && !isReserved(token));
  }

  private static boolean isReserved(Token token) {
    return token.kind() == Kind.WORD
        && FilterText.WORDS.contains(token.text().toLowerCase(Locale.ROOT));
  }

  /// Returns a hint on quoting a column whose name is the word here, or just before.
  private String quotesHint() {
    Token word = isReserved(peek()) || next == 0 ? peek() : tokens.get(next - 1);
    return isReserved(word)
        ? "; one that is called '" + word.text() + "' is in double quotes: \"" + word.text() + "\""
        : "";
  }

  private @Nullable Operator operator() {
    if (peek().kind() != Kind.SYMBOL) {
      return null;
    }
    Operator operator =
        switch (peek().text()) {
          case "=", "==" -> Operator.EQ;
          case "!=", "<>" -> Operator.NE;
          case "<" -> Operator.LT;
          case "<=" -> Operator.LE;
          case ">" -> Operator.GT;
          case ">=" -> Operator.GE;
          default -> null;
        };
    if (operator != null) {
      take();
    }
    return operator;
  }

  private Literal requireLiteral() {
    Literal literal = literal();
    if (literal != null) {
      return literal;
    }
    if (peek().is("null")) {
      throw wrong("a value (write 'is null' to find nulls)");
    }
    if (peek().is("nan")) {
      throw wrong("a value (write 'is nan' to find NaN)");
    }
    throw wrong("a value or a column; text is in single quotes" + quotesHint());
  }

  private @Nullable Literal literal() {
    Token token = peek();
    Literal literal =
        switch (token.kind()) {
          case NUMBER -> number(token.text());
          case TEXT -> new Literal.Text(token.text());
          case WORD -> wordLiteral(token);
          case SYMBOL -> {
            boolean infinity = token.text().equals("-") && tokens.get(next + 1).is("infinity");
            next += infinity ? 1 : 0;
            yield infinity ? new Literal.Infinity(true) : null;
          }
          case QUOTED, END -> null;
        };
    if (literal != null) {
      take();
    }
    return literal;
  }

  private Literal number(String text) {
    try {
      return new Literal.Num(new BigDecimal(text));
    } catch (NumberFormatException e) {
      throw wrong("a number with a smaller exponent");
    }
  }

  private @Nullable Literal wordLiteral(Token token) {
    String word = token.text().toLowerCase(Locale.ROOT);
    return switch (word) {
      case "true", "false" -> new Literal.Bool(word.equals("true"));
      case "infinity" -> new Literal.Infinity(false);
      case "date", "time", "timestamp", "x" -> {
        if (tokens.get(next + 1).kind() != Kind.TEXT) {
          yield null; // It may be a column's name.
        }
        take();
        yield typed(word, peek().text());
      }
      default -> null;
    };
  }

  private Literal typed(String word, String value) {
    try {
      return switch (word) {
        case "x" -> new Literal.Bytes(value);
        case "date" -> new Literal.Day(LocalDate.parse(value));
        case "time" -> new Literal.TimeOfDay(LocalTime.parse(value));
        default -> Literal.timestamp(value);
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      throw wrong(
          word.equals("x")
              ? "two hexadecimal digits for each byte"
              : "a " + word + (e.getCause() == null ? " in ISO form" : " that exists"));
    }
  }

  private Token peek() {
    return tokens.get(next);
  }

  private Token take() {
    return tokens.get(next++);
  }

  /// Takes a word or a symbol if it is next.
  private boolean takes(String text) {
    boolean found = peek().is(text);
    next += found ? 1 : 0;
    return found;
  }

  private void expect(String text) {
    if (!takes(text)) {
      throw wrong("'" + text + "'");
    }
  }

  private IllegalArgumentException wrong(String expected) {
    Token token = peek();
    return lexer.wrong(
        token.place(),
        token.kind() == Kind.END ? "it ends" : "it has '" + token.text() + "'",
        expected);
  }
}
