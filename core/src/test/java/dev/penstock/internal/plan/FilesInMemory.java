package dev.penstock.internal.plan;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.table.Partitions;
import dev.penstock.internal.table.SchemaRules;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.internal.table.TableFiles;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.storage.Location;
import dev.penstock.testing.FormatInMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A table of files that nobody reads, for planning: file `f` has the row groups that are given.
record FilesInMemory(Table table, Pruning pruning) {
  /// One file.
  private record Planned(List<RowGroup> rowGroups) implements FormatInMemory {
    @Override
    public Schema schema() {
      return Schema.of(List.of(new Field("c", DataType.int64(), true)));
    }

    @Override
    public SliceReader openReader(
        StorageFile file,
        FileMetadata metadata,
        Schema columns,
        long firstRow,
        long rowCount,
        ScratchMemory memory) {
      throw new AssertionError("Nothing is read to plan");
    }
  }

  /// Makes files.
  ///
  /// @param rowsOfGroups for each file the rows of its row groups
  static FilesInMemory of(int[]... rowsOfGroups) throws IOException {
    List<TableFile> files = new ArrayList<>();
    for (int f = 0; f < rowsOfGroups.length; f++) {
      List<RowGroup> groups =
          Arrays.stream(rowsOfGroups[f]).mapToObj(rows -> new RowGroup(rows, 0)).toList();
      Planned planned = new Planned(groups);
      DataFileInfo info =
          new DataFileInfo(new Location("/lake/" + f), 0, groups, List.of(), Optional.empty());
      files.add(TableFiles.alone(info, "", planned, planned, new LocalStorage()));
    }
    Table table = Table.of(files, SchemaRules.DEFAULT, Partitions.NONE);
    return new FilesInMemory(table, new Pruning(table, Condition.always()));
  }

  /// Makes one to four files of up to three row groups of up to 20 rows, with one row at least.
  static FilesInMemory random(Random random) throws IOException {
    int[][] files = new int[1 + random.nextInt(4)][];
    for (int f = 0; f < files.length; f++) {
      files[f] = random.ints(1 + random.nextInt(3), 0, 21).toArray();
    }
    files[0][0] = 1 + random.nextInt(20);
    return of(files);
  }

  /// Returns all rows in file order.
  Sequence sequence() {
    return Sequence.of(table.infos().stream().map(FileSplit::whole).toList(), table, pruning);
  }

  /// Returns the rows of a sequence one by one, as `file:row`, by what its runs read.
  static List<String> rows(Sequence sequence) {
    List<String> rows = new ArrayList<>();
    for (Run run : sequence.runs()) {
      for (RowRun part : run.parts()) {
        for (long row = part.firstRow(); row < part.endRow(); row++) {
          rows.add(part.file().info().location().name() + ":" + row);
        }
      }
    }
    return rows;
  }
}
