package dev.penstock.internal.compose;

import dev.penstock.internal.slices.RowOrigin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a pass notes of a window.
sealed interface WindowFact {
  record Rows(int rows) implements WindowFact {}

  /// The batches that it is cut into, whatever their order in an epoch: the rows of each, from the
  /// shortest lists to the longest.
  record Batches(List<Integer> sizes) implements WindowFact {}

  /// The sum of the weights of its rows.
  record Weights(double sum, int rows) implements WindowFact {}

  /// The groups of its rows, at least one.
  ///
  /// @param first the first row of the first group
  /// @param second the first row of the second group; of the first if there is only one
  /// @param last the first row of the last group
  /// @param all all groups; null where only these are noted
  record GroupsOf(
      List<Integer> sizes,
      @Nullable Object firstKey,
      @Nullable Object lastKey,
      RowOrigin first,
      RowOrigin second,
      RowOrigin last,
      Trend trend,
      @Nullable List<Group> all)
      implements WindowFact {
    /// Returns the same groups, the last of which began before.
    GroupsOf beginning(RowOrigin before) {
      return new GroupsOf(sizes, firstKey, lastKey, first, second, before, trend, all);
    }
  }

  record Group(@Nullable Object key, RowOrigin first) {}

  /// Whether each key is larger, or each smaller, than the one before, so that none can come again.
  record Trend(boolean isRising, boolean isFalling) {
    static final Trend NONE = new Trend(true, true);

    boolean isSorted() {
      return isRising || isFalling;
    }

    Trend and(Trend other) {
      return new Trend(isRising && other.isRising, isFalling && other.isFalling);
    }

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
}
