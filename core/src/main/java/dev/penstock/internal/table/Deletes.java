package dev.penstock.internal.table;

import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.format.RowSet;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which rows of a file were deleted. They are found with its footer, or, in a file that was
/// planned earlier, when its rows are first wanted.
///
/// **Threads.** Any. One that wants the live rows waits for another that finds them.
public final class Deletes {
  static final Deletes NONE = new Deletes(null, Optional.empty());

  private final @Nullable LiveRows later; // null where the live rows are known from the start
  private volatile @Nullable Optional<RowSet> live;

  private Deletes(@Nullable LiveRows later, @Nullable Optional<RowSet> live) {
    this.later = later;
    this.live = live;
  }

  /// @param live the rows that are left; empty if all are
  static Deletes of(Optional<RowSet> live) {
    return live.isEmpty() ? NONE : new Deletes(null, live);
  }

  /// Makes deletes of which the number is known, but not which they are.
  static Deletes planned(LiveRows later) {
    return new Deletes(later, null);
  }

  @FunctionalInterface
  interface Finding {
    Optional<RowSet> in(LiveRows later) throws IOException;
  }

  boolean areNone() {
    return this == NONE;
  }

  /// Returns the live rows, empty if all are; null if they were not found yet.
  @Nullable Optional<RowSet> known() {
    return live;
  }

  synchronized Optional<RowSet> live(Finding finding) throws IOException {
    Optional<RowSet> known = live;
    if (known == null) {
      known = finding.in(Objects.requireNonNull(later));
      live = known;
    }
    return known;
  }
}
