package dev.penstock.internal.plan;

import java.util.ArrayList;
import java.util.List;

/// Windows to compose that are the same in each epoch.
public final class FixedWindows {
  private FixedWindows() {}

  /// Where a window begins.
  ///
  /// @param row the number of its first row
  /// @param isContinuing whether the window before goes on here in the same row group
  public record Start(long row, boolean isContinuing) {}

  /// Fills windows of at most `rows` rows with whole row groups; a larger row group is cut.
  static List<WindowRun> of(List<RowRun> groups, int rows, boolean isShuffled) {
    List<WindowRun> windows = new ArrayList<>();
    List<RowRun> open = new ArrayList<>();
    long room = rows;
    for (RowRun group : groups) {
      if (group.rowCount() > room && !open.isEmpty()) {
        windows.add(window(open, windows.size(), isShuffled, false));
        open = new ArrayList<>();
        room = rows;
      }
      long from = group.firstRow();
      for (; group.endRow() - from > room; from += rows) {
        windows.add(
            window(List.of(group.rows(from, from + rows)), windows.size(), isShuffled, true));
      }
      open.add(group.rows(from, group.endRow()));
      room -= group.endRow() - from;
    }
    if (!open.isEmpty()) {
      windows.add(window(open, windows.size(), isShuffled, false));
    }
    return windows;
  }

  /// Cuts rows where windows are known to begin.
  static List<WindowRun> from(Sequence rows, List<Start> starts, boolean isShuffled) {
    List<WindowRun> windows = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      boolean isLast = i + 1 == starts.size();
      long end = isLast ? rows.rows() : starts.get(i + 1).row();
      List<RowRun> parts = Sequence.partsOf(rows.slice(starts.get(i).row(), end));
      windows.add(window(parts, i, isShuffled, !isLast && starts.get(i + 1).isContinuing()));
    }
    return windows;
  }

  private static WindowRun window(
      List<RowRun> parts, int number, boolean isShuffled, boolean goesOn) {
    WindowOrder order = isShuffled ? new WindowOrder.Shuffled() : new WindowOrder.Kept();
    long rows = parts.stream().mapToLong(RowRun::rowCount).sum();
    return WindowRun.of(parts, order, number, rows).composed(goesOn);
  }
}
