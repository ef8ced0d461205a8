package dev.penstock.internal.plan;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.Pruner;
import dev.penstock.internal.plan.LeftGroups.Part;
import dev.penstock.internal.table.FileStatistics;
import dev.penstock.internal.table.Footer;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.PrunedFile;
import dev.penstock.split.PrunedRows;
import dev.penstock.split.RowRange;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a filter leaves of a table according to the files' metadata: for each row group, the rest
/// of the condition.
///
/// Immutable; share it freely among threads.
public final class Pruning {
  private final List<DataFileInfo> files = new ArrayList<>();
  private final List<PrunedRows> pruned = new ArrayList<>();
  private final Condition condition;
  private final boolean all; // nothing is to be tested
  private final Map<Location, LeftGroups> groups = new HashMap<>(); // empty where all are left
  private final List<PrunedFile> prunedFiles;
  private boolean exact = true;

  /// Prunes by a filter that is bound to the table's schema; one that is always true leaves all.
  public Pruning(Table table, Condition condition) {
    this.prunedFiles = table.prunedFiles();
    this.condition = condition;
    this.all = condition.isAlways();
    if (all) {
      files.addAll(table.infos());
      return;
    }
    List<List<Condition>> rests = rests(table.files(), condition);
    for (int i = 0; i < rests.size(); i++) {
      TableFile file = table.files().get(i);
      List<Condition> left = rests.get(i);
      groups.put(file.info().location(), new LeftGroups(file.rowGroups(), left));
      // A file without rows is planned as it would be without a filter.
      if (left.isEmpty() || left.stream().anyMatch(rest -> !rest.isNever())) {
        files.add(file.info());
      }
      exact &= left.stream().allMatch(rest -> rest.isNever() || rest.isAlways());
      addPruned(file, left);
    }
  }

  /// Returns what is left of a condition in each row group of each file. Footers that are not kept
  /// are read.
  private static List<List<Condition>> rests(List<TableFile> files, Condition condition) {
    try {
      return Footer.each(files, file -> rests(file, condition));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static List<Condition> rests(TableFile file, Condition condition) {
    FileStatistics stated = file.statistics();
    List<Condition> rests = new ArrayList<>();
    Condition last = condition;
    for (int group = 0; group < file.rowGroups().size(); group++) {
      int rowGroup = group;
      Condition rest = Pruner.reduce(condition, column -> stated.ofRowGroup(rowGroup, column));
      last = rest.equals(last) ? last : rest; // most row groups have the same, a table millions
      rests.add(last);
    }
    return rests;
  }

  private void addPruned(TableFile file, List<Condition> left) {
    long start = 0;
    for (int group = 0; group < left.size(); group++) {
      RowGroup rows = file.rowGroups().get(group);
      if (left.get(group).isNever() && rows.rowCount() > 0) {
        RowRange range = new RowRange(start, rows.rowCount());
        pruned.add(new PrunedRows(file.info(), range, PrunedRows.Level.STATISTICS));
      }
      start += rows.rowCount();
    }
  }

  public List<DataFileInfo> files() {
    return files;
  }

  /// Returns the row groups that were ruled out, in path order.
  public List<PrunedRows> pruned() {
    return pruned;
  }

  public List<PrunedFile> prunedFiles() {
    return prunedFiles;
  }

  /// Returns whether it is known how many rows match: each row group has all or none.
  public boolean isExact() {
    return exact;
  }

  LeftGroups groups(TableFile file) {
    if (all) { // not kept: a lake has millions of row groups
      int count = file.rowGroups().size();
      return new LeftGroups(file.rowGroups(), Collections.nCopies(count, Condition.always()));
    }
    LeftGroups left = groups.get(file.info().location());
    if (left == null) {
      throw new IllegalStateException("No row groups of " + file.info().location());
    }
    return left;
  }

  /// Returns those of the rows `[from, to)` of a file that may match, in order.
  List<RowRange> left(TableFile file, long from, long to) {
    List<RowRange> left = new ArrayList<>();
    for (Part part : groups(file).parts(from, to)) {
      if (!part.rest().isNever()) {
        left.add(part.rows());
      }
    }
    return left;
  }

  /// Returns whether a row group may have rows that match.
  boolean isLeft(TableFile file, int rowGroup) {
    return all || !groups(file).isNever(rowGroup);
  }

  /// Returns whether a row with a null in a column may match.
  boolean mayMatchNull(String column) {
    return !Pruner.reduce(
            condition,
            each -> each.equals(column) ? Pruner.constant(null) : ColumnStatistics.UNKNOWN)
        .isNever();
  }

  /// Returns whether there is nothing to test, so that all rows are left.
  boolean keepsAll() {
    return all;
  }
}
