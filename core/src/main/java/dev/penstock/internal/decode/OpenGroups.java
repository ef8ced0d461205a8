package dev.penstock.internal.decode;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.Pruner;
import dev.penstock.internal.table.FileStatistics;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.RowRange;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The rows of row groups that bloom filters and page indexes do not rule out: found when a row
/// group is first read, and kept so that later epochs read neither again.
///
/// Belongs to one loader: to its filter over its table.
///
/// **Ownership.** Holds a few dozen bytes for each row group and each range of its rows, up to
/// about [#RANGES_MAX] of these; further row groups are looked up in every epoch.
///
/// **Threads.** Any.
final class OpenGroups {
  private static final int RANGES_MAX = 1 << 17;

  private final Map<Group, Left> known = new ConcurrentHashMap<>();
  private final AtomicLong ranges = new AtomicLong();

  private record Group(Location file, int rowGroup) {}

  /// What is left of a row group.
  ///
  /// @param rows the rows of the file that may match, ascending and apart from each other
  /// @param ruledOut whether bloom filters ruled out all rows
  record Left(List<RowRange> rows, boolean ruledOut) {}

  @Nullable Left known(TableFile file, int rowGroup) {
    return known.get(new Group(file.location(), rowGroup));
  }

  /// @param rest the part of the filter that the row group's statistics leave open
  Left find(TableFile file, int rowGroup, Condition rest, long firstRow, StorageFile opened)
      throws IOException {
    Left before = known(file, rowGroup);
    if (before != null) {
      return before;
    }
    RowGroup group = file.rowGroups().get(rowGroup);
    Left left = read(file, rowGroup, rest, new RowRange(firstRow, group.rowCount()), opened);
    int more = 1 + left.rows().size();
    if (ranges.get() + more <= RANGES_MAX
        && known.putIfAbsent(new Group(file.location(), rowGroup), left) == null) {
      ranges.addAndGet(more);
    }
    return left;
  }

  private static Left read(
      TableFile file, int rowGroup, Condition rest, RowRange all, StorageFile opened)
      throws IOException {
    FileStatistics stated = file.statistics();
    if (!Pruner.mayMatch(rest, column -> stated.bloomFilter(opened, rowGroup, column))) {
      return new Left(List.of(), true);
    }
    List<RowRange> rows =
        Pruner.rows(rest, all, column -> stated.ofPages(opened, rowGroup, column));
    return new Left(List.copyOf(rows), false);
  }
}
