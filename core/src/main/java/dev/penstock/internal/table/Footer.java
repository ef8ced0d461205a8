package dev.penstock.internal.table;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.TextMetadata;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The metadata of a file: always what planning needs of it, and the whole of it while there is
/// room. It is read anew when it is wanted again.
///
/// **Threads.** Any. One that wants the whole waits for another that reads it.
public final class Footer {
  private final FileSchema facts;
  private final List<RowGroup> rowGroups;
  private final @Nullable FilePlan plan; // null if it was read when the file was planned
  private final @Nullable FooterMemory memory; // null where the whole is always kept
  private volatile @Nullable FileMetadata whole; // set by the memory, with its monitor

  private volatile @Nullable WeakReference<FileMetadata> lent;

  /// Returns the first of all equal values of the dataset.
  <T> T shared(T value) {
    return memory == null ? value : memory.shared(value);
  }

  interface Reading {
    FileMetadata read() throws IOException;
  }

  private Footer(
      FileSchema facts,
      List<RowGroup> rowGroups,
      @Nullable FilePlan plan,
      @Nullable FooterMemory memory,
      @Nullable FileMetadata whole) {
    this.facts = facts;
    this.rowGroups = rowGroups;
    this.plan = plan;
    this.memory = memory;
    this.whole = whole;
  }

  /// Makes one that is always kept.
  static Footer of(FileMetadata whole) {
    return new Footer(FileSchema.of(whole), whole.rowGroups(), null, null, whole);
  }

  /// Returns the same, always kept. As long as that is used, this needs not be read anew.
  Footer held(FileMetadata metadata) {
    lent = new WeakReference<>(metadata);
    return new Footer(facts, rowGroups, plan, null, metadata);
  }

  /// Makes one that is kept while the memory has room.
  ///
  /// @param rowGroups those of the metadata, packed
  static Footer of(FileMetadata whole, List<RowGroup> rowGroups, FooterMemory memory) {
    Footer made = of(FileSchema.of(whole), rowGroups, null, memory);
    memory.keep(made, whole);
    return made;
  }

  /// Makes one that was not read yet.
  public static Footer planned(
      FileSchema facts, List<RowGroup> rowGroups, FilePlan plan, FooterMemory memory) {
    return of(facts, rowGroups, plan, memory);
  }

  /// Makes one of which only the number of rows is known, and that is never read.
  static Footer stated(Schema columns, long rows) {
    FileSchema facts = new FileSchema(columns, "", false, false);
    return new Footer(facts, List.of(new RowGroup(rows, 0)), null, null, null);
  }

  private static Footer of(
      FileSchema facts, List<RowGroup> rowGroups, @Nullable FilePlan plan, FooterMemory memory) {
    return new Footer(memory.shared(facts), rowGroups, plan, memory, null);
  }

  /// Returns the same of a file of text, which is read in other types.
  ///
  /// @param like the metadata of a file of the same format, for one that was not read
  Footer as(Schema types, TextMetadata like) {
    FileMetadata known = whole;
    if (known instanceof TextMetadata text) {
      FileMetadata changed = text.as(types);
      return new Footer(FileSchema.of(changed), rowGroups, plan, null, changed);
    }
    return of(FileSchema.of(like.as(types)), rowGroups, plan, Objects.requireNonNull(memory));
  }

  public FileSchema facts() {
    return facts;
  }

  public Schema schema() {
    return facts.columns();
  }

  /// Returns all row groups in file order, also with rows that were deleted.
  public List<RowGroup> rowGroups() {
    return rowGroups;
  }

  long rowCount() {
    return rowGroups.stream().mapToLong(RowGroup::rowCount).sum();
  }

  /// See [FileMetadata#decodingChoices()].
  public String decodingChoices() {
    return facts.decodingChoices();
  }

  /// Returns the whole if it is of a kind that is never dropped.
  <T> Optional<T> as(Class<T> kind) {
    return Optional.ofNullable(whole).filter(kind::isInstance).map(kind::cast);
  }

