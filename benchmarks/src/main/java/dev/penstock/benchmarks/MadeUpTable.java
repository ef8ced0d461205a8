package dev.penstock.benchmarks;

import dev.penstock.filter.Filter;
import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/// A table of files that do not exist: their names, sizes and row groups are made up, so that
/// planning can be measured for a lake that no machine here holds. Nothing of it can be read.
///
/// @param fileCount how many files it has
/// @param groupsPerFile row groups of each
/// @param groupBytes decompressed bytes of each row group
record MadeUpTable(int fileCount, int groupsPerFile, long groupBytes) implements CatalogTable {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("id", DataType.int64(), false), new Field("x", DataType.float32(), true)));

  @Override
  public String name() {
    return "made-up";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public CatalogFiles files(Optional<Filter> filter) {
    Store store = new Store();
    Format format = new Format(groupsPerFile, groupBytes);
    List<CatalogFile> files = new ArrayList<>();
    for (int i = 0; i < fileCount; i++) {
      String place = String.format("lake://table/day=%04d/part-%08d.parquet", i / 1_000, i);
      long bytes = groupsPerFile * groupBytes / 2 + i % 1_000;
      files.add(
          new CatalogFile(
              new FileEntry(new Location(place), bytes, false, "v" + i),
              store,
              format,
              Map.of(),
              Optional.empty(),
              Optional.empty(),
              OptionalLong.empty()));
    }
    return new CatalogFiles(files, List.of());
  }

  /// Has every file that it is asked for.
  private record Store() implements Storage {
    @Override
    public List<String> schemes() {
      return List.of("lake");
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
    public StorageFile open(Location location) throws IOException {
      throw new IOException("made up: " + location);
    }

    @Override
    public StorageFile open(FileEntry file) {
      return new Empty(file);
    }
  }

  /// A file of which only its name, size and version can be asked.
  private record Empty(FileEntry entry) implements StorageFile {
    @Override
    public Location location() {
      return entry.location();
    }

    @Override
    public long size() {
      return entry.bytes();
    }

    @Override
    public String version() {
      return entry.version();
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      throw new IOException("made up: " + entry.location());
    }

    @Override
    public void close() {}
  }

  /// Makes up row groups of about the same size, from the name of the file.
  private record Format(int groupsPerFile, long groupBytes) implements FileFormat {
    private static final int ROW_BYTES = 1_024;

    @Override
    public String name() {
      return "parquet";
    }

    @Override
    public List<String> extensions() {
      return List.of("parquet");
    }

    @Override
    public byte[] magic() {
      return new byte[0];
    }

    @Override
    public FileMetadata readMetadata(StorageFile file) {
      SplittableRandom random = new SplittableRandom(file.location().hashCode());
      List<RowGroup> groups = new ArrayList<>();
      for (int i = 0; i < groupsPerFile; i++) {
        long rows = groupBytes / ROW_BYTES + random.nextInt(100);
        groups.add(new RowGroup(rows, rows * ROW_BYTES));
      }
      return new Metadata(List.copyOf(groups));
    }

    @Override
    public SliceReader openReader(
        StorageFile file,
        FileMetadata metadata,
        Schema columns,
        long firstRow,
        long rowCount,
        ScratchMemory memory)
        throws IOException {
      throw new IOException("made up: " + file.location());
    }
  }

  /// @param rowGroups the row groups
  private record Metadata(List<RowGroup> rowGroups) implements FileMetadata {
    /// Returns what a Parquet footer of a hundred columns takes, so that few are kept.
    @Override
    public long heapBytes() {
      return 13_000L * rowGroups.size();
    }

    @Override
    public Schema schema() {
      return SCHEMA;
    }
  }
}
