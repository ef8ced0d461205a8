package dev.penstock.internal.checked;

import dev.penstock.advice.Advice;
import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.TextMetadata;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The metadata of a file in a checked format.
class CheckedMetadata implements FileMetadata {
  private final FileMetadata stored;
  private final Contract contract;
  private final Schema schema;
  private final List<RowGroup> rowGroups;
  private final long rowCount;

  private CheckedMetadata(FileMetadata stored, Contract contract) {
    this.stored = stored;
    this.contract = contract;
    this.schema = contract.given(stored.schema(), "schema()");
    this.rowGroups = contract.allGiven(stored.rowGroups(), "rowGroups()");
    this.rowCount = stored.rowCount();
    long sum = rowGroups.stream().mapToLong(RowGroup::rowCount).sum();
    if (rowCount != sum) {
      throw contract.broken(
          "", "returned " + rowCount + " from rowCount() but its row groups have " + sum + " rows");
    }
    int ids = contract.allGiven(stored.fieldIds(), "fieldIds()").size();
    if (ids != 0 && ids != schema.size()) {
      throw contract.broken(
          "",
          "returned "
              + ids
              + " from fieldIds() but expected one for each of "
              + schema.size()
              + " columns");
    }
  }

  static CheckedMetadata of(FileMetadata stored, Contract contract) {
    return stored instanceof TextMetadata text
        ? new Text(text, contract)
        : new CheckedMetadata(stored, contract);
  }

  static String place(int rowGroup, String column) {
    return "row group " + rowGroup + ", column '" + column + "'";
  }

  FileMetadata stored() {
    return stored;
  }

  Contract contract() {
    return contract;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public List<FieldId> fieldIds() {
    return stored.fieldIds();
  }

  @Override
  public List<RowGroup> rowGroups() {
    return rowGroups;
  }

  @Override
  public long rowCount() {
    return rowCount;
  }

  @Override
  public ColumnStatistics statistics(int rowGroup, String column) {
    ColumnStatistics stated = contract.given(stored.statistics(rowGroup, column), "statistics()");
    Class<?> wanted =
        schema.find(column).map(Field::type).map(CheckedMetadata::boundClass).orElse(null);
    if (wanted != null) {
      requireClass(stated.lower(), wanted, rowGroup, column);
      requireClass(stated.upper(), wanted, rowGroup, column);
      long rows = rowGroups.get(rowGroup).rowCount();
      if (stated.valueCount().orElse(rows) != rows) {
        throw contract.broken(
            place(rowGroup, column),
            "stated "
                + stated.valueCount().getAsLong()
                + " values but the row group has "
                + rows
                + " rows");
      }
    }
    return stated;
  }

  private void requireClass(@Nullable Bound bound, Class<?> wanted, int rowGroup, String column) {
    if (bound != null && bound.value().getClass() != wanted) {
      throw contract.broken(
          place(rowGroup, column),
          "stated a bound of the class "
              + bound.value().getClass().getSimpleName()
              + " but expected "
              + wanted.getSimpleName());
    }
  }

  /// Returns the class of a type's bounds, see [Bound]; null for a type whose statistics are not
  /// those of rows.
  static @Nullable Class<?> boundClass(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> Boolean.class;
      case DataType.Int(int bits, boolean signed) ->
          bits == 64 && !signed ? BigInteger.class : Long.class;
      case DataType.Floating(int bits) -> bits == 64 ? Double.class : Float.class;
      case DataType.Decimal _ -> BigDecimal.class;
      case DataType.Date _, DataType.Time _, DataType.Timestamp _ -> Long.class;
      case DataType.Utf8 _, DataType.Binary _, DataType.FixedBinary _, DataType.Uuid _ ->
          ByteString.class;
      case DataType.Interval _,
          DataType.List _,
          DataType.Struct _,
          DataType.Map _,
          DataType.Variant _,
          DataType.Null _,
          DataType.Unsupported _ ->
          null;
    };
  }

  @Override
  public OptionalLong nullCount(int rowGroup, String column) {
    return contract.given(stored.nullCount(rowGroup, column), "nullCount()");
  }

  @Override
  public String decodingChoices() {
    return contract.given(stored.decodingChoices(), "decodingChoices()");
  }

  @Override
  public long heapBytes() {
    long bytes = stored.heapBytes();
    if (bytes < 0) {
      throw contract.broken("", "returned " + bytes + " from heapBytes()");
    }
    return bytes;
  }

  @Override
  public OptionalLong valueCount(int rowGroup, String column) {
    return contract.given(stored.valueCount(rowGroup, column), "valueCount()");
  }

  @Override
  public OptionalLong decodingWork(int rowGroup, String column) {
    return contract.given(stored.decodingWork(rowGroup, column), "decodingWork()");
  }

  /// That of a text file.
  private static final class Text extends CheckedMetadata implements TextMetadata {
    private final TextMetadata text;

    Text(TextMetadata text, Contract contract) {
      super(text, contract);
      this.text = text;
    }

    @Override
    public DataType joined(DataType a, DataType b) {
      return contract().given(text.joined(a, b), "joined()");
    }

    @Override
    public boolean reads(DataType type) {
      return text.reads(type);
    }

    @Override
    public Map<String, Advice> doubts() {
      return contract().given(text.doubts(), "doubts()");
    }

    @Override
    public Optional<Schema> sampled() {
      return contract().given(text.sampled(), "sampled()");
    }

    @Override
    public boolean mayLackColumns() {
      return text.mayLackColumns();
    }

    @Override
    public TextMetadata as(Schema columns) {
      return new Text(contract().given(text.as(columns), "as()"), contract());
    }
  }
}
