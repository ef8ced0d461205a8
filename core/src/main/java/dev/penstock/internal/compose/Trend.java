package dev.penstock.internal.compose;

import org.jspecify.annotations.Nullable;

/// Whether each key is larger, or each smaller, than the one before, so that none can come again.
record Trend(boolean isRising, boolean isFalling) {
  /// A single key.
  static final Trend NONE = new Trend(true, true);

  /// Returns whether no key can come again.
  boolean isSorted() {
    return isRising || isFalling;
  }

  Trend and(Trend other) {
    return new Trend(isRising && other.isRising, isFalling && other.isFalling);
  }

  /// Returns the trend of a key and another one after it.
  static Trend of(@Nullable Object before, @Nullable Object after) {
    if (before instanceof Comparable<?> one
        && after != null
        && one.getClass() == after.getClass()) {
      @SuppressWarnings("unchecked") // of the same class
      int compared = ((Comparable<Object>) one).compareTo(after);
      return new Trend(compared < 0, compared > 0);
    }
    return new Trend(false, false);
  }
}
