package dev.penstock.internal.planfile;

import dev.penstock.internal.table.FileSchema;
import dev.penstock.internal.table.Footer;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// What plans have of the files of a table.
public final class TablePlan {
  /// Many, as those that are not kept are read anew.
  private static final int FOOTERS_AT_ONCE = 1024;

  private TablePlan() {}

  /// Returns a location by which a plan names a file or folder, wherever the process runs: that of
  /// a local one is complete.
  public static Location full(Location location) {
    return location.scheme().equals("file")
        ? Location.of(Path.of(location.text()).toAbsolutePath().normalize())
        : location;
  }

  /// Returns the hash of the plan of listed files, which are in path order.
  public static String hash(PlanOrigin origin, List<FoundFile> listed) {
    return PlanFile.hash(origin, listed.stream().map(TablePlan::entry).toList());
  }

  private static FileEntry entry(FoundFile file) {
    FileEntry entry = file.entry();
    return new FileEntry(
        full(entry.location()), entry.bytes(), false, entry.version(), entry.modified());
  }

  /// Makes the plan of files whose footers were read, before they are joined to a table.
  ///
  /// @param listed all files that were listed, in path order; also those that were left out later
  public static PlanFile of(PlanOrigin origin, List<FoundFile> listed, List<TableFile> read) {
    Map<FileSchema, Integer> schemas = new LinkedHashMap<>();
    List<PlannedFile> files = new ArrayList<>();
    for (TableFile file : read) {
      int number = schemas.computeIfAbsent(file.footer().facts(), _ -> schemas.size());
      files.add(
          new PlannedFile(
              full(file.location()),
              file.info().bytes(),
              file.version(),
              file.info().partition(),
              number,
              file.footer().rowGroups(),
              file.rowGroups()));
    }
    return new PlanFile(hash(origin, listed), origin, List.copyOf(schemas.keySet()), files);
  }

  /// Returns the statistics of the footers.
  ///
  /// @param matches the matches of each file, see [PlanDetails#matches]; empty without a filter
  public static PlanDetails details(List<TableFile> read, List<Optional<RowSet>> matches) {
    return new PlanDetails() {
      private int start = -1;
      private String of = "";
      private List<List<ColumnStatistics>> some = List.of(); // from file `start` on, of column `of`

      @Override
      public synchronized ColumnStatistics statistics(int file, int rowGroup, String column)
          throws IOException {
        int first = file - file % FOOTERS_AT_ONCE;
        if (first != start || !column.equals(of)) {
          int end = Math.min(first + FOOTERS_AT_ONCE, read.size());
          some = Footer.each(read.subList(first, end), each -> TablePlan.statistics(each, column));
          start = first;
          of = column;
        }
        return some.get(file - first).get(rowGroup);
      }

      @Override
      public Optional<RowSet> matches(int file) {
        return matches.get(file);
      }
    };
  }

  private static List<ColumnStatistics> statistics(TableFile file, String column)
      throws IOException {
    FileMetadata metadata = file.metadata();
    return IntStream.range(0, metadata.rowGroups().size())
        .mapToObj(rowGroup -> metadata.statistics(rowGroup, column))
        .toList();
  }

  /// Returns a file of a plan as if it was listed.
  ///
  /// @param format with the plan's options
  public static FoundFile found(PlannedFile file, Storage storage, FileFormat format) {
    FileEntry entry = new FileEntry(file.location(), file.bytes(), false, file.version());
    return new FoundFile(entry, storage, format, file.partition());
  }
}
