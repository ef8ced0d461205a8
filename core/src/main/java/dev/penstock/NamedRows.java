package dev.penstock;

import dev.penstock.internal.rows.RowIds;
import dev.penstock.internal.table.TableFile;
import dev.penstock.steps.StepRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// Collects rows of steps, named as they are stored; elsewhere only live rows are counted.
///
/// **Threads.** One at a time.
final class NamedRows {
  private final long epoch;
  private final boolean isMixed; // whether rows are of a source of a mixture
  private final List<Named> rows = new ArrayList<>();
  private final IdentityHashMap<TableFile, Optional<RowIds>> ids = new IdentityHashMap<>();

  private record Named(StepRow row, TableFile file) {
    boolean isOne() {
      return row.endRow() == row.row() + 1;
    }
  }

  NamedRows(StructuredDataset dataset, long epoch) {
    this.epoch = epoch;
    this.isMixed = dataset.mixture().isPresent();
  }

  /// Forgets the rows that were added, as after an error.
  void clear() {
    rows.clear();
  }

  /// Adds a row, or the rows `[first, end)` of which a transform made it.
  void add(
      long step,
      int rank,
      int place,
      int source,
      TableFile file,
      long first,
      long end,
      Optional<StepRow.Part> part) {
    StepRow row =
        new StepRow(
            epoch,
            step,
            rank,
            place,
            isMixed ? OptionalLong.of(source) : OptionalLong.empty(),
            file.location(),
            stored(file, first),
            stored(file, end - 1) + 1,
            OptionalLong.empty(),
            part);
    rows.add(new Named(row, file));
  }

  private static long stored(TableFile file, long row) {
    return file.live().map(live -> live.row(row)).orElse(row);
  }

  /// Returns the rows, in the order in which they were added, and forgets them.
  List<StepRow> take() {
    List<StepRow> taken = new ArrayList<>();
    rows.forEach(each -> taken.add(each.row()));
    rows.clear();
    return taken;
  }

  /// Returns the rows as [#take] does, with their numbers in the table.
  ///
  /// @param mayRead whether to read those that are stored
  List<StepRow> takeWithIds(boolean mayRead) {
    IdentityHashMap<TableFile, List<Integer>> places = new IdentityHashMap<>();
    List<TableFile> files = new ArrayList<>(); // in order, so that errors are the same each time
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).isOne()) {
        TableFile file = rows.get(i).file();
        places
            .computeIfAbsent(
                file,
                each -> {
                  files.add(each);
                  return new ArrayList<>();
                })
            .add(i);
      }
    }
    List<StepRow> named = take();
    for (TableFile file : files) {
      Optional<RowIds> of = ids.computeIfAbsent(file, NamedRows::idsOf);
      if (of.isPresent() && (mayRead || !of.get().areStored())) {
        name(named, Objects.requireNonNull(places.get(file)), of.get());
      }
    }
    return named;
  }

  private static Optional<RowIds> idsOf(TableFile file) {
    try {
      return RowIds.of(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Sets the numbers of rows of a file.
  private static void name(List<StepRow> named, List<Integer> places, RowIds ids) {
    places.sort((one, other) -> Long.compare(named.get(one).row(), named.get(other).row()));
    long[] found;
    try {
      found = ids.of(places.stream().mapToLong(place -> named.get(place).row()).toArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    for (int i = 0; i < found.length; i++) {
      named.set(places.get(i), withId(named.get(places.get(i)), found[i]));
    }
  }

  private static StepRow withId(StepRow row, long id) {
    return new StepRow(
        row.epoch(),
        row.step(),
        row.rank(),
        row.place(),
        row.source(),
        row.file(),
        row.row(),
        row.endRow(),
        OptionalLong.of(id),
        row.part());
  }

  /// Sorts the rows by step, then rank.
  void sort() {
    rows.sort(
        Comparator.comparingLong((Named each) -> each.row().step())
            .thenComparingInt(each -> each.row().rank()));
  }
}
