package dev.penstock.internal.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// A location with wildcards: `*` and `?` within a name, `**` across any number of folders, also
/// none, `[ab]`, `[!a-c]`, `{a,b}`.
///
/// @param folder the folder to list: the part before the first name with a wildcard; never blank
record Glob(String text, String folder, Wildcards pattern) {
  private static final String WILDCARDS = "*?[{";

  static boolean hasWildcard(String location) {
    return location.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0);
  }

  static Glob parse(String location) {
    int first = 0;
    while (WILDCARDS.indexOf(location.charAt(first)) < 0) {
      first++;
    }
    int slash = location.lastIndexOf('/', first);
    String folder = slash > 0 ? location.substring(0, slash) : slash == 0 ? "/" : ".";
    // A relative glob is listed from ".", whose entries start with "./".
    String text = slash < 0 ? "./" + location : location;
    return new Glob(text, folder, new Parser(text, location).parse());
  }

  /// Returns the same glob for another spelling of its folder, that of the store's list.
  Glob in(String listed) {
    int slashes = listed.endsWith("/") && !folder.endsWith("/") ? 1 : 0;
    String spelled = listed.substring(0, listed.length() - slashes);
    return spelled.equals(folder) ? this : parse(spelled + text.substring(folder.length()));
  }

  boolean matches(String location) {
    return pattern.matches(location);
  }

  /// Returns whether a location or one below it may match.
  boolean mayHold(String location) {
    return matches(location) || pattern.mayGoOn(location + "/");
  }

  private static final class Parser {
    private final String glob;
    private final String named;
    private final Wildcards made = new Wildcards();
    private int at;

    Parser(String glob, String named) {
      this.glob = glob;
      this.named = named;
    }

    Wildcards parse() {
      sequence(false);
      return made;
    }

    /// Parses up to the end, or up to what ends an alternative within braces.
    private void sequence(boolean inBraces) {
      while (at < glob.length() && !(inBraces && (glob.charAt(at) == ',' || isNext("}")))) {
        if (isNext("**/")) {
          folders();
        } else if (isNext("**")) {
          made.many(_ -> true);
          at += 2;
        } else {
          single();
        }
      }
    }

    private boolean isNext(String text) {
      return glob.startsWith(text, at);
    }

    /// Any number of folders, also none.
    private void folders() {
      int fork = made.fork();
      made.many(_ -> true).one(c -> c == '/');
      made.lead(fork, fork + 1, made.end());
      at += 3;
    }

    private void single() {
      int c = glob.codePointAt(at);
      int start = at;
      at += Character.charCount(c);
      switch (c) {
        case '*' -> made.many(Glob::isInName);
        case '?' -> made.one(Glob::isInName);
        case '[' -> made.one(set(start));
        case '{' -> alternatives(start);
        default -> made.one(found -> found == c);
      }
    }

    private IntPredicate set(int start) {
      int end = glob.indexOf(']', start + 2);
      if (end < 0) {
        throw unreadable("'[' at character " + start + " has no ']'");
      }
      boolean isNegated = glob.charAt(start + 1) == '!' || glob.charAt(start + 1) == '^';
      int[] members = glob.substring(start + (isNegated ? 2 : 1), end).codePoints().toArray();
      at = end + 1;
      IntPredicate in = _ -> false;
      for (int i = 0; i < members.length; i++) {
        boolean isRange = i + 2 < members.length && members[i + 1] == '-';
        int from = members[i];
        int to = isRange ? members[i + 2] : from;
        if (to < from) {
          throw unreadable("the range at character " + start + " ends before it starts");
        }
        in = in.or(c -> c >= from && c <= to);
        i += isRange ? 2 : 0;
      }
      return isNegated ? in.negate().and(Glob::isInName) : in;
    }

    private void alternatives(int start) {
      List<Integer> ends = new ArrayList<>();
      int fork = made.fork();
      while (true) {
        sequence(true);
        if (at == glob.length()) {
          throw unreadable("'{' at character " + start + " has no '}'");
        }
        ends.add(made.fork());
        if (glob.charAt(at++) == '}') {
          break;
        }
        int next = made.fork();
        made.lead(fork, fork + 1, next);
        fork = next;
      }
      ends.forEach(each -> made.lead(each, made.end(), -1));
    }

    private IllegalArgumentException unreadable(String why) {
      return new IllegalArgumentException("Cannot read '" + named + "' as a glob: " + why + ".");
    }
  }

  private static boolean isInName(int c) {
    return c != '/';
  }
}
