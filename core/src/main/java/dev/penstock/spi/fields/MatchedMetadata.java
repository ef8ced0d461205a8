package dev.penstock.spi.fields;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The metadata of a file, with the table's names for its columns.
///
/// Immutable; share it freely among threads.
public final class MatchedMetadata implements FileMetadata {
  private final FileMetadata stored;
  private final MatchedColumns columns;

  MatchedMetadata(FileMetadata stored, MatchedColumns columns) {
    this.stored = stored;
    this.columns = columns;
  }

  /// {@return the format's own metadata, with the file's names}
  public FileMetadata stored() {
    return stored;
  }

  MatchedColumns columns() {
    return columns;
  }

  @Override
  public Schema schema() {
    return columns.schema();
  }

  @Override
  public List<RowGroup> rowGroups() {
    return stored.rowGroups();
  }

  @Override
  public String decodingChoices() {
    return columns.columns() + " " + columns.counted() + " " + stored.decodingChoices();
  }

  /// {@return all columns of the file in order, including those that the table lacks}
  public List<StoredField> storedFields() {
    return columns.stored();
  }

  /// Returns the file's column for a column of the table, whose values differ at most by
  /// [LeafForm].
  Optional<Match> leaf(String column) {
    return columns
        .find(column)
        .map(List::getLast)
        .filter(match -> match.form() != null && match.stored() != null);
  }

  /// Returns a column's name in the file, if its values there equal the table's.
  Optional<String> unchanged(String column) {
    return leaf(column)
        .filter(Match::isSame)
        .flatMap(match -> Optional.ofNullable(match.stored()))
        .flatMap(field -> Optional.ofNullable(field.path()));
  }

  @Override
  public ColumnStatistics statistics(int rowGroup, String column) {
    Match match = leaf(column).orElse(null);
    if (match == null || match.stored() == null || match.stored().path() == null) {
      return ColumnStatistics.UNKNOWN;
    }
    return changed(match, stored.statistics(rowGroup, match.stored().path()));
  }

  /// Returns the statistics of values after their conversion.
  static ColumnStatistics changed(Match match, ColumnStatistics statistics) {
    LeafForm form = match.form();
    if (form == null || form.change() == LeafForm.Change.NONE) {
      return statistics;
    }
    Bound lower = statistics.lower();
    Bound upper = statistics.upper();
    return new ColumnStatistics(
        statistics.valueCount(),
        statistics.nullCount(),
        statistics.nanCount(),
        lower == null ? null : form.bound(lower),
        upper == null ? null : form.bound(upper));
  }

  @Override
  public OptionalLong valueCount(int rowGroup, String column) {
    if (columns.counted(column).isPresent()) {
      return OptionalLong.of(rowGroups().get(rowGroup).rowCount());
    }
    return storedName(column)
        .map(name -> stored.valueCount(rowGroup, name))
        .orElse(OptionalLong.empty());
  }

  @Override
  public OptionalLong decodingWork(int rowGroup, String column) {
    return columns.counted(column).isPresent()
        ? OptionalLong.empty()
        : storedName(column)
            .map(name -> stored.decodingWork(rowGroup, name))
            .orElse(OptionalLong.empty());
  }

  private Optional<String> storedName(String column) {
    return columns.find(column).map(way -> String.valueOf(MatchedColumns.readable(way).path()));
  }
}
