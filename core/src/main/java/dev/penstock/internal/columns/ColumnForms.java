package dev.penstock.internal.columns;

import dev.penstock.batch.DType;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.PerColumn;
import dev.penstock.batch.StringEncoding;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.options.Columns;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The requested forms of columns: for all columns, and for single ones by name. Immutable.
public record ColumnForms(
    PerColumn<NullPolicy> nulls,
    PerColumn<EpochUnit> timestamps,
    PerColumn<DecimalForm> decimals,
    PerColumn<StringEncoding> strings) {
  public static ColumnForms defaults() {
    return new ColumnForms(
        PerColumn.of(NullPolicy.nan()),
        PerColumn.of(EpochUnit.STORED),
        PerColumn.of(DecimalForm.OBJECT),
        PerColumn.of(StringEncoding.list()));
  }

  public static ColumnForms of(Columns columns) {
    return new ColumnForms(
        columns.nulls(), columns.timestamps(), columns.decimals(), columns.strings());
  }

  public ColumnForms withStrings(PerColumn<StringEncoding> choice) {
    return new ColumnForms(nulls, timestamps, decimals, choice);
  }

  /// Checks the forms requested for single columns, for any output format.
  ///
  /// @param features matrix name to column names
  /// @throws IllegalArgumentException if a column does not exist or has another type
  public void requireFits(Schema schema, Map<String, List<String>> features) {
    Set<String> columns = new LinkedHashSet<>(schema.names());
    features.values().forEach(columns::addAll);
    timestamps
        .byName()
        .forEach((name, unit) -> {
          DataType type = find(schema, columns, name, "choose a unit for").type();
          if (!(type instanceof DataType.Date || type instanceof DataType.Timestamp)) {
            throw misfit("count column '" + name + "' in " + unit, type, "dates and timestamps");
          }
        });
    decimals
        .byName()
        .forEach((name, form) -> {
          DataType type = find(schema, columns, name, "choose a form for").type();
          if (!(type instanceof DataType.Decimal)) {
            throw misfit("deliver column '" + name + "' as " + form, type, "decimals");
          }
        });
    strings
        .byName()
        .forEach((name, encoding) -> {
          DataType type = find(schema, columns, name, "encode").type();
          if (!(type instanceof DataType.Utf8)) {
            throw misfit("encode column '" + name + "' as " + encoding, type, "strings");
          }
        });
    requireNullsFit(schema, columns, features);
  }

  private void requireNullsFit(
      Schema schema, Set<String> columns, Map<String, List<String>> features) {
    // A matrix checks its fill values itself.
    Set<String> inMatrix = new HashSet<>(features.keySet());
    features.values().forEach(inMatrix::addAll);
    nulls
        .byName()
        .forEach((name, policy) -> {
          if (!features.containsKey(name)) {
            Field field = find(schema, columns, name, "treat nulls of");
            if (!inMatrix.contains(name)) {
              requireFits(field, policy);
            }
          }
        });
  }

  StringEncoding encoding(Field field) {
    return field.type() instanceof DataType.Utf8
        ? strings.forColumn(field.name())
        : StringEncoding.list();
  }

  private static Field find(Schema schema, Set<String> columns, String name, String what) {
    Optional<Field> field = columns.contains(name) ? schema.find(name) : Optional.empty();
    return field.orElseThrow(() ->
        new IllegalArgumentException(
            Sentence.of(
                "Cannot %s column '%s': no such column in the dataset. %s",
                what, name, Choices.listed("Columns", name, schema.names()))));
  }

  private static IllegalArgumentException misfit(String what, DataType type, String fitting) {
    return new IllegalArgumentException(
        "Cannot " + what + ": its type is " + type + ", and only " + fitting + " fit.");
  }

  private void requireFits(Field field, NullPolicy policy) {
    StringEncoding encoding = encoding(field);
    if (!(encoding instanceof StringEncoding.Listed)) {
      requireFits(policy, TensorForm.codes(field), DType.INT32, encoding);
      return;
    }
    Optional<TensorForm> form = TensorForm.of(field, this);
    Field values =
        form.map(each -> each.elements(field)).or(() -> ColumnPlan.elements(field)).orElse(field);
    Optional<DType> dtype = form.map(TensorForm::dtype).or(() -> ColumnPlan.dtype(values.type()));
    if (dtype.isPresent()) {
      requireFits(policy, values, dtype.get(), encoding);
    } else {
      NullHandling.requireFitsObjects(policy, field);
    }
  }

  /// A form requested by name has to fit even a column without nulls.
  private static void requireFits(
      NullPolicy policy, Field elements, DType dtype, StringEncoding encoding) {
    Field nullable = new Field(elements.name(), elements.type(), true);
    NullHandling.inTensor(policy, nullable, dtype, encoding);
  }
}
