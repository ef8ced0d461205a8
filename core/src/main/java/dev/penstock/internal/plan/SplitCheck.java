package dev.penstock.internal.plan;

import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Split;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Checks that a strategy's splits have every row of every file exactly once.
final class SplitCheck {
  private SplitCheck() {}

  /// Checks a strategy's answer.
  ///
  /// @param files what was to be cut
  /// @param splits the answer
  /// @return the FileSplits in file order
  /// @throws IllegalArgumentException if a row is in none of them, or in two
  static List<FileSplit> inFileOrder(List<DataFileInfo> files, List<Split> splits) {
    Map<Location, Integer> numbers = new HashMap<>();
    for (DataFileInfo file : files) {
      numbers.put(file.location(), numbers.size());
    }
    List<Placed> placed = new ArrayList<>();
    for (Split split : splits) {
      for (FileSplit each : split.fileSplits()) {
        Integer number = numbers.get(each.file().location());
        if (number == null) {
          throw refuse(each + " is of a file that is not in the dataset");
        }
        placed.add(new Placed(number, each));
      }
    }
    placed.sort(
        Comparator.comparingInt(Placed::file)
            .thenComparingLong(each -> each.split.firstRow())
            .thenComparingLong(each -> each.split.endRow()));
    check(files, placed);
    return placed.stream().map(Placed::split).toList();
  }

  /// @param file the number of the file
  private record Placed(int file, FileSplit split) {}

  private static void check(List<DataFileInfo> files, List<Placed> placed) {
    int at = 0;
    for (int file = 0; file < files.size(); file++) {
      int end = at;
      while (end < placed.size() && placed.get(end).file == file) {
        end++;
      }
      check(files.get(file), placed.subList(at, end));
      at = end;
    }
  }

  private static void check(DataFileInfo file, List<Placed> placed) {
    long rows = file.rows();
    long covered = 0;
    for (Placed each : placed) {
      FileSplit split = each.split;
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
