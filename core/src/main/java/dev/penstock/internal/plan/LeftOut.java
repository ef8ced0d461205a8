package dev.penstock.internal.plan;

import dev.penstock.internal.table.TableFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.PrunedFile;
import dev.penstock.split.PrunedRows;
import dev.penstock.split.RowRange;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// What the filters of an epoch's sources leave out of its files, each file counted once however
/// many sources read it: a row is left out if no source takes it.
///
/// @param files the files of which some source may take rows
/// @param rows the row groups that statistics rule out for each source that reads the file
/// @param unopened the files that no source opens
public record LeftOut(List<DataFileInfo> files, List<PrunedRows> rows, List<PrunedFile> unopened) {
  private static final int STEP_ROWS = 1 << 16;

  private record Group(Location file, RowRange rows) {}

  /// A source that reads a file.
  private record Reader(Source source, TableFile file) {
    /// Marks the rows of `[from, to)` that it takes.
    void mark(long from, long to, @Nullable Matches matches, BitSet taken) {
      if (matches != null) {
        long last = matches.before(file, to);
        for (long match = matches.before(file, from); match < last; match++) {
          taken.set((int) (matches.row(file, match) - from));
        }
      } else {
        for (RowRange rows : source.pruning().left(file, from, to)) {
          taken.set((int) (rows.offset() - from), (int) (rows.end() - from));
        }
      }
    }

    long taken(@Nullable Matches matches) {
      long rows = file.info().rows();
      return matches != null
          ? matches.before(file, rows)
          : source.pruning().left(file, 0, rows).stream().mapToLong(RowRange::length).sum();
    }
  }

  public static LeftOut of(List<Source> sources) {
    Pruning first = sources.getFirst().pruning();
    if (sources.size() == 1) { // a lake has millions of row groups
      return new LeftOut(first.files(), first.pruned(), first.prunedFiles());
    }
    Map<Location, List<Reader>> readers = readers(sources);
    Map<Location, DataFileInfo> files = new LinkedHashMap<>();
    Map<Location, PrunedFile> unopened = new LinkedHashMap<>();
    Map<Group, List<PrunedRows>> groups = new LinkedHashMap<>();
    for (Source source : sources) {
      source.pruning().files().forEach(file -> files.putIfAbsent(file.location(), file));
      for (PrunedFile file : source.pruning().prunedFiles()) {
        if (!readers.containsKey(file.location())) {
          unopened.putIfAbsent(file.location(), file);
        }
      }
      for (PrunedRows rows : source.pruning().pruned()) {
        Group group = new Group(rows.file().location(), rows.rows());
        groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(rows);
      }
    }
    List<PrunedRows> rows = new ArrayList<>();
    groups.forEach((group, pruned) -> {
      if (pruned.size() == Objects.requireNonNull(readers.get(group.file())).size()) {
        rows.add(pruned.getFirst());
      }
    });
    return new LeftOut(List.copyOf(files.values()), rows, List.copyOf(unopened.values()));
  }

  private static Map<Location, List<Reader>> readers(List<Source> sources) {
    Map<Location, List<Reader>> readers = new LinkedHashMap<>();
    for (Source source : sources) {
      for (TableFile file : source.table().files()) {
        readers
            .computeIfAbsent(file.info().location(), _ -> new ArrayList<>())
            .add(new Reader(source, file));
      }
    }
    return readers;
  }

  /// Returns how many rows statistics rule out.
  public long byStatistics() {
    return rows.stream().mapToLong(pruned -> pruned.rows().length()).sum();
  }

  /// Returns how many other rows no source of a mixture takes.
  ///
  /// @param matches the matches of a source by its number; null where statistics tell them
  public long byCount(List<Source> sources, IntFunction<@Nullable Matches> matches) {
    long all = 0;
    for (List<Reader> readers : readers(sources).values()) {
      all += untaken(readers, matches);
    }
    return all - byStatistics();
  }

  private static long untaken(List<Reader> readers, IntFunction<@Nullable Matches> matches) {
    Reader first = readers.getFirst();
    long rows = first.file().info().rows();
    if (readers.size() == 1) {
      return rows - first.taken(matches.apply(first.source().number()));
    }
    long untaken = 0;
    BitSet taken = new BitSet(STEP_ROWS);
    for (long from = 0; from < rows; from += STEP_ROWS) {
      long to = Math.min(rows, from + STEP_ROWS);
      for (Reader reader : readers) {
        reader.mark(from, to, matches.apply(reader.source().number()), taken);
      }
      untaken += to - from - taken.cardinality();
      taken.clear();
    }
    return untaken;
  }
}
