package dev.penstock.internal.csv;

import dev.penstock.advice.Advice;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.text.TextForm;
import dev.penstock.internal.text.TextGroups;
import dev.penstock.internal.text.TextTypes;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.TextMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The metadata of a CSV file, known after its records were counted. Its columns are in the order
/// of the fields of a record.
record CsvMetadata(
    Schema schema,
    Optional<Advice> otherDelimiter,
    TextForm form,
    Dialect dialect,
    TextGroups groups)
    implements TextMetadata {
  @Override
  public List<RowGroup> rowGroups() {
    return groups.rowGroups();
  }

  @Override
  public Map<String, Advice> doubts() {
    return otherDelimiter.map(sentence -> Map.of("", sentence)).orElse(Map.of());
  }

  @Override
  public DataType joined(DataType a, DataType b) {
    return TextTypes.joined(a, b);
  }

  @Override
  public boolean reads(DataType type) {
    return TextTypes.reads(type);
  }

  @Override
  public CsvMetadata as(Schema columns) {
    return new CsvMetadata(TextTypes.settled(columns), otherDelimiter, form, dialect, groups);
  }
}
