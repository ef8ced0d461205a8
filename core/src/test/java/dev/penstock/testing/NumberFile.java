package dev.penstock.testing;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.plan.Pruning;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.table.Partitions;
import dev.penstock.internal.table.SchemaRules;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.internal.table.TableFiles;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A file of columns `c0`, `c1` and so on of 64-bit integers; row `r` of each is `r`.
///
/// @param columns how many columns it has
/// @param rowGroups its row groups
/// @param badRow the row that cannot be read; -1 if all can
public record NumberFile(int columns, List<RowGroup> rowGroups, long badRow)
    implements FormatInMemory {
  /// Returns the schema of files.
  ///
  /// @param columns how many columns they have
  /// @return `c0`, `c1` and so on
  public static Schema schema(int columns) {
    return Schema.of(
        IntStream.range(0, columns)
            .mapToObj(i -> new Field("c" + i, DataType.int64(), false))
            .toList());
  }

  /// Plans an epoch of files in file order.
  ///
  /// @param files the files, all with the same columns
  /// @return a run for each row group
  public static List<Run> runs(NumberFile... files) throws IOException {
    List<TableFile> tableFiles = new ArrayList<>();
    for (NumberFile file : files) {
      Location location = new Location("memory://" + tableFiles.size());
      DataFileInfo info =
          new DataFileInfo(location, 0, file.rowGroups(), List.of(), Optional.empty());
      tableFiles.add(TableFiles.alone(info, "", file, file, new NoBytesStorage()));
    }
    Table table = Table.of(tableFiles, SchemaRules.DEFAULT, Partitions.NONE);
    Pruning pruning = new Pruning(table, Condition.always());
    return Sequence.of(table.infos().stream().map(FileSplit::whole).toList(), table, pruning)
        .runs();
  }

  @Override
  public Schema schema() {
    return schema(columns);
  }

  @Override
  public SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema wanted,
      long firstRow,
      long rowCount,
      ScratchMemory memory) {
    return new SliceReader() {
      private long at = firstRow;
      private long[] values = {};

      @Override
      public int next(int maxRows) throws IOException {
        int rows = (int) Math.min(maxRows, firstRow + rowCount - at);
        if (badRow >= at && badRow < at + rows) {
          throw new MalformedFileException(file.location(), -1, "", "Corrupt row " + badRow, null);
        }
        values = new long[rows];
        Arrays.setAll(values, i -> at + i);
        at += rows;
        return rows;
      }

      @Override
      public ColumnSlice column(int index) {
        MemorySegment copy =
            MemorySegment.ofBuffer(ByteBuffer.allocateDirect(8 * values.length + 64));
        MemorySegment.copy(values, 0, copy, ValueLayout.JAVA_LONG_UNALIGNED, 0, values.length);
        return ColumnSlice.fixed(DataType.int64(), values.length, 0, null, copy);
      }

      @Override
      public void close() {}
    };
  }

  /// A store of files without bytes.
  private static final class NoBytesStorage implements Storage {
    @Override
    public List<String> schemes() {
      return List.of("memory");
    }

    @Override
    public Optional<FileEntry> stat(Location location) {
      return Optional.empty();
    }

    @Override
    public List<FileEntry> list(Location folder) {
      return List.of();
    }

    @Override
    public StorageFile open(Location location) {
      return new BytesFile(new byte[0], location.name());
    }
  }
}
