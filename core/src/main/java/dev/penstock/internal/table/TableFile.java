package dev.penstock.internal.table;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.CachedFile;
import dev.penstock.internal.cache.Piles;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.filter.FileRowNumbers;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.TextMetadata;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.RowRange;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/// A data file of a table, as it is planned, for all epochs.
///
/// @param info its description for strategies
/// @param version identifies its contents, see [StorageFile#version]
/// @param columns where the columns of the table are in it
/// @param deletes which rows were deleted. Everywhere else only live rows are numbered
/// @param cached the decoded columns that are kept of it; empty without a cache
public record TableFile(
    DataFileInfo info,
    String version,
    Footer footer,
    FileFormat format,
    Storage storage,
    FileColumns columns,
    Deletes deletes,
    Optional<Cached> cached) {
  private static final Schema NO_COLUMNS = Schema.of(List.of());

  /// The metadata of an empty file: among other files, it has no rows and takes its columns from
  /// them; `alone` is the error if there are no others.
  record NoBytes(MalformedFileException alone) implements FileMetadata {
    @Override
    public Schema schema() {
      return NO_COLUMNS;
    }

    @Override
    public List<RowGroup> rowGroups() {
      return List.of();
    }
  }

  /// What is kept of a file that is read with options of its format.
  public record Cached(CacheFolder folder, Map<String, String> options, CachedFile file) {
    private static Optional<Cached> of(
        CacheFolder folder,
        Map<String, String> options,
        FileFormat format,
        FileEntry entry,
        Footer footer) {
      List<String> decoding = CachedFile.decoding(format.name(), options, footer.decodingChoices());
      return entry.version().isEmpty() // Then nothing tells whether the file has changed.
          ? Optional.empty()
          : Optional.of(
              new Cached(
                  folder,
                  options,
                  folder.file(entry.location(), entry.bytes(), entry.version(), decoding)));
    }
  }

  private TableFile with(
      Footer footer, FileColumns columns, Deletes deletes, Optional<Cached> cached) {
    return new TableFile(info, version, footer, format, storage, columns, deletes, cached);
  }

  /// Makes the file of rows that are on a pile. It has its rows in the cache and nowhere else.
  public static TableFile ofPile(Piles piles, int pile, int rows, Schema schema) {
    return PileFile.of(piles, pile, rows, schema);
  }

  /// Reads the footer of an open file.
  ///
  /// @param memory decides how long it is kept as a whole
  /// @param parts runs the parts of a pass over the file
  public static TableFile read(
      FoundFile found, StorageFile file, FooterMemory memory, Concurrency parts)
      throws IOException {
    FileMetadata metadata = metadata(found.format(), file, parts);
    requireStated(found.rows(), metadata.rowCount(), file.location());
    Optional<RowSet> live =
        found.live().isPresent() ? found.live().get().find(file, metadata) : Optional.empty();
    FileEntry listed = found.entry();
    FileEntry opened = new FileEntry(listed.location(), file.size(), false, file.version());
    FileEntry entry = opened.equals(listed) ? listed : opened; // one version in memory, not two
    DataFileInfo whole = info(found, entry, metadata.rowGroups());
    return of(
        found,
        entry,
        Footer.of(metadata, whole.rowGroups(), memory),
        live.map(rows -> info(found, entry, left(metadata.rowGroups(), rows))).orElse(whole),
        Deletes.of(live));
  }

  private static void requireStated(OptionalLong stated, long rows, Location location)
      throws MalformedFileException {
    if (stated.isPresent() && stated.getAsLong() != rows) {
      throw new FilePlace(location, "")
          .fail(
              Sentence.of(
                  "Cannot read the file: it has %s rows but the table states %s. Restore the file,"
                      + " or read an older version of the table.",
                  rows, stated.getAsLong()));
    }
  }

  /// Makes a file that was planned earlier. Its footer is read when it is first wanted, and has to
  /// state the same.
  ///
  /// @param found the file, with the size and the version that it had then
  /// @param left the row groups of the footer with only their live rows; empty if no row was
  ///   deleted
  public static TableFile planned(FoundFile found, Footer footer, Optional<List<RowGroup>> left) {
    return of(
        found,
        found.entry(),
        footer,
        info(found, found.entry(), left.orElse(footer.rowGroups())),
        left.isEmpty() ? Deletes.NONE : Deletes.planned(found.live().orElseThrow()));
  }

  /// Makes a file of which no more is known than what its catalog states, see [FoundFile#isStated].
  ///
  /// @param table the columns of the table, which it seems to have
  public static TableFile stated(FoundFile found, Schema table, FooterMemory memory) {
    Footer footer = Footer.stated(table, found.rows().orElseThrow());
    return new TableFile(
        info(found, found.entry(), footer.rowGroups()),
        found.entry().version(),
        footer,
        found.format(),
        found.storage(),
        memory.shared(FileColumns.alone(table, found.partition(), found.constants())),
        Deletes.NONE,
        Optional.empty());
  }

  private static DataFileInfo info(FoundFile found, FileEntry entry, List<RowGroup> rowGroups) {
    return new DataFileInfo(
        entry.location(), entry.bytes(), rowGroups, found.partition(), found.details());
  }

  private static TableFile of(
      FoundFile found, FileEntry entry, Footer footer, DataFileInfo info, Deletes deletes) {
    return new TableFile(
        info,
        entry.version(),
        footer,
        found.format(),
        found.storage(),
        footer.shared(FileColumns.alone(footer.schema(), found.partition(), found.constants())),
        deletes,
        found
            .cache()
            .flatMap(folder -> Cached.of(folder, found.options(), found.format(), entry, footer)));
  }

  private FileEntry entry() {
    return new FileEntry(info.location(), info.bytes(), false, version);
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

  /// Returns the whole footer, which may have to be read.
  public FileMetadata metadata() throws IOException {
    return footer.whole(
        location(),
        () -> {
          try (StorageFile file = cached.isEmpty() ? open() : openLate()) {
            return readAnew(file);
          }
        });
  }

  /// Returns the whole footer, which may have to be read from the open file.
  public FileMetadata metadata(StorageFile opened) throws IOException {
    return footer.whole(location(), () -> readAnew(opened));
  }

  private FileMetadata readAnew(StorageFile file) throws IOException {
    if (cached.isEmpty()) {
      return metadata(format, file, Concurrency.NONE);
    }
    @SuppressWarnings("resource") // `file` is closed by whoever opened it
    KeptFooter kept =
        new KeptFooter(cached.get().folder(), format, cached.get().options(), entry(), () -> file);
    FileMetadata read = metadata(format, kept, Concurrency.NONE);
    kept.keep();
    return read;
  }

  /// Returns the same file with its whole footer, which is not dropped as long as it is used.
  public TableFile loaded(StorageFile opened) throws IOException {
    Footer loaded = footer.held(metadata(opened));
    findLive(opened);
    return with(loaded, columns, deletes, cached);
  }

  /// Returns the same as [#loaded] if nothing has to be read for it.
  public Optional<TableFile> kept() {
    FileMetadata whole = deletes.areKnown() ? footer.kept() : null;
    return Optional.ofNullable(whole)
        .map(kept -> with(footer.held(kept), columns, deletes, cached));
  }

  /// Returns whether some rows were deleted, which may have to be found.
  public boolean hasDeletes() {
    return !deletes.areNone();
  }

  /// Returns the live rows; empty if all are. They may have to be found first: an error of that is
  /// an [UncheckedIOException].
  public Optional<RowSet> live() {
    if (!deletes.areKnown()) {
      try (StorageFile file = open()) {
        findLive(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }
    return deletes.live();
  }

  private void findLive(StorageFile opened) throws IOException {
    deletes.find(later -> {
      Optional<RowSet> found = later.find(opened, metadata(opened));
      List<RowGroup> all = footer.rowGroups();
      List<RowGroup> rows = found.map(live -> left(all, live)).orElse(all);
      if (!rows.equals(info.rowGroups())) {
        throw footer.changed(location(), Footer.rows(rows), Footer.rows(info.rowGroups()));
      }
      return found;
    });
  }

  /// Returns whether the file is empty and of a format that cannot tell columns then.
  boolean hasNoBytes() {
    return footer.isPlanned()
        ? info.bytes() == 0 && footer.schema().size() == 0 && !footer.facts().isText()
        : footer.as(NoBytes.class).isPresent();
  }

  /// Returns the error of a file without bytes where there are no others.
  MalformedFileException alone() throws IOException {
    return ((NoBytes) metadata()).alone();
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

  public Location location() {
    return info.location();
  }

  /// Returns whether a reader of some columns reads all. A cache has columns apart.
  public boolean isRowMajor() {
    return format.isRowMajor() && cached.isEmpty();
  }

  /// Opens the file for reading rows; the caller closes it. A file that is gone, or has changed
  /// since it was planned, is an error.
  public StorageFile open() throws IOException {
    StorageFile file = storage.open(entry());
    String change =
        file.size() != info.bytes()
            ? "it has " + file.size() + " bytes but had " + info.bytes()
            : !file.version().equals(version)
                ? "its version is '" + file.version() + "' but was '" + version + "'"
                : "";
    if (!change.isEmpty()) {
      file.close();
      throw new MalformedFileException(
          info.location(), -1, "", "Cannot read the file: " + change + footer.whenPlanned(), null);
    }
    return file;
  }

  /// Returns the file for reading rows that are in the cache: it is opened if they prove not to be
  /// there. The caller closes it.
  public StorageFile openLate() {
    return new LateFile(entry(), this::open);
  }

  /// Returns which bytes a reader of some rows and columns of the table will read, as
  /// [FileFormat#ranges] does. They are in any order.
  public List<ByteRange> ranges(Schema wanted, long firstRow, long rowCount) throws IOException {
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
    return format.ranges(metadata(), found, rows.offset(), rows.length());
  }

  /// Returns whether rows can be read from the cache alone; if not, the file may have to be opened.
  public boolean isKept(Schema wanted, long firstRow, long rowCount) {
    if (cached.isEmpty() || !deletes.areKnown()) {
      return false;
    }
    RowRange rows = stored(firstRow, rowCount);
    CachedFile kept = cached.get().file();
    return keys(wanted).allMatch(key -> kept.covered(key, rows.offset(), rows.end()) == rows.end());
  }

  private LongStream keys(Schema wanted) {
    return wanted.fields().stream()
        .flatMap(field -> columns.source(field).read().stream())
        .mapToLong(CachedFile::key);
  }

  /// Returns how many rows have all wanted columns in the cache; 0 without a cache, or if the file
  /// has none of the columns.
  public long keptRows(Schema wanted, long firstRow, long rowCount) {
    long[] keys = keys(wanted).toArray();
    if (cached.isEmpty() || !deletes.areKnown() || keys.length == 0) {
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
    return live().map(rows -> rows.before(storedRow)).orElse(storedRow);
  }

  /// Returns the same file with only some of its rows, as the file numbers all of its rows. What it
  /// says of its row groups is not changed.
  public TableFile only(RowSet rows) {
    return with(footer, columns, Deletes.of(Optional.of(rows)), cached);
  }

  /// Returns the same file with all of its rows, also those that were deleted. What it says of its
  /// row groups is not changed.
  public TableFile asStored() {
    return with(footer, columns, Deletes.NONE, cached);
  }

  /// Returns the same file of text, see [Footer#as].
  TableFile as(Schema types, TextMetadata like) {
    Footer made = footer.as(types, like);
    Optional<Cached> kept =
        cached.flatMap(old -> Cached.of(old.folder(), old.options(), format, entry(), made));
    return with(made, columns, deletes, kept);
  }

  /// Returns files under the schema of their table.
  static List<TableFile> in(
      Schema table, SchemaRules rules, Partitions partitions, List<TableFile> files) {
    IdentityHashMap<FileColumns, FileColumns> changed =
        new IdentityHashMap<>(); // most files share them
    List<TableFile> under = new ArrayList<>();
    for (TableFile file : files) {
      Schema own = file.footer.schema();
      FileColumns columns =
          own.equals(file.columns.schema())
              ? changed.computeIfAbsent(
                  file.columns, each -> each.in(table, own, rules, partitions))
              : file.columns.in(table, own, rules, partitions);
      under.add(file.with(file.footer, columns, file.deletes, file.cached));
    }
    return under;
  }

  /// Gives each of all files, which are in path order, the number of rows before it.
  public static List<TableFile> numbered(List<TableFile> files) {
    List<TableFile> numbered = new ArrayList<>();
    long rows = 0;
    for (TableFile file : files) {
      FileColumns after = file.columns.after(rows);
      numbered.add(file.with(file.footer, after, file.deletes, file.cached));
      rows += file.footer.rowCount();
    }
    return numbered;
  }

  /// Returns the row groups in file order, with their live rows only.
  public List<RowGroup> rowGroups() {
    return deletes.areNone() ? footer.rowGroups() : info.rowGroups();
  }

  /// Returns the end of the transform block that contains a row, counted among live rows. A block
  /// is an aligned run of `rows` rows of a row group; 0 for whole row groups.
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

  /// Returns the file's name and the numbers of live rows in it, for a filter.
  public FileRowNumbers rows() {
    Optional<RowSet> live = live();
    LongUnaryOperator stored = live.isEmpty() ? LongUnaryOperator.identity() : live.get()::row;
    return new FileRowNumbers(location().name(), stored);
  }

  /// Returns where live rows are stored: from the first to the last of them, as the file numbers
  /// all its rows.
  public RowRange stored(long firstRow, long rowCount) {
    Optional<RowSet> live = live();
    if (live.isEmpty() || rowCount == 0) {
      return new RowRange(firstRow, rowCount);
    }
    long first = live.get().row(firstRow);
    return new RowRange(first, live.get().row(firstRow + rowCount - 1) + 1 - first);
  }

  public FileStatistics statistics() {
    return new FileStatistics(this);
  }
}
