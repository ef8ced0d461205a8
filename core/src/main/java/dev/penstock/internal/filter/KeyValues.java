package dev.penstock.internal.filter;

import dev.penstock.filter.Operator;
import dev.penstock.internal.filter.Condition.Test;
import dev.penstock.spi.format.ColumnSlice;
import java.math.BigDecimal;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A test of numbers by their keys.
///
/// Every comparison tests whether a key is in a range, or not in one. `NaN` is beyond the
/// infinities, so it only passes tests for not being in a range, such as `!=`.
final class KeyValues implements ValueCheck {
  private final KeyForm form;
  private final KeyCheck test;
  private final @Nullable IntRange ints; // the same test, if possible
  private final long flip;
  private final long[] keys = new long[64 * KeyCheck.WORDS_MAX];
  private final long[] bits = new long[KeyCheck.WORDS_MAX];
  private int firstWord; // first of the words tested last; beyond all words if none were

  private KeyValues(KeyForm form, KeyCheck test, boolean negated) {
    this.form = form;
    this.test = test;
    this.ints = IntRange.of(form, test);
    this.flip = negated ? -1 : 0;
  }

  static ValueCheck of(KeyForm form, Test test) {
    return switch (test) {
      case Test.Compare(Operator operator, Comparable<?> value) -> compare(form, operator, value);
      case Test.OneOf(List<Comparable<?>> values) -> oneOf(form, values);
      case Test.IsNaN _ -> new KeyValues(form, new KeyCheck.Range(form.least(), form.most()), true);
      default -> throw new IllegalArgumentException("Cannot test numbers: " + test);
    };
  }

  private static ValueCheck compare(KeyForm form, Operator operator, Comparable<?> value) {
    Long key = form.key(value);
    if (key == null) { // Only a decimal can be out of range.
      return ValueCheck.constant(operator.test(-((BigDecimal) value).signum()));
    }
    // The two zeros are neighbours; a condition contains the positive one.
    long low = form.isFloating() && key == 0 ? -1 : key;
    return switch (operator) {
      case EQ -> new KeyValues(form, new KeyCheck.Range(low, key), false);
      case NE -> new KeyValues(form, new KeyCheck.Range(low, key), true);
      case LT ->
          low == form.least() ? ValueCheck.constant(false) : range(form, form.least(), low - 1);
      case LE -> range(form, form.least(), key);
      case GT ->
          key == form.most() ? ValueCheck.constant(false) : range(form, key + 1, form.most());
      case GE -> range(form, low, form.most());
    };
  }

  private static ValueCheck range(KeyForm form, long from, long to) {
    return new KeyValues(form, new KeyCheck.Range(from, to), false);
  }

  private static ValueCheck oneOf(KeyForm form, List<Comparable<?>> values) {
    TreeSet<Long> keys = new TreeSet<>();
    for (Comparable<?> value : values) {
      Long key = form.key(value);
      if (key != null) {
        keys.add(key);
        if (form.isFloating() && key == 0) {
          keys.add(-1L);
        }
      }
    }
    return keys.isEmpty()
        ? ValueCheck.constant(false)
        : new KeyValues(
            form, KeyCheck.oneOf(keys.stream().mapToLong(Long::longValue).toArray()), false);
  }

  /// Returns a single test for this and another one, or null if there is none.
  @Nullable KeyValues and(KeyValues other) {
    if (form != other.form
        || flip != 0
        || other.flip != 0
        || !(test instanceof KeyCheck.Range mine)
        || !(other.test instanceof KeyCheck.Range those)) {
      return null;
    }
    KeyCheck.Range both = mine.and(those);
    return both == null ? null : new KeyValues(form, both, false);
  }

  @Override
  public void begin(ColumnSlice slice) {
    firstWord = Integer.MAX_VALUE;
  }

  @Override
  public long test(ColumnSlice slice, int word, long asked) {
    int place = word & (KeyCheck.WORDS_MAX - 1);
    if (firstWord != word - place) {
      firstWord = word - place;
      test(slice);
    }
    return bits[place] ^ flip;
  }

  /// Tests as many rows at once as possible; after the slice's last row, keys are left over from
  /// other rows.
  private void test(ColumnSlice slice) {
    long first = 64L * firstWord;
    int count = (int) Math.min(keys.length, slice.rowCount() - first);
    if (ints != null) {
      ints.test(slice.values(), first, count, bits);
    } else {
      form.load(slice.values(), first, count, keys);
      test.test(keys, RowFilter.words(count), bits);
    }
  }
}
