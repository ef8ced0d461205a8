package dev.penstock.internal.pipeline;

import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What was asked for of the columns' form: for all, and for single ones by name. Immutable.
///
/// @param nulls what becomes of nulls
public record ColumnForms(PerColumn<NullPolicy> nulls) {
  /// Returns the forms of columns of which nothing was asked.
  ///
  /// @return the defaults
  public static ColumnForms defaults() {
    return new ColumnForms(PerColumn.of(NullPolicy.nan()));
  }

  /// Changes what becomes of nulls.
  ///
  /// @param choice what becomes of them
  /// @return the changed forms
  public ColumnForms withNulls(PerColumn<NullPolicy> choice) {
    return new ColumnForms(choice);
  }

  /// Checks what was asked for of single columns, whatever the output.
  ///
  /// @param schema the columns that are delivered
  /// @param features matrix name to column names
  /// @throws IllegalArgumentException if a column is not there, or of another type
  public void requireFits(Schema schema, Map<String, List<String>> features) {
    Set<String> known = new LinkedHashSet<>(schema.names());
    Set<String> inMatrix = new LinkedHashSet<>(features.keySet());
    features.values().forEach(inMatrix::addAll);
    known.addAll(inMatrix);
    requireKnown("treat nulls of", nulls.byName().keySet(), known, schema);
    nulls
        .byName()
        .forEach((name, policy) -> {
          if (!inMatrix.contains(name)) { // the matrix checks its own
            requireFits(schema.find(name).orElseThrow(), policy);
          }
        });
  }

  private static void requireKnown(
      String what, Collection<String> names, Set<String> known, Schema schema) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "Cannot "
                + what
                + " column '"
                + name
                + "': no such column in the dataset. Columns are: "
                + schema.names()
                + ".");
      }
    }
  }

  private void requireFits(Field field, NullPolicy policy) {
    Field values = ColumnPlan.elements(field).orElse(field);
    DType dtype = ColumnPlan.dtype(values.type()).orElse(null);
    if (dtype != null) {
      NullFill.requireFits(values, dtype, policy);
      return;
    }
    boolean text = field.type() instanceof DataType.Utf8;
    boolean fits =
        switch (policy) {
          case NullPolicy.NaN _, NullPolicy.Reject _ -> true;
          case NullPolicy.FillText _ -> text;
          case NullPolicy.Fill _, NullPolicy.Mask _ -> false;
        };
    if (!fits) {
      throw new IllegalArgumentException(
          "Cannot treat nulls of column '"
              + field.name()
              + "' by '"
              + policy
              + "': columns of type "
              + field.type()
              + " are delivered as lists, in which nulls are null. Use NullPolicy.error()"
              + (text ? " or a text, as in NullPolicy.fill(\"\")." : ", or leave it out."));
    }
  }
}
