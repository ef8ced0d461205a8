package dev.penstock.internal.table;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a file of a table states of values, in the types of the table and of live rows only.
///
/// A row group is named by its place in [FileMetadata#rowGroups()], a column by its name in the
/// table, or by the path of a part of a struct.
///
/// The file's footer may have to be read, when it is first needed. An error of that is unchecked;
/// what are only hints is unknown then.
///
/// **Threads.** One at a time.
public final class FileStatistics {
  private static final long HINT_CHUNKS = 1 << 17;

  private final TableFile file;
  private @Nullable FileMetadata read;

  FileStatistics(TableFile file) {
    this.file = file;
  }

  /// Looks at what the first files of a table state, as a hint of what is in all of them: at no
  /// more than [#HINT_CHUNKS] columns of row groups, but at one file at least, and only at that if
  /// it was planned without its footer, and at none from one on of which only the rows are known.
  /// The same table gives the same hints, whichever footers are kept.
  public static <R> List<R> hints(List<TableFile> files, Function<FileStatistics, R> look) {
    long chunks = 0;
    int count = 0;
    while (count < files.size() && (count == 0 || chunks < HINT_CHUNKS)) {
      Footer footer = files.get(count).footer();
      if (footer.isStated()) {
        break;
      }
      count++;
      chunks +=
          footer.isPlanned()
              ? HINT_CHUNKS
              : (long) footer.rowGroups().size() * footer.schema().size();
    }
    try {
      return Footer.each(files.subList(0, count), file -> look.apply(file.statistics()));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  public TableFile file() {
    return file;
  }

  private FileMetadata metadata() {
    FileMetadata known = read;
    if (known == null) {
      try {
        known = file.metadata();
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
      read = known;
    }
    return known;
  }

  private OptionalLong hint(Function<FileMetadata, OptionalLong> stated) {
    try {
      return stated.apply(metadata());
    } catch (UncheckedIOException _) { // whoever reads the file meets the error again
      return OptionalLong.empty();
    }
  }

  /// Returns the statistics of a column in a row group.
  ///
  /// Where the file lacks the column, its nulls or its one value are known exactly. Where the
  /// column is widened or cast, only bounds that the table's type holds exactly are kept.
  public ColumnStatistics ofRowGroup(int rowGroup, String name) {
    Field column = file.columns().find(name).orElse(null);
    if (column == null) {
      return ColumnStatistics.UNKNOWN;
    }
    long rows = rows(rowGroup);
    return switch (file.columns().source(column)) {
      case ColumnSource.Constant(Comparable<?> value) ->
          TableStatistics.ofConstant(column.type(), value, rows);
      case ColumnSource.Stored(String path, DataType type) ->
          converted(type, column, stated(rowGroup, path), rows);
      case ColumnSource.RowNumbers(long first) ->
          converted(ColumnSource.RowNumbers.TYPE, column, numbers(rowGroup, first), rows);
      case ColumnSource.VariantField _, ColumnSource.ListField _ -> ColumnStatistics.UNKNOWN;
    };
  }

  private ColumnStatistics stated(int rowGroup, String path) {
    try {
      return file.footer()
          .plannedStatistics(rowGroup, path)
          .orElseGet(() -> metadata().statistics(rowGroup, path));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private long rows(int rowGroup) {
    return file.rowGroups().get(rowGroup).rowCount();
  }

  private long storedRows(int rowGroup) {
    return file.footer().rowGroups().get(rowGroup).rowCount();
  }

  private ColumnStatistics converted(
      DataType type, Field column, ColumnStatistics stored, long rows) {
    return left(TableStatistics.converted(type, column.type(), stored), rows);
  }

  private ColumnStatistics numbers(int rowGroup, long firstOfFile) {
    long first = firstOfFile + rowsBefore(rowGroup);
    long count = storedRows(rowGroup);
    return new ColumnStatistics(
        OptionalLong.of(count),
        OptionalLong.of(0),
        OptionalLong.empty(),
        count == 0 ? null : new Bound(first, true),
        count == 0 ? null : new Bound(first + count - 1, true));
  }

  /// Returns the first row of a row group, as the file numbers all of its rows.
  private long rowsBefore(int rowGroup) {
    return file.footer().rowGroups().subList(0, rowGroup).stream()
        .mapToLong(RowGroup::rowCount)
        .sum();
  }

  /// Returns the statistics that still hold when only some rows are live.
  private ColumnStatistics left(ColumnStatistics all, long count) {
    if (file.deletes().areNone() || all.valueCount().equals(OptionalLong.of(count))) {
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

  /// Returns how many nulls a row group has; empty if it is not stated, or if some of the row
  /// group's rows were deleted.
  public OptionalLong nullCount(int rowGroup, String name) {
    Optional<Field> column = file.columns().find(name);
    if (column.isEmpty()) {
      return OptionalLong.empty();
    }
    long rows = rows(rowGroup);
    return switch (file.columns().source(column.get())) {
      case ColumnSource.Constant(Comparable<?> value) -> OptionalLong.of(value == null ? rows : 0);
      case ColumnSource.Stored(String path, DataType _) -> {
        OptionalLong stated = hint(footer -> footer.nullCount(rowGroup, path));
        boolean isWhole = rows == storedRows(rowGroup);
        yield isWhole || stated.equals(OptionalLong.of(0)) ? stated : OptionalLong.empty();
      }
      case ColumnSource.RowNumbers _ -> OptionalLong.of(0);
      case ColumnSource.VariantField _, ColumnSource.ListField _ -> OptionalLong.empty();
    };
  }

  /// Returns whether the schema that the file itself declares allows nulls; false also where the
  /// schema was inferred, as for text.
  public boolean declaresNulls(String name) {
    FileColumns columns = file.columns();
    return !file.footer().facts().isText()
        && columns
            .find(name)
            .filter(column -> columns.source(column) instanceof ColumnSource.Stored)
            .flatMap(column -> columns.stored(column.name()))
            .map(Field::nullable)
            .orElse(false);
  }

  /// Returns how many values a row group has, see [FileMetadata#valueCount]. Where some rows were
  /// deleted, it is an estimate, as if all rows had equally many.
  OptionalLong valueCount(int rowGroup, String column) {
    Optional<Field> stored = file.columns().stored(column);
    long rows = rows(rowGroup);
    if (stored.isEmpty()) {
      boolean isField = file.columns().read(column).isPresent(); // of structs in lists
      return isField ? OptionalLong.empty() : OptionalLong.of(rows);
    }
    OptionalLong values = hint(footer -> footer.valueCount(rowGroup, stored.get().name()));
    long all = storedRows(rowGroup);
    return file.deletes().areNone() || values.isEmpty() || all == 0
        ? values
        : OptionalLong.of(Math.round((double) values.getAsLong() / all * rows));
  }

  /// Returns the approximate work of decoding a row, see [FileMetadata#decodingWork]: the mean of
  /// the first row group with rows; empty if the file does not state it.
  public OptionalDouble decodingWork(String column) {
    List<RowGroup> groups = file.footer().rowGroups();
    int group = 0;
    while (group < groups.size() && groups.get(group).rowCount() == 0) {
      group++;
    }
    Optional<Field> read = file.columns().read(column);
    if (read.isEmpty() || group == groups.size()) {
      return OptionalDouble.empty();
    }
    OptionalLong work = storedWork(group, read.get().name());
    double rows = groups.get(group).rowCount();
    return work.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(work.getAsLong() / rows);
  }

  /// Returns the work of decoding a column of the file, see [FileMetadata#decodingWork].
  public OptionalLong storedWork(int rowGroup, String column) {
    return hint(footer -> footer.decodingWork(rowGroup, column));
  }

  /// Reads the statistics of the pages of a row group, see [FileFormat#pageStatistics]; empty where
  /// the file lacks the column, because its row groups' statistics are exact then.
  public List<PageStatistics> ofPages(StorageFile opened, int rowGroup, String name)
      throws IOException {
    Field column = file.columns().find(name).orElse(null);
    if (column == null
        || !(file.columns().source(column)
            instanceof ColumnSource.Stored(String path, DataType type))) {
      return List.of();
    }
    List<PageStatistics> pages =
        file.format().pageStatistics(opened, file.metadata(opened), rowGroup, path);
    if (type.equals(column.type()) && file.deletes().areNone()) {
      return pages;
    }
    long start = rowsBefore(rowGroup);
    List<PageStatistics> changed = new ArrayList<>();
    for (PageStatistics page : pages) {
      long first = page.firstRow();
      long end = first + page.rowCount();
      if (file.live().isPresent()) {
        RowSet left = file.live().get();
        first = left.before(start + first) - left.before(start);
        end = left.before(start + end) - left.before(start);
      }
      long rows = end - first;
      changed.add(
          new PageStatistics(first, rows, converted(type, column, page.statistics(), rows)));
    }
    return changed;
  }

  /// Reads the bloom filter of a row group, which takes values of the table's type, while the file
  /// is open; empty if there is none, or if reading changes values by more than widening.
  public Optional<BloomFilter> bloomFilter(StorageFile opened, int rowGroup, String name)
      throws IOException {
    Field column = file.columns().find(name).orElse(null);
    if (column == null
        || !(file.columns().source(column)
            instanceof ColumnSource.Stored(String path, DataType type))) {
      return Optional.empty();
    }
    boolean isSame = type.equals(column.type());
    // Each value of the narrower integer is exactly one of the wider type; with other types it may
    // be two.
    boolean isWidened =
        type instanceof DataType.Int
            && column.type() instanceof DataType.Int
            && column.type().equals(Widening.wider(type, column.type()));
    if (!isSame && !isWidened) {
      return Optional.empty();
    }
    Optional<BloomFilter> stored =
        file.format().bloomFilter(opened, file.metadata(opened), rowGroup, path);
    return isSame ? stored : stored.map(filter -> widened(filter, type, column.type()));
  }

  private static BloomFilter widened(BloomFilter filter, DataType type, DataType wider) {
    return value -> {
      Comparable<?> stored = TableStatistics.converted(wider, type, value);
      return stored != null && filter.mightContain(stored);
    };
  }
}
