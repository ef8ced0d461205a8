package dev.penstock.blackbox.files;

import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import java.util.ArrayList;
import java.util.List;

/// Schemas that several tests use, and the forms of a batch's columns.
public final class Schemas {
  private Schemas() {}

  /// Returns two columns of each type, the second nullable.
  public static Schema ofAllTypes() {
    return of(Table.TYPES);
  }

  public static Schema of(List<DataType> types) {
    List<Field> fields = new ArrayList<>();
    for (DataType type : types) {
      fields.add(new Field("r" + fields.size(), type, false));
      fields.add(new Field("n" + fields.size(), type, true));
    }
    return Schema.of(fields);
  }

  /// Returns nullable columns, a name and a type each.
  public static Schema nullable(Object... namesAndTypes) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      fields.add(new Field((String) namesAndTypes[i], (DataType) namesAndTypes[i + 1], true));
    }
    return Schema.of(fields);
  }

  /// Returns by column of a batch what holds it.
  public static List<String> forms(Batch batch) {
    return batch.names().stream().map(name -> name + " " + form(batch, name)).toList();
  }

  private static String form(Batch batch, String name) {
    return switch (batch.column(name)) {
      case Tensor tensor -> tensor.dtype() + " rank " + tensor.shape().rank();
      case RaggedTensor lists -> "ragged " + lists.values().dtype();
      case Object other -> other.getClass().getTypeName();
    };
  }
}
