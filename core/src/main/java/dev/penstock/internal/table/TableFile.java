package dev.penstock.internal.table;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.CachedFile;
import dev.penstock.internal.cache.Piles;
import dev.penstock.internal.filter.FileRows;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.TextMetadata;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.RowRange;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// A data file with its footer, kept for all epochs.
///
/// @param info its description for strategies
/// @param version identifies its contents, see [StorageFile#version]
/// @param metadata what its format read from the footer
/// @param format its format
/// @param storage the store that has it
/// @param columns where the columns of the table are in it
/// @param live the live rows; empty if all are. Everywhere else only live rows are numbered
/// @param cached the decoded columns that are kept of it; empty without a cache
public record TableFile(
    DataFileInfo info,
    String version,
    FileMetadata metadata,
    FileFormat format,
    Storage storage,
    FileColumns columns,
    Optional<RowSet> live,
    Optional<Cached> cached) {
  /// What is kept of a file.
  ///
  /// @param folder where it is kept
  /// @param options the options of the format
  /// @param file what is there
  public record Cached(CacheFolder folder, Map<String, String> options, CachedFile file) {
    private static Optional<Cached> of(
        CacheFolder folder,
        Map<String, String> options,
        FileFormat format,
        FileEntry entry,
        FileMetadata metadata) {
      List<String> decoding =
          CachedFile.decoding(format.name(), options, metadata.decodingChoices());
      return entry.version().isEmpty() // Then nothing tells whether the file has changed.
          ? Optional.empty()
          : Optional.of(
              new Cached(
                  folder,
                  options,
                  folder.file(entry.location(), entry.bytes(), entry.version(), decoding)));
    }
  }

  /// Makes a file that is a table by itself.
  ///
  /// @param info its description for strategies
  /// @param version identifies its contents, see [StorageFile#version]
  /// @param metadata what its format read from the footer
  /// @param format its format
  /// @param storage the store that has it
  public TableFile(
      DataFileInfo info,
      String version,
      FileMetadata metadata,
      FileFormat format,
      Storage storage) {
    this(
        info,
        version,
        metadata,
        format,
        storage,
        new FileColumns(
            metadata.schema(),
            metadata.schema(),
            SchemaRules.DEFAULT,
            Partitions.NONE,
            info.partition(),
            Map.of(),
            0),
        Optional.empty(),
        Optional.empty());
  }

  /// Makes the file of rows that are on a pile.
  ///
  /// @param piles the piles
  /// @param pile the number of the pile
  /// @param rows its rows
  /// @param schema its columns
  /// @return the file, which has its rows in the cache and nowhere else
  public static TableFile ofPile(Piles piles, int pile, int rows, Schema schema) {
    return PileFile.of(piles, pile, rows, schema);
  }

  /// Reads a file's footer.
  ///
  /// @param found the file
  /// @param file the open file
  /// @param parts runs the parts of a pass over the file
  /// @return the file with its footer
  /// @throws IOException if it cannot be read
  public static TableFile read(FoundFile found, StorageFile file, Concurrency parts)
      throws IOException {
    Location location = found.entry().location();
    FileMetadata metadata = metadata(found.format(), file, parts);
    Optional<RowSet> live =
        found.live().isPresent() ? found.live().get().find(file, metadata) : Optional.empty();
    List<RowGroup> rowGroups =
        live.map(rows -> left(metadata.rowGroups(), rows)).orElse(metadata.rowGroups());
    return new TableFile(
        new DataFileInfo(location, file.size(), rowGroups, found.partition(), found.details()),
        file.version(),
        metadata,
        found.format(),
        found.storage(),
        new FileColumns(
            metadata.schema(),
            metadata.schema(),
            SchemaRules.DEFAULT,
            Partitions.NONE,
            found.partition(),
            found.constants(),
            0),
        live,
        found
            .cache()
            .flatMap(folder ->
                Cached.of(folder, found.options(), found.format(), entry(file), metadata)));
  }

  private static FileEntry entry(StorageFile file) {
    return new FileEntry(file.location(), file.size(), false, file.version());
  }

  private static FileMetadata metadata(FileFormat format, StorageFile file, Concurrency parts)
      throws IOException {
    try {
      return format.readMetadata(file, parts);
    } catch (MalformedFileException e) {
      if (file.size() == 0 && format.mayBeEmpty()) {
        return new NoBytes(e);
      }
      throw e;
    }
  }

  /// Returns row groups with only their live rows. Their bytes stay, as all of them have to be
  /// read.
  private static List<RowGroup> left(List<RowGroup> stored, RowSet live) {
    List<RowGroup> left = new ArrayList<>();
    long start = 0;
    for (RowGroup group : stored) {
      long end = start + group.rowCount();
      left.add(new RowGroup(live.before(end) - live.before(start), group.bytes()));
      start = end;
    }
    return left;
  }

  /// Returns where the file is.
  ///
  /// @return its location
  public Location location() {
    return info.location();
  }

  /// Opens the file for reading rows.
  ///
  /// @return the open file, to be closed by the caller
  /// @throws IOException if it is gone, or has changed since it was planned
  public StorageFile open() throws IOException {
    StorageFile file = storage.open(new FileEntry(info.location(), info.bytes(), false, version));
    String change =
        file.size() != info.bytes()
            ? "it has " + file.size() + " bytes but had " + info.bytes()
            : !file.version().equals(version)
                ? "its version is '" + file.version() + "' but was '" + version + "'"
                : "";
    if (!change.isEmpty()) {
      file.close();
      throw new MalformedFileException(
          info.location(),
          -1,
          "",
          "Cannot read the file: "
              + change
              + " when the dataset was planned. Make a new dataset to read the changed file.",
          null);
    }
    return file;
  }

  /// Returns the file for reading rows that are in the cache: it is opened if they prove not to be
  /// there.
  ///
  /// @return the file, to be closed by the caller
  public StorageFile openLate() {
    return new LateFile(info, version, this::open);
  }

  /// Returns which bytes a reader of some rows and columns of the table will read, as
  /// [FileFormat#ranges] does.
  ///
  /// @param wanted columns of the table
  /// @param firstRow the first row
  /// @param rowCount how many rows
  /// @return ranges, in any order
  public List<ByteRange> ranges(Schema wanted, long firstRow, long rowCount) {
    Map<String, Field> stored = new LinkedHashMap<>();
    for (Field field : wanted.fields()) {
      columns.source(field).read().ifPresent(read -> stored.put(read.name(), read));
    }
    RowRange rows = stored(firstRow, rowCount);
    Schema found = Schema.of(List.copyOf(stored.values()));
    if (cached.isPresent()) {
      found = cached.get().file().missing(found, rows.offset(), rows.length());
      if (found.size() == 0) {
        return List.of();
      }
    }
    return format.ranges(metadata, found, rows.offset(), rows.length());
  }

  /// Returns whether rows can be read without the file, from the cache.
  ///
  /// @param wanted columns of the table
  /// @param firstRow the first row
  /// @param rowCount how many rows
  /// @return false if the file may have to be opened
  public boolean isKept(Schema wanted, long firstRow, long rowCount) {
    if (cached.isEmpty()) {
      return false;
    }
    RowRange rows = stored(firstRow, rowCount);
    long end = rows.offset() + rows.length();
    return wanted.fields().stream()
        .flatMap(field -> columns.source(field).read().stream())
        .mapToLong(CachedFile::key)
        .allMatch(key -> cached.get().file().covered(key, rows.offset(), end) == end);
  }

  /// Returns how many rows the cache has.
  ///
  /// @param wanted columns of the table, all of which must be there
  /// @param firstRow the first row
  /// @param rowCount how many rows are looked at
  /// @return 0 without a cache, or where no column is stored
  public long keptRows(Schema wanted, long firstRow, long rowCount) {
    long[] keys =
        wanted.fields().stream()
            .flatMap(field -> columns.source(field).read().stream())
            .mapToLong(CachedFile::key)
            .toArray();
    if (cached.isEmpty() || keys.length == 0) {
      return 0;
    }
    CachedFile kept = cached.get().file();
    RowRange rows = stored(firstRow, rowCount);
    long count = 0;
    long row = rows.offset();
    while (row < rows.end()) {
      long end = rows.end();
      long next = row;
      for (long key : keys) {
        long covered = kept.covered(key, row, rows.end());
        end = Math.min(end, covered);
        next = Math.max(next, covered == row ? kept.next(key, row, rows.end()) : row);
      }
      count += live(end) - live(row);
      row = Math.max(end, next);
    }
    return count;
  }

  private long live(long storedRow) {
    return live.map(rows -> rows.before(storedRow)).orElse(storedRow);
  }

  /// Returns the same file with only some of its rows.
  ///
  /// @param rows the rows, as the file numbers all of its rows
  /// @return the file; what it says of its row groups is not changed
  public TableFile only(RowSet rows) {
    return new TableFile(
        info, version, metadata, format, storage, columns, Optional.of(rows), cached);
  }

  /// Returns the same file with all of its rows, also those that were deleted.
  ///
  /// @return the file; what it says of its row groups is not changed
  public TableFile asStored() {
    return new TableFile(
        info, version, metadata, format, storage, columns, Optional.empty(), cached);
  }

  /// Returns the same file with other metadata.
  TableFile with(FileMetadata changed) {
    FileEntry entry = new FileEntry(info.location(), info.bytes(), false, version);
    return new TableFile(
        info,
        version,
        changed,
        format,
        storage,
        columns,
        live,
        cached.flatMap(kept -> Cached.of(kept.folder(), kept.options(), format, entry, changed)));
  }

  /// Returns the same file as a part of a table.
  TableFile in(Schema table, SchemaRules rules, Partitions partitions) {
    return new TableFile(
        info,
        version,
        metadata,
        format,
        storage,
        new FileColumns(
            table,
            metadata.schema(),
            rules,
            partitions,
            info.partition(),
            columns.constants(),
            columns.rowsBefore()),
        live,
        cached);
  }

  /// Numbers the rows of files.
  ///
  /// @param files all files, in path order
  /// @return the same files, each with the number of rows before it
  public static List<TableFile> numbered(List<TableFile> files) {
    List<TableFile> numbered = new ArrayList<>();
    long rows = 0;
    for (TableFile file : files) {
      numbered.add(file.after(rows));
      rows += file.metadata.rowCount();
    }
    return numbered;
  }

  private TableFile after(long rowsBefore) {
    FileColumns changed =
        new FileColumns(
            columns.table(),
            columns.schema(),
            columns.rules(),
            columns.partitions(),
            columns.partition(),
            columns.constants(),
            rowsBefore);
    return new TableFile(info, version, metadata, format, storage, changed, live, cached);
  }

  /// Returns the row groups, with their live rows only.
  ///
  /// @return in file order
  public List<RowGroup> rowGroups() {
    return live.isEmpty() ? metadata.rowGroups() : info.rowGroups();
  }

  /// Returns the end of the transform block that contains a row.
  ///
  /// @param row the row, counted among live rows
  /// @param rows the rows of a block, which is an aligned run of those of a row group; 0 for whole
  ///   row groups
  /// @return the row after its last one
  public long blockEnd(long row, int rows) {
    long start = 0;
    for (RowGroup group : rowGroups()) {
      long end = start + group.rowCount();
      if (row < end) {
        return rows == 0 ? end : Math.min(start + ((row - start) / rows + 1) * rows, end);
      }
      start = end;
    }
    return start;
  }

  /// Returns where its rows are, for a filter.
  ///
  /// @return the file's name and the numbers of live rows in it
  public FileRows rows() {
    LongUnaryOperator stored = live.isEmpty() ? LongUnaryOperator.identity() : live.get()::row;
    return new FileRows(location().name(), stored);
  }

  /// Returns where live rows are stored.
  ///
  /// @param firstRow the first row
  /// @param rowCount how many
  /// @return the rows from the first to the last of them, as the file numbers all its rows
  public RowRange stored(long firstRow, long rowCount) {
    if (live.isEmpty() || rowCount == 0) {
      return new RowRange(firstRow, rowCount);
    }
    long first = live.get().row(firstRow);
    return new RowRange(first, live.get().row(firstRow + rowCount - 1) + 1 - first);
  }

  /// Returns the statistics of a column of the table in a row group of this file, in the table's
  /// type.
  ///
  /// Where the file lacks the column, its nulls or its one value are known exactly. Where the
  /// column is widened or cast, only bounds that the table's type holds exactly are kept.
  ///
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param name a column of the table, or the path of a part of a struct
  /// @return the statistics
  /// @throws IndexOutOfBoundsException if there is no such row group
  public ColumnStatistics statistics(int rowGroup, String name) {
    return columns
        .find(name)
        .map(column -> statistics(rowGroup, column))
        .orElse(ColumnStatistics.UNKNOWN);
  }

  ColumnStatistics statistics(int rowGroup, Field column) {
    return switch (columns.source(column)) {
      case ColumnSource.Constant(Comparable<?> value) ->
          TableStatistics.ofConstant(column.type(), value, rowGroups().get(rowGroup).rowCount());
      case ColumnSource.Stored(String path, DataType type) ->
          left(
              TableStatistics.converted(type, column.type(), metadata.statistics(rowGroup, path)),
              rowGroups().get(rowGroup).rowCount());
      case ColumnSource.RowNumbers(long first) ->
          left(
              TableStatistics.converted(
                  ColumnSource.RowNumbers.TYPE, column.type(), numbers(rowGroup, first)),
              rowGroups().get(rowGroup).rowCount());
      case ColumnSource.VariantField _ -> ColumnStatistics.UNKNOWN;
    };
  }

  /// Returns how many nulls a row group has in a column of the table, as far as the file states it.
  ///
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param name a column of the table, or the path of a part of a struct
  /// @return the number; empty if it is not stated, or if some of the row group's rows were deleted
  public OptionalLong nullCount(int rowGroup, String name) {
    Optional<Field> column = columns.find(name);
    if (column.isEmpty()) {
      return OptionalLong.empty();
    }
    long rows = rowGroups().get(rowGroup).rowCount();
    return switch (columns.source(column.get())) {
      case ColumnSource.Constant(Comparable<?> value) -> OptionalLong.of(value == null ? rows : 0);
      case ColumnSource.Stored(String path, DataType _) -> {
        OptionalLong stated = metadata.nullCount(rowGroup, path);
        boolean isWhole = rows == metadata.rowGroups().get(rowGroup).rowCount();
        yield isWhole || stated.equals(OptionalLong.of(0)) ? stated : OptionalLong.empty();
      }
      case ColumnSource.RowNumbers _ -> OptionalLong.of(0);
      case ColumnSource.VariantField _ -> OptionalLong.empty();
    };
  }

  /// Returns whether the schema that the file itself declares allows nulls in a column of the
  /// table.
  ///
  /// @param name a column of the table, or the path of a part of a struct
  /// @return false also where the schema was inferred, as for text
  public boolean declaresNulls(String name) {
    return !(metadata instanceof TextMetadata)
        && columns
            .find(name)
            .filter(column -> columns.source(column) instanceof ColumnSource.Stored)
            .flatMap(column -> columns.stored(column.name()))
            .map(Field::nullable)
            .orElse(false);
  }

  private ColumnStatistics numbers(int rowGroup, long firstOfFile) {
    long first = firstOfFile + rowsBefore(rowGroup);
    long count = metadata.rowGroups().get(rowGroup).rowCount();
    return new ColumnStatistics(
        OptionalLong.of(count),
        OptionalLong.of(0),
        OptionalLong.empty(),
        count == 0 ? null : new Bound(first, true),
        count == 0 ? null : new Bound(first + count - 1, true));
  }

  /// Returns the first row of a row group, as the file numbers all of its rows.
  private long rowsBefore(int rowGroup) {
    return metadata.rowGroups().subList(0, rowGroup).stream().mapToLong(RowGroup::rowCount).sum();
  }

  /// Returns the statistics that still hold when only some rows are live.
  private ColumnStatistics left(ColumnStatistics all, long count) {
    if (live.isEmpty() || all.valueCount().equals(OptionalLong.of(count))) {
      return all;
    }
    boolean hasValues = count > 0 && !all.allNull();
    OptionalLong none = OptionalLong.of(0);
    return new ColumnStatistics(
        OptionalLong.of(count),
        all.allNull() ? OptionalLong.of(count) : all.noNulls() ? none : OptionalLong.empty(),
        all.noNaN() ? none : OptionalLong.empty(),
        hasValues ? inexact(all.lower()) : null,
        hasValues ? inexact(all.upper()) : null);
  }

  /// Marks a bound as inexact: the row with that value may have been deleted.
  private static @Nullable Bound inexact(@Nullable Bound bound) {
    return bound == null ? null : new Bound(bound.value(), false);
  }

  /// Reads the statistics of a column of the table in the pages of a row group, in the table's
  /// type.
  ///
  /// @param file this file, open
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param name a column of the table, or the path of a part of a struct
  /// @return as [FileFormat#pageStatistics] does; empty where the file lacks the column, because
  ///   its row groups' statistics are exact then
  /// @throws IOException if the file cannot be read, or its page index is malformed
  public List<PageStatistics> pageStatistics(StorageFile file, int rowGroup, String name)
      throws IOException {
    Optional<Field> column = columns.find(name);
    return column.isEmpty() ? List.of() : pageStatistics(file, rowGroup, column.get());
  }

  List<PageStatistics> pageStatistics(StorageFile file, int rowGroup, Field column)
      throws IOException {
    if (!(columns.source(column) instanceof ColumnSource.Stored(String path, DataType type))) {
      return List.of();
    }
    List<PageStatistics> pages = format.pageStatistics(file, metadata, rowGroup, path);
    if (type.equals(column.type()) && live.isEmpty()) {
      return pages;
    }
    long start = rowsBefore(rowGroup);
    List<PageStatistics> changed = new ArrayList<>();
    for (PageStatistics page : pages) {
      long first = page.firstRow();
      long end = first + page.rowCount();
      if (live.isPresent()) {
        RowSet left = live.get();
        first = left.before(start + first) - left.before(start);
        end = left.before(start + end) - left.before(start);
      }
      ColumnStatistics all = TableStatistics.converted(type, column.type(), page.statistics());
      changed.add(new PageStatistics(first, end - first, left(all, end - first)));
    }
    return changed;
  }

  /// Reads the bloom filter of a column of the table in a row group.
  ///
  /// @param file this file, open while the filter is used
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param name a column of the table, or the path of a part of a struct
  /// @return the filter, which takes values of the table's type; empty if there is none, or if
  ///   reading changes values by more than widening
  /// @throws IOException if the file cannot be read, or the filter is malformed
  public Optional<BloomFilter> bloomFilter(StorageFile file, int rowGroup, String name)
      throws IOException {
    Optional<Field> column = columns.find(name);
    return column.isEmpty() ? Optional.empty() : bloomFilter(file, rowGroup, column.get());
  }

  Optional<BloomFilter> bloomFilter(StorageFile file, int rowGroup, Field column)
      throws IOException {
    if (!(columns.source(column) instanceof ColumnSource.Stored(String path, DataType type))) {
      return Optional.empty();
    }
    if (type.equals(column.type())) {
      return format.bloomFilter(file, metadata, rowGroup, path);
    }
    // Each value of the narrower integer is exactly one of the wider type; with other types it may
    // be two.
    boolean widened =
        type instanceof DataType.Int
            && column.type() instanceof DataType.Int
            && column.type().equals(Widening.wider(type, column.type()));
    return !widened
        ? Optional.empty()
        : format
            .bloomFilter(file, metadata, rowGroup, path)
            .map(filter ->
                value -> {
                  Comparable<?> stored = TableStatistics.converted(column.type(), type, value);
                  return stored != null && filter.mightContain(stored);
                });
  }

  /// Returns how many values a column of the table has in a row group, see
  /// [FileMetadata#valueCount].
  OptionalLong valueCount(int rowGroup, String column) {
    return columns
        .stored(column)
        .map(stored -> left(metadata.valueCount(rowGroup, stored.name()), rowGroup))
        .orElseGet(() -> OptionalLong.of(rowGroups().get(rowGroup).rowCount()));
  }

  /// Returns the approximate work of decoding a row of a column of the table, see
  /// [FileMetadata#decodingWork].
  ///
  /// @param column a column as [Schema#find] takes it
  /// @return the mean of the first row group with rows; empty if the file does not state it
  public OptionalDouble decodingWork(String column) {
    List<RowGroup> groups = metadata.rowGroups();
    int group = 0;
    while (group < groups.size() && groups.get(group).rowCount() == 0) {
      group++;
    }
    Optional<Field> stored = columns.stored(column);
    if (stored.isEmpty() || group == groups.size()) {
      return OptionalDouble.empty();
    }
    OptionalLong work = metadata.decodingWork(group, stored.get().name());
    double rows = groups.get(group).rowCount();
    return work.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(work.getAsLong() / rows);
  }

  /// Estimates how many values are left, as if all rows had equally many.
  private OptionalLong left(OptionalLong values, int rowGroup) {
    long all = metadata.rowGroups().get(rowGroup).rowCount();
    return live.isEmpty() || values.isEmpty() || all == 0
        ? values
        : OptionalLong.of(
            Math.round((double) values.getAsLong() / all * rowGroups().get(rowGroup).rowCount()));
  }
}
