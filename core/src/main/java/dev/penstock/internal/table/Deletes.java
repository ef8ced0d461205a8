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
  static final Deletes NONE = new Deletes(null, null);

  private final @Nullable LiveRows later; // null where the live rows are known from the start
  private volatile boolean areKnown;
  private @Nullable RowSet live; // null if all are, or if they are not known; set before `areKnown`

  private Deletes(@Nullable LiveRows later, @Nullable RowSet live) {
    this.later = later;
    this.live = live;
    this.areKnown = later == null;
  }

  /// @param live the rows that are left; empty if all are
  static Deletes of(Optional<RowSet> live) {
    return live.map(rows -> new Deletes(null, rows)).orElse(NONE);
  }

  /// Makes deletes of which the number is known, but not which they are.
  static Deletes planned(LiveRows later) {
    return new Deletes(later, null);
  }

  boolean areNone() {
    return this == NONE;
  }

  /// Returns whether the live rows were found.
  boolean areKnown() {
    return areKnown;
  }

  /// Returns the live rows, which are known; empty if all are.
  Optional<RowSet> live() {
    if (!areKnown) {
      throw new IllegalStateException("The live rows were not found yet.");
    }
    return Optional.ofNullable(live);
  }

  @FunctionalInterface
  interface Finding {
    Optional<RowSet> in(LiveRows later) throws IOException;
  }

  void find(Finding finding) throws IOException {
    if (areKnown) {
      return;
    }
    try (ReadTurn _ = ReadTurn.take(this)) {
      if (!areKnown) {
        live = finding.in(Objects.requireNonNull(later)).orElse(null);
        areKnown = true;
      }
    }
  }
}
