package dev.penstock.internal.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// A pattern of steps, all of which are followed at once, so that the time is at most steps times
/// characters, whatever the pattern (Thompson 1968, "Regular Expression Search Algorithm").
/// Immutable once built.
final class Wildcards {
  /// A character that `takes` accepts leads to `next`. If `takes` is null, `next` and `other` are
  /// reached without a character; `other` is -1 if there is only one way.
  private record Step(@Nullable IntPredicate takes, int next, int other) {}

  private final List<Step> steps = new ArrayList<>();

  int end() {
    return steps.size();
  }

  Wildcards one(IntPredicate takes) {
    steps.add(new Step(takes, end() + 1, -1));
    return this;
  }

  /// Adds any number of characters, also none.
  Wildcards many(IntPredicate takes) {
    int start = end();
    steps.add(new Step(null, start + 1, start + 2));
    steps.add(new Step(takes, start, -1));
    return this;
  }

  /// Adds a step that needs no character, whose ways [#lead] sets.
  int fork() {
    steps.add(new Step(null, end() + 1, -1));
    return end() - 1;
  }

  /// Sets where a fork leads; `other` is -1 for none.
  void lead(int fork, int next, int other) {
    steps.set(fork, new Step(null, next, other));
  }

  boolean matches(CharSequence text) {
    return behind(text)[steps.size()];
  }

  /// Returns whether a text matches, or may with more characters behind it.
  boolean mayGoOn(CharSequence text) {
    boolean[] reached = behind(text);
    for (boolean each : reached) {
      if (each) {
        return true;
      }
    }
    return false;
  }

  /// Returns the steps that are reached behind a text; the last element is the pattern's end.
  private boolean[] behind(CharSequence text) {
    boolean[] reached = new boolean[steps.size() + 1];
    boolean[] following = new boolean[steps.size() + 1];
    int[] waiting = new int[2 * steps.size() + 1];
    reach(0, reached, waiting);
    for (int c : text.codePoints().toArray()) {
      for (int i = 0; i < steps.size(); i++) {
        Step step = steps.get(i);
        if (reached[i] && step.takes != null && step.takes.test(c)) {
          reach(step.next, following, waiting);
        }
      }
      boolean[] spent = reached;
      reached = following;
      following = spent;
      Arrays.fill(following, false);
    }
    return reached;
  }

  private void reach(int first, boolean[] reached, int[] waiting) {
    int count = 0;
    waiting[count++] = first;
    while (count > 0) {
      int at = waiting[--count];
      if (reached[at]) {
        continue;
      }
      reached[at] = true;
      Step step = at == steps.size() ? null : steps.get(at);
      if (step != null && step.takes == null) {
        waiting[count++] = step.next;
        if (step.other >= 0) {
          waiting[count++] = step.other;
        }
      }
    }
  }
}
