package dev.penstock.internal.plan;

import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.split.FileSplit;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// Some rows of some files, counted among their live rows.
///
/// Immutable.
public final class ChosenRows {
  /// No row.
  public static final ChosenRows NONE = new ChosenRows();

  private static final long[] NO_ROWS = {};

  private final Map<Integer, Map<Location, long[]>> bySource = new HashMap<>();

  private ChosenRows() {}

  /// Collects rows in any order; one that comes twice counts once.
  public static final class Builder {
    private final Map<Integer, Map<Location, LongStream.Builder>> bySource = new TreeMap<>();

    public Builder add(int source, Location file, long row) {
      bySource
          .computeIfAbsent(source, _ -> new HashMap<>())
          .computeIfAbsent(file, _ -> LongStream.builder())
          .add(row);
      return this;
    }

    public ChosenRows build() {
      ChosenRows chosen = new ChosenRows();
      bySource.forEach((source, files) -> {
        Map<Location, long[]> sorted = new HashMap<>();
        files.forEach((file, rows) -> sorted.put(file, rows.build().sorted().distinct().toArray()));
        chosen.bySource.put(source, sorted);
      });
      return chosen;
    }
  }

  public boolean has(int source) {
    return bySource.containsKey(source);
  }

  public long count() {
    return bySource.values().stream()
        .flatMap(files -> files.values().stream())
        .mapToLong(rows -> rows.length)
        .sum();
  }

  /// Returns the rows of a file, in ascending order. The array is not to be changed.
  public long[] of(int source, Location file) {
    return bySource.getOrDefault(source, Map.of()).getOrDefault(file, NO_ROWS);
  }

  /// Returns those of the rows `[from, to)` of a file, in ascending order.
  public long[] of(int source, Location file, long from, long to) {
    long[] all = of(source, file);
    return all.length == 0 ? all : Arrays.copyOfRange(all, first(all, from), first(all, to));
  }

  /// Returns the FileSplits of a source without these rows, in the same order.
  List<FileSplit> cut(int source, List<FileSplit> splits) {
    return has(source)
        ? splits.stream().flatMap(split -> cut(source, split).stream()).toList()
        : splits;
  }

  /// Returns a FileSplit without these rows: the same if it has none of them.
  List<FileSplit> cut(int source, FileSplit split) {
    long[] out = of(source, split.file().location(), split.firstRow(), split.endRow());
    if (out.length == 0) {
      return List.of(split);
    }
    List<FileSplit> left = new ArrayList<>();
    long from = split.firstRow();
    for (int i = 0; i <= out.length; i++) {
      long to = i < out.length ? out[i] : split.endRow();
      if (from < to) {
        left.add(FileSplit.of(split.file(), from, to - from));
      }
      from = to + 1;
    }
    return left;
  }

  /// Returns how many rows of a source a filter may keep.
  long count(int source, Table table, Pruning pruning) {
    long count = 0;
    Map<Location, long[]> own = bySource.getOrDefault(source, Map.of());
    for (TableFile file : own.isEmpty() ? List.<TableFile>of() : table.files()) {
      for (long row : own.getOrDefault(file.location(), NO_ROWS)) {
        count += pruning.left(file, row, row + 1).size();
      }
    }
    return count;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChosenRows rows && rows.lists().equals(lists());
  }

  @Override
  public int hashCode() {
    return lists().hashCode();
  }

  /// Shows the rows of each file of each source.
  @Override
  public String toString() {
    return lists().toString();
  }

  private Map<Integer, Map<String, List<Long>>> lists() {
    Map<Integer, Map<String, List<Long>>> lists = new TreeMap<>();
    bySource.forEach((source, files) -> {
      Map<String, List<Long>> own = lists.computeIfAbsent(source, _ -> new TreeMap<>());
      files.forEach((file, rows) -> own.put(file.text(), Arrays.stream(rows).boxed().toList()));
    });
    return lists;
  }

  /// Returns the first index whose row is not before another.
  private static int first(long[] all, long row) {
    int found = Arrays.binarySearch(all, row);
    return found < 0 ? -found - 1 : found;
  }
}
