package dev.penstock.internal.state;

import dev.penstock.steps.ExcludedRows;
import java.util.ArrayList;
import java.util.List;

/// Rows that are not delivered from a step on.
///
/// @param epoch the epoch in which they were excluded
/// @param batches how many steps it had had then
/// @param legs how many worlds had stopped in it then, the last because of this; 0 in an earlier
///   epoch than that of the state, and at the beginning of its own
public record Exclusion(ExcludedRows rows, long epoch, long batches, int legs) {
  /// Makes one that leaves rows out of whole epochs.
  public Exclusion(ExcludedRows rows, long epoch, long batches) {
    this(rows, epoch, batches, 0);
  }

  /// Returns whether they are left out of a whole epoch.
  public boolean isBefore(long other) {
    return epoch < other || (epoch == other && legs == 0);
  }

  /// Returns whether they are left out of what is left of an epoch.
  public boolean isWithin(long other) {
    return epoch == other && legs > 0;
  }

  /// Returns the rows of all of them.
  public static ExcludedRows all(List<Exclusion> exclusions) {
    return ExcludedRows.of(
        exclusions.stream().flatMap(each -> each.rows.entries().stream()).toList());
  }

  private boolean isWith(Exclusion other) {
    return epoch == other.epoch && batches == other.batches && legs == other.legs;
  }

  private Exclusion with(ExcludedRows others) {
    return new Exclusion(others, epoch, batches, legs);
  }

  /// Returns the same in the order in which they were made, one for each step. Rows that were
  /// excluded before are not excluded again.
  static List<Exclusion> joined(List<Exclusion> exclusions) {
    List<Exclusion> joined = new ArrayList<>();
    for (Exclusion next : exclusions) {
      ExcludedRows rows = next.rows.without(all(joined));
      Exclusion last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && next.isWith(last)) {
        joined.set(joined.size() - 1, last.with(last.rows.and(rows)));
      } else if (!rows.entries().isEmpty()) {
        joined.add(next.with(rows));
      }
    }
    return List.copyOf(joined);
  }

  /// Returns them at the start of an epoch, which may be an earlier one than that in which they
  /// were made.
  public static List<Exclusion> at(long start, List<Exclusion> exclusions) {
    return joined(
        exclusions.stream()
            .map(each ->
                each.epoch < start
                    ? new Exclusion(each.rows, each.epoch, each.batches)
                    : new Exclusion(each.rows, start, 0))
            .toList());
  }
}