  void keep(FileMetadata metadata) {
    whole = metadata;
  }

  void drop() {
    whole = null;
  }

  /// Returns whether only the number of rows is known, which seem to be one row group.
  public boolean isStated() {
    return memory == null && whole == null;
  }

  /// Returns whether it was planned without being read.
  boolean isPlanned() {
    return plan != null;
  }

  /// Returns what the plan that the file was planned by has of a column in a row group; empty if
  /// the whole has to be asked.
  Optional<ColumnStatistics> plannedStatistics(int rowGroup, String column) throws IOException {
    return plan == null ? Optional.empty() : plan.statistics(rowGroup, column);
  }

  /// See [FilePlan#matches]; empty also if the file was not planned.
  public Optional<RowSet> plannedMatches(String condition, long firstRow, long rowCount)
      throws IOException {
    return plan == null ? Optional.empty() : plan.matches(condition, firstRow, rowCount);
  }

  /// Returns the whole if it is kept.
  @Nullable FileMetadata kept() {
    return whole;
  }

  /// Returns the whole; reads it if it is not kept.
  FileMetadata whole(Location file, Reading reading) throws IOException {
    FooterMemory room = memory;
    if (room == null) {
      return Objects.requireNonNull(whole);
    }
    FileMetadata known = known(room);
    if (known == null) {
      try (ReadTurn _ = ReadTurn.take(this)) {
        known = known(room);
        if (known == null) {
          known = asPlanned(file, reading.read());
          room.keep(this, known);
        }
      }
    }
    return known;
  }

  private @Nullable FileMetadata known(FooterMemory room) {
    FileMetadata kept = whole;
    if (kept != null) {
      room.use(this);
      return kept;
    }
    WeakReference<FileMetadata> used = lent;
    FileMetadata known = used == null || room.isNone() ? null : used.get();
    if (known != null) {
      room.keep(this, known);
    }
    return known;
  }

  /// Looks at the footers of some files: many at once if any has to be read.
  ///
  /// @throws IOException the error of the first file, in order, that has one
  public static <R> List<R> each(List<TableFile> files, Concurrency.Step<TableFile, R> look)
      throws IOException {
    List<R> found = new ArrayList<>();
    Optional<FooterMemory> away =
        files.stream()
            .map(TableFile::footer)
            .filter(each -> each.whole == null)
            .flatMap(each -> Optional.ofNullable(each.memory).stream())
            .findFirst();
    if (away.isPresent()) {
      for (Concurrency.Outcome<R> outcome : away.get().reads().each(files, look)) {
        found.add(outcome.get());
      }
    } else {
      for (TableFile file : files) {
        found.add(look.of(file));
      }
    }
    return found;
  }

  private FileMetadata asPlanned(Location file, FileMetadata read) throws MalformedFileException {
    if (!rowGroups.equals(read.rowGroups())) {
      throw changed(file, rows(read.rowGroups()), rows(rowGroups));
    }
    if (read instanceof TextMetadata text && facts.isText()) {
      return text.as(schema());
    }
    if (!schema().equals(read.schema())) {
      throw changed(file, "the columns " + read.schema().summary(), schema().summary());
    }
    return read;
  }

  static String rows(List<RowGroup> groups) {
    long rows = groups.stream().mapToLong(RowGroup::rowCount).sum();
    long bytes = groups.stream().mapToLong(RowGroup::bytes).sum();
    return rows + " rows of " + bytes + " bytes in " + groups.size() + " row groups";
  }

  MalformedFileException changed(Location file, String found, String planned) {
    return new MalformedFileException(
        file,
        -1,
        "",
        "Cannot read the file: it has " + found + " but had " + planned + whenPlanned(),
        null);
  }

  /// Returns the end of an error about a file that is not as it was planned.
  String whenPlanned() {
    return " when the dataset was planned. "
        + (plan == null ? "Make a new dataset to read the changed file." : plan.remedy());
  }
}
