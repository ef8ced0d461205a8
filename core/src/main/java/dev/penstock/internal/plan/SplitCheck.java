package dev.penstock.internal.plan;

import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Split;
import dev.penstock.storage.Location;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Checks that a strategy's splits have every row of every file exactly once.
final class SplitCheck {
  private static final Comparator<FileSplit> IN_FILE =
      Comparator.comparingLong(FileSplit::firstRow).thenComparingLong(FileSplit::endRow);

  private SplitCheck() {}

  /// Returns a strategy's FileSplits in the order of files and rows.
  ///
  /// @throws IllegalArgumentException if a row is in none of them, or in two
  static List<FileSplit> inFileOrder(List<DataFileInfo> files, List<Split> splits) {
    int[] fileOf = fileNumbers(files, splits);
    int[] ends = new int[files.size()]; // by file, of its FileSplits in the order of files
    for (int file : fileOf) {
      ends[file]++;
    }
    for (int file = 1; file < ends.length; file++) {
      ends[file] += ends[file - 1];
    }
    FileSplit[] ordered = new FileSplit[fileOf.length];
    int[] next = new int[ends.length];
    int at = 0;
    for (Split split : splits) {
      for (FileSplit each : split.fileSplits()) {
        int file = fileOf[at++];
        ordered[start(ends, file) + next[file]++] = each;
      }
    }
    List<FileSplit> inFileOrder = Arrays.asList(ordered);
    for (int file = 0; file < ends.length; file++) {
      List<FileSplit> ofFile = inFileOrder.subList(start(ends, file), ends[file]);
      ofFile.sort(IN_FILE);
      check(files.get(file), ofFile);
    }
    return inFileOrder;
  }

  private static int start(int[] ends, int file) {
    return file == 0 ? 0 : ends[file - 1];
  }

  private static int[] fileNumbers(List<DataFileInfo> files, List<Split> splits) {
    Map<Location, Integer> numbers = new HashMap<>();
    for (DataFileInfo file : files) {
      numbers.put(file.location(), numbers.size());
    }
    int[] fileOf = new int[splits.stream().mapToInt(split -> split.fileSplits().size()).sum()];
    int at = 0;
    for (Split split : splits) {
      for (FileSplit each : split.fileSplits()) {
        Integer number = numbers.get(each.file().location());
        if (number == null) {
          throw refuse(each + " is of a file that is not in the dataset");
        }
        fileOf[at++] = number;
      }
    }
    return fileOf;
  }

  private static void check(DataFileInfo file, List<FileSplit> splits) {
    long rows = file.rows();
    long covered = 0;
    for (FileSplit split : splits) {
      if (split.endRow() > rows) {
        throw refuse(split + " goes beyond the file, which has " + rows + " rows");
      }
      if (split.firstRow() > covered) {
        throw refuse(rows(file, covered, split.firstRow()) + " are in no FileSplit");
      }
      if (split.firstRow() < covered && split.rows() > 0) {
        long end = Math.min(covered, split.endRow());
        throw refuse(rows(file, split.firstRow(), end) + " are in two FileSplits");
      }
      covered = Math.max(covered, split.endRow());
    }
    if (covered < rows) {
      throw refuse(rows(file, covered, rows) + " are in no FileSplit");
    }
  }

  private static String rows(DataFileInfo file, long from, long to) {
    return "rows [" + from + ", " + to + ") of " + file.location();
  }

  private static IllegalArgumentException refuse(String fault) {
    return new IllegalArgumentException(
        "Cannot use the split strategy's plan: " + fault + ". Every row must be in exactly one.");
  }
}
