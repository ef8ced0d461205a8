package dev.penstock.filter;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reads a [Filter] from text by recursive descent; the grammar is described at [Filter#parse].
final class FilterParser {
  /// Deeper nesting is refused before it can overflow the stack. `not (` is two levels.
  private static final int DEPTH_MAX = 2 * FilterText.DEPTH_MAX + 1;

  /// A date and time, and how far it is ahead of UTC.
  static final Pattern ZONED = Pattern.compile("(.*T.*?)(Z|[+-][0-9]{2}(?::?[0-9]{2})?)");

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]{1,10})?");

  private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"]|\"\")*\"");

  private enum Kind {
    WORD,
    QUOTED,
    TEXT,
    NUMBER,
    SYMBOL,
    END
  }

  /// A piece of the text.
  private record Token(Kind kind, String text, int place) {
    boolean isWord(String word) {
      return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    boolean isSymbol(String symbol) {
      return kind == Kind.SYMBOL && text.equals(symbol);
    }
  }

  private final String text;
  private final List<Token> tokens;
  private int next;
  private int depth;

  FilterParser(String text) {
    this.text = text;
    this.tokens = tokens();
  }

  Filter parse() {
    Filter filter = or();
    if (peek().kind != Kind.END) {
      throw wrong("'and', 'or' or the end");
    }
    return filter;
  }

  private Filter or() {
    List<Filter> parts = new ArrayList<>(List.of(and()));
    while (takeWord("or")) {
      parts.add(and());
    }
    return parts.size() == 1 ? parts.getFirst() : new Filter.Or(parts);
  }

  private Filter and() {
    List<Filter> parts = new ArrayList<>(List.of(not()));
    while (takeWord("and")) {
      parts.add(not());
    }
    return parts.size() == 1 ? parts.getFirst() : new Filter.And(parts);
  }

  private Filter not() {
    if (++depth > DEPTH_MAX) {
      throw new IllegalArgumentException(
          "Cannot read the filter: it is nested more than " + FilterText.DEPTH_MAX + " deep.");
    }
    try {
      if (takeWord("not")) {
        return not().not();
      }
      if (takeSymbol("(")) {
        Filter inner = or();
        expectSymbol(")");
        return inner;
      }
      return condition();
    } finally {
      depth--;
    }
  }

  private Filter condition() {
    Literal left = literal();
    if (left != null) {
      Operator operator = operator();
      if (operator == null) {
        throw wrong("a comparison such as '<'");
      }
      return new Filter.Comparison(column(), operator.flipped(), left);
    }
    if (isFold()) {
      return foldTest(fold());
    }
    String column = column();
    Operator operator = operator();
    if (operator != null) {
      return comparison(column, operator);
    }
    if (takeWord("is")) {
      boolean not = takeWord("not");
      Filter test;
      if (takeWord("null")) {
        test = new Filter.IsNull(column);
      } else if (takeWord("nan")) {
        test = new Filter.IsNaN(column);
      } else {
        throw wrong("'null' or 'nan'");
      }
      return not ? test.not() : test;
    }
    boolean not = takeWord("not");
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
    return peek().isWord("fold") && tokens.get(next + 1).isSymbol("(");
  }

  /// Reads `fold(a, b, k, seed)`.
  private Fold fold() {
    take();
    expectSymbol("(");
    List<String> columns = new ArrayList<>();
    while (peek().kind != Kind.NUMBER) {
      columns.add(column());
      expectSymbol(",");
    }
    int k = (int) wholeNumber(1, Fold.K_MAX, "the number of folds, from 1 to " + Fold.K_MAX);
    expectSymbol(",");
    long seed = wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE, "a seed, a whole number of 64 bits");
    expectSymbol(")");
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
    boolean not = takeWord("not");
    Filter test;
    if (takeWord("in")) {
      test = new Filter.InFold(fold, numbers(fold));
    } else if (takeWord("between")) {
      int low = number(fold);
      expectWord("and");
      test = inFolds(fold, low, number(fold));
    } else {
      throw wrong("a comparison such as '<', 'in' or 'between' after a fold");
    }
    return not ? test.not() : test;
  }

  private int number(Fold fold) {
    return (int) wholeNumber(0, fold.k() - 1, "a fold, a number from 0 to " + (fold.k() - 1));
  }

  private Set<Integer> numbers(Fold fold) {
    Set<Integer> numbers = new TreeSet<>();
    expectSymbol("(");
    if (takeSymbol(")")) {
      return numbers;
    }
    do {
      numbers.add(number(fold));
    } while (takeSymbol(","));
    expectSymbol(")");
    return numbers;
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
    if (takeWord("in")) {
      return new Filter.In(column, list());
    }
    if (takeWord("between")) {
      Filter low = comparison(column, Operator.GE);
      expectWord("and");
      return low.and(comparison(column, Operator.LE));
    }
    if (takeWord("starts")) {
      expectWord("with");
      return new Filter.StartsWith(column, requireText());
    }
    if (takeWord("like")) {
      return new Filter.Like(column, requireText(), takeWord("escape") ? requireText() : "");
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
        ? new Filter.ColumnComparison(column, operator, take().text)
        : new Filter.Comparison(column, operator, requireLiteral());
  }

  private String requireText() {
    if (peek().kind != Kind.TEXT) {
      throw wrong("a text in single quotes");
    }
    return take().text;
  }

  private Set<Literal> list() {
    Set<Literal> values = new LinkedHashSet<>();
    expectSymbol("(");
    if (takeSymbol(")")) {
      return values;
    }
    do {
      values.add(requireLiteral());
    } while (takeSymbol(","));
    expectSymbol(")");
    return values;
  }

  private String column() {
    if (!isColumn(peek())) {
      throw wrong("a column" + quotesHint());
    }
    return take().text;
  }

  private static boolean isColumn(Token token) {
    return token.kind == Kind.QUOTED || (token.kind == Kind.WORD && !isReserved(token));
  }

  private static boolean isReserved(Token token) {
    return token.kind == Kind.WORD
        && FilterText.WORDS.contains(token.text.toLowerCase(Locale.ROOT));
  }

  /// Returns a hint on quoting a column whose name is the word here, or just before.
  private String quotesHint() {
    Token word = isReserved(peek()) || next == 0 ? peek() : tokens.get(next - 1);
    return isReserved(word)
        ? "; one that is called '" + word.text + "' is in double quotes: \"" + word.text + "\""
        : "";
  }

  private @Nullable Operator operator() {
    if (peek().kind != Kind.SYMBOL) {
      return null;
    }
    Operator operator =
        switch (peek().text) {
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
    if (peek().isWord("null")) {
      throw wrong("a value (write 'is null' to find nulls)");
    }
    if (peek().isWord("nan")) {
      throw wrong("a value (write 'is nan' to find NaN)");
    }
    throw wrong("a value or a column; text is in single quotes" + quotesHint());
  }

  private @Nullable Literal literal() {
    Token token = peek();
    Literal literal =
        switch (token.kind) {
          case NUMBER -> number(token.text);
          case TEXT -> new Literal.Text(token.text);
          case WORD -> wordLiteral(token);
          case SYMBOL -> {
            boolean infinity = token.text.equals("-") && tokens.get(next + 1).isWord("infinity");
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
    String word = token.text.toLowerCase(Locale.ROOT);
    return switch (word) {
      case "true", "false" -> new Literal.Bool(word.equals("true"));
      case "infinity" -> new Literal.Infinity(false);
      case "date", "time", "timestamp" -> {
        if (tokens.get(next + 1).kind != Kind.TEXT) {
          yield null; // It may be a column's name.
        }
        take();
        yield temporal(word, peek().text);
      }
      case "x" -> {
        if (tokens.get(next + 1).kind != Kind.TEXT) {
          yield null;
        }
        take();
        yield bytes(peek().text);
      }
      default -> null;
    };
  }

  private Literal bytes(String hex) {
    try {
      return new Literal.Bytes(hex);
    } catch (IllegalArgumentException e) {
      throw wrong("two hexadecimal digits for each byte");
    }
  }

  private Literal temporal(String word, String value) {
    try {
      return switch (word) {
        case "date" -> new Literal.Day(LocalDate.parse(value));
        case "time" -> new Literal.TimeOfDay(LocalTime.parse(value));
        default -> Literal.timestamp(value);
      };
    } catch (DateTimeException e) {
      throw wrong("a " + word + " in ISO form");
    }
  }

  private Token peek() {
    return tokens.get(next);
  }

  private Token take() {
    return tokens.get(next++);
  }

  private boolean takeWord(String word) {
    boolean found = peek().isWord(word);
    next += found ? 1 : 0;
    return found;
  }

  private boolean takeSymbol(String symbol) {
    boolean found = peek().isSymbol(symbol);
    next += found ? 1 : 0;
    return found;
  }

  private void expectWord(String word) {
    if (!takeWord(word)) {
      throw wrong("'" + word + "'");
    }
  }

  private void expectSymbol(String symbol) {
    if (!takeSymbol(symbol)) {
      throw wrong("'" + symbol + "'");
    }
  }

  private IllegalArgumentException wrong(String expected) {
    Token token = peek();
    return wrong(
        token.kind == Kind.END ? "it ends" : "it has '" + token.text + "'", token.place, expected);
  }

  private IllegalArgumentException wrong(String found, int place, String expected) {
    return new IllegalArgumentException(
        "Cannot read the filter: "
            + found
            + " at character "
            + (place + 1)
            + " but expected "
            + expected
            + ". [\""
            + text
            + "\"]");
  }

  private List<Token> tokens() {
    List<Token> found = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
        continue;
      }
      int end =
          switch (c) {
            case '\'' -> quoteEnd(at, c);
            case '"' -> nameEnd(at);
            case '<', '>', '=', '!' -> at + (isOperatorTail(at + 1) ? 2 : 1);
            case '(', ')', ',' -> at + 1;
            default -> isNumberStart(at) ? numberEnd(at) : c == '-' ? at + 1 : nameEnd(at);
          };
      found.add(token(c, at, end));
      at = end;
    }
    found.add(new Token(Kind.END, "", text.length()));
    return found;
  }

  private Token token(char first, int at, int end) {
    String piece = text.substring(at, end);
    return switch (first) {
      case '\'' -> new Token(Kind.TEXT, unquoted(piece), at);
      default -> {
        if (isNumberStart(at)) {
          yield new Token(Kind.NUMBER, piece, at);
        }
        if (piece.indexOf('"') >= 0) {
          yield new Token(Kind.QUOTED, name(piece), at);
        }
        yield new Token(FilterText.isWordStart(first) ? Kind.WORD : Kind.SYMBOL, piece, at);
      }
    };
  }

  /// Returns a column's name without the quotes around its parts.
  private static String name(String piece) {
    return QUOTED
        .matcher(piece)
        .replaceAll(part -> Matcher.quoteReplacement(unquoted(part.group())));
  }

  private static String unquoted(String piece) {
    String quote = piece.substring(0, 1);
    return piece.substring(1, piece.length() - 1).replace(quote + quote, quote);
  }

  private int quoteEnd(int start, char quote) {
    int at = start + 1;
    while (at < text.length()) {
      if (text.charAt(at) == quote) {
        boolean doubled = at + 1 < text.length() && text.charAt(at + 1) == quote;
        if (!doubled) {
          return at + 1;
        }
        at++;
      }
      at++;
    }
    throw wrong("a quote opens", start, "one that closes it");
  }

  private boolean isOperatorTail(int at) {
    if (at >= text.length()) {
      return false;
    }
    char first = text.charAt(at - 1);
    char second = text.charAt(at);
    return second == '=' || (first == '<' && second == '>');
  }

  private boolean isNumberStart(int start) {
    int at = start;
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
    }
    return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private int numberEnd(int start) {
    Matcher number = NUMBER.matcher(text).region(start, text.length());
    if (!number.lookingAt()) {
      throw wrong("there is no number", start, "one");
    }
    int end = number.end();
    if (end < text.length() && FilterText.isWordPart(text.charAt(end))) {
      throw wrong("a number runs into '" + text.charAt(end) + "'", end, "a space or an operator");
    }
    return end;
  }

  /// Returns the end of a name: words or quoted parts, separated by dots.
  private int nameEnd(int start) {
    char first = text.charAt(start);
    if (first != '"' && !FilterText.isWordStart(first)) {
      throw wrong("it has '" + first + "'", start, "a column, a value or an operator");
    }
    int at = start;
    while (true) {
      boolean quoted = text.charAt(at) == '"';
      at = quoted ? quoteEnd(at, '"') : wordEnd(at);
      boolean dot =
          quoted ? at < text.length() && text.charAt(at) == '.' : text.charAt(at - 1) == '.';
      int part = quoted ? at + 1 : at;
      if (!dot || (!quoted && (part == text.length() || text.charAt(part) != '"'))) {
        return at;
      }
      if (part == text.length()
          || (text.charAt(part) != '"' && !FilterText.isWordPart(text.charAt(part)))) {
        throw wrong("a path ends", part, "a name behind the dot");
      }
      at = part;
    }
  }

  private int wordEnd(int start) {
    int at = start;
    while (at < text.length() && FilterText.isWordPart(text.charAt(at))) {
      at++;
    }
    return at;
  }
}
