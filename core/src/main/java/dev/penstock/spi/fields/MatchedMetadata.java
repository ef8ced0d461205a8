package dev.penstock.spi.fields;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// The metadata of a file, with the table's names for its columns.
///
/// Immutable; share it freely among threads.
public final class MatchedMetadata implements FileMetadata {
  private static final long FIELD_BYTES = 200;

  private final FileMetadata stored;
  private final List<StoredField> storedFields;
  private final List<Match> columns;
  private final List<CountedColumn> counted;
  private final Schema schema;

  /// Makes the metadata.
  ///
  /// @param columns the file's columns that the table has
  /// @param counted columns computed from the place of a row
  MatchedMetadata(
      FileMetadata stored,
      List<StoredField> storedFields,
      List<Match> columns,
      List<CountedColumn> counted) {
    this.stored = stored;
    this.storedFields = storedFields;
    this.columns = List.copyOf(columns);
    this.counted = counted;
    List<Field> fields = new ArrayList<>(columns.stream().map(Match::field).toList());
    counted.forEach(column -> fields.add(column.field()));
    this.schema = Schema.of(fields);
  }

  /// {@return the format's own metadata, with the file's names}
  public FileMetadata stored() {
    return stored;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public List<RowGroup> rowGroups() {
    return stored.rowGroups();
  }

  @Override
  public String decodingChoices() {
    return columns + " " + counted + " " + stored.decodingChoices();
  }

  /// An estimate for the columns is added to what the format states.
  @Override
  public long heapBytes() {
    long bytes = stored.heapBytes();
    return bytes == 0 ? 0 : bytes + FIELD_BYTES * storedFields.size();
  }

  /// {@return all columns of the file in order, including those that the table lacks}
  public List<StoredField> storedFields() {
    return storedFields;
  }

  /// {@return the columns on the path to a column or a part of a struct, the wanted one last, found
  /// as [Schema#find] does; empty if there is none}
  Optional<List<Match>> find(String path) {
    return find(columns, path);
  }

  private static Optional<List<Match>> find(List<Match> columns, String path) {
    for (Match column : columns) {
      if (column.field().name().equals(path)) {
        return Optional.of(List.of(column));
      }
    }
    for (Match column : columns) {
      String start = column.field().name() + ".";
      if (column.field().type() instanceof DataType.Struct && path.startsWith(start)) {
        Optional<List<Match>> rest = find(column.parts(), path.substring(start.length()));
        if (rest.isPresent()) {
          List<Match> way = new ArrayList<>();
          way.add(column);
          way.addAll(rest.get());
          return Optional.of(way);
        }
      }
    }
    return Optional.empty();
  }

  /// Returns the column of a name that is computed.
  Optional<CountedColumn> counted(String name) {
    return counted.stream().filter(column -> column.name().equals(name)).findFirst();
  }

  /// {@return the index of the last column on a path that exists in the file, so that its format
  /// knows the path}
  static int depth(List<Match> way) {
    int depth = 0;
    while (depth + 1 < way.size() && way.get(depth + 1).stored() != null) {
      depth++;
    }
    return depth;
  }

  /// Returns the last column on a path that the file has.
  static StoredField readable(List<Match> way) {
    return Objects.requireNonNull(way.get(depth(way)).stored());
  }

  /// A column of the file that has no parts and is not inside a list or map.
  ///
  /// @param path its path in the format
  /// @param form how its values become the table's
  record Leaf(String path, LeafForm form) {}

  /// Returns the file's column for a column of the table, whose values differ at most by
  /// [LeafForm].
  Optional<Leaf> leaf(String column) {
    Match match = find(column).map(List::getLast).orElse(null);
    return match == null
            || match.form() == null
            || match.stored() == null
            || match.stored().path() == null
        ? Optional.empty()
        : Optional.of(new Leaf(match.stored().path(), match.form()));
  }

  /// Returns a column's name in the file, if its values there equal the table's.
  Optional<String> unchanged(String column) {
    return leaf(column)
        .filter(leaf -> leaf.form().change() == LeafForm.Change.NONE)
        .map(Leaf::path);
  }

  @Override
  public ColumnStatistics statistics(int rowGroup, String column) {
    return leaf(column)
        .map(leaf -> leaf.form().statistics(stored.statistics(rowGroup, leaf.path())))
        .orElse(ColumnStatistics.UNKNOWN);
  }

  @Override
  public OptionalLong valueCount(int rowGroup, String column) {
    if (counted(column).isPresent()) {
      return OptionalLong.of(rowGroups().get(rowGroup).rowCount());
    }
    return storedName(column)
        .map(name -> stored.valueCount(rowGroup, name))
        .orElse(OptionalLong.empty());
  }

  @Override
  public OptionalLong decodingWork(int rowGroup, String column) {
    return counted(column).isPresent()
        ? OptionalLong.empty()
        : storedName(column)
            .map(name -> stored.decodingWork(rowGroup, name))
            .orElse(OptionalLong.empty());
  }

  private Optional<String> storedName(String column) {
    return find(column).map(way -> String.valueOf(readable(way).path()));
  }
}
