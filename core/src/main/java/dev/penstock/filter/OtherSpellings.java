package dev.penstock.filter;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How Python, SQL and other languages write conditions, and what a [Filter] has in its place.
final class OtherSpellings {
  /// What stands at a place of the text, and what is expected there.
  record Spelling(int place, String found, String ours) {}

  private record Rule(Pattern theirs, String ours) {}

  private static final List<Rule> RULES =
      List.of(
          rule("&&?", "'and'"),
          rule("\\|\\|?", "'or'"),
          rule(
              "~(?=\\s*')|(ilike|rlike|regexp|contains|matches|similar|glob)\\b",
              "'like', as in a like '%text%'"),
          rule("!(?!=)|~", "'not'"),
          rule("(?!([=!<>]=|<>)(?![<>=!]))[<>=!]{2,}", "one of =, !=, <, <=, > and >="),
          rule("isnull\\b", "'is null'"),
          rule("notnull\\b|(?<=\\bnot\\s{1,9})null\\b", "'is not null'"),
          rule("none\\b|nil\\b", "'null'"),
          rule("(?<=\\bis\\s{1,9})(true|false)\\b", "'= true' or '= false' in place of 'is'"),
          rule("\\[", "a column's name alone, as in a > 1, or a list, as in a in (1, 2)"),
          rule("`[^`]*`?", "a column's name in double quotes, or in none"),
          rule(
              "(?<=\\w)\\(",
              "a comparison, 'in', 'like' or 'starts with': the only function is fold"),
          rule("(?<=[0-9]{4})[-/][0-9]{1,2}\\b([-/][0-9]+)?", "a date in single quotes"),
          rule("[-+*/%]", "a comparison: filters do not calculate"),
          rule("(?<=^\\s{0,9}where\\s{1,9})\\w+", "the condition alone, without 'where'"));

  private OtherSpellings() {}

  private static Rule rule(String theirs, String ours) {
    return new Rule(Pattern.compile(theirs, Pattern.CASE_INSENSITIVE), ours);
  }

  /// Returns the spelling at a place of a text where reading it failed; null if none is known.
  static @Nullable Spelling at(String text, int place) {
    int start = place;
    while (start > 0 && isOperator(text, start) && isOperator(text, start - 1)) {
      start--; // the first part of '===' was one of ours
    }
    for (Rule rule : RULES) {
      Matcher theirs = rule.theirs.matcher(text);
      theirs.region(start, text.length()).useTransparentBounds(true).useAnchoringBounds(false);
      if (theirs.lookingAt()) {
        return new Spelling(start, text.substring(start, theirs.end()), rule.ours);
      }
    }
    return null;
  }

  private static boolean isOperator(String text, int at) {
    return at < text.length() && "<>=!".indexOf(text.charAt(at)) >= 0;
  }
}
