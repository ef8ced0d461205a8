package dev.penstock.sample;

import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.LongUnaryOperator;

/// Indices computed by position: by a rule, or from an array that is not copied.
final class Indices implements PrimitiveIterator.OfLong {
  private final LongUnaryOperator rule;
  private final long count;
  private long next;

  private Indices(long count, LongUnaryOperator rule) {
    this.count = count;
    this.rule = rule;
  }

  static Indices none() {
    return new Indices(0, place -> place);
  }

  /// Returns the elements of an array.
  static Indices of(long[] array) {
    return new Indices(array.length, place -> array[(int) place]);
  }

  /// Returns the first elements of an array.
  static Indices of(int[] array, long count) {
    return new Indices(count, place -> array[(int) place]);
  }

  /// Returns a rule's values for the positions from 0.
  static Indices of(long count, LongUnaryOperator rule) {
    return new Indices(count, rule);
  }

  @Override
  public boolean hasNext() {
    return next < count;
  }

  @Override
  public long nextLong() {
    if (next >= count) {
      throw new NoSuchElementException();
    }
    return rule.applyAsLong(next++);
  }
}
