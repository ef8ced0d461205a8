package dev.penstock.internal.planfile;

import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What plans have of the files of a table.
public final class TablePlan {
  private TablePlan() {}

  /// Makes the plan of files whose footers were read, before they are joined to a table.
  ///
  /// @param listed all files that were listed, in path order; also those that were left out later
  public static PlanFile of(PlanOrigin origin, List<FoundFile> listed, List<TableFile> read) {
    Map<FileSchema, Integer> schemas = new LinkedHashMap<>();
    List<PlannedFile> files = new ArrayList<>();
    for (TableFile file : read) {
      FileSchema schema = FileSchema.of(file.metadata());
      int number = schemas.computeIfAbsent(schema, _ -> schemas.size());
      files.add(
          new PlannedFile(
              file.location(),
              file.info().bytes(),
              file.version(),
              file.info().partition(),
              number,
              file.metadata().rowGroups(),
              file.rowGroups()));
    }
    String hash = PlanFile.hash(origin, listed.stream().map(FoundFile::entry).toList());
    return new PlanFile(hash, origin, List.copyOf(schemas.keySet()), files);
  }

  /// Returns the statistics of the footers.
  ///
  /// @param matches the matches of each file, see [PlanDetails#matches]; empty without a filter
  public static PlanDetails details(List<TableFile> read, List<Optional<RowSet>> matches) {
    return new PlanDetails() {
      @Override
      public ColumnStatistics statistics(int file, int rowGroup, String column) {
        return read.get(file).metadata().statistics(rowGroup, column);
      }

      @Override
      public Optional<RowSet> matches(int file) {
        return matches.get(file);
      }
    };
  }

  /// Returns a file of a plan as if it was listed.
  ///
  /// @param format with the plan's options
  public static FoundFile found(PlannedFile file, Storage storage, FileFormat format) {
    FileEntry entry = new FileEntry(file.location(), file.bytes(), false, file.version());
    return new FoundFile(entry, storage, format, file.partition());
  }
}
