package dev.penstock.internal.plan;

import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Split;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Checks that a strategy's splits have every row of every file exactly once.
final class SplitCheck {
  private SplitCheck() {}

  static void check(List<DataFileInfo> files, List<Split> splits) {
    Map<Location, List<FileSplit>> byFile = new LinkedHashMap<>();
    files.forEach(file -> byFile.put(file.location(), new ArrayList<>()));
    for (Split split : splits) {
      for (FileSplit fileSplit : split.fileSplits()) {
        List<FileSplit> ofFile = byFile.get(fileSplit.file().location());
        if (ofFile == null) {
          throw refuse(fileSplit + " is of a file that is not in the dataset");
        }
        ofFile.add(fileSplit);
      }
    }
    files.forEach(file -> check(file, byFile.getOrDefault(file.location(), List.of())));
  }

  private static void check(DataFileInfo file, List<FileSplit> splits) {
    splits.sort(Comparator.comparingLong(FileSplit::firstRow).thenComparingLong(FileSplit::endRow));
    long covered = 0;
    for (FileSplit split : splits) {
      if (split.endRow() > file.rows()) {
        throw refuse(split + " goes beyond the file, which has " + file.rows() + " rows");
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
    if (covered < file.rows()) {
      throw refuse(rows(file, covered, file.rows()) + " are in no FileSplit");
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
