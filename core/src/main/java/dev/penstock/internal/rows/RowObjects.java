package dev.penstock.internal.rows;

import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.internal.boxing.ObjectMaker.BadValueException;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes rows as Java objects: maps of column names to objects, as in
/// [dev.penstock.batch.OutputFormat#MAP].
///
/// **Threads.** One at a time.
final class RowObjects {
  private final Schema schema;
  private final List<ObjectMaker> makers = new ArrayList<>();
  private final RowPlaces places;

  /// The columns stay valid while rows are made; `places` names a row that cannot be made.
  RowObjects(Schema schema, List<ColumnSlice> columns, RowPlaces places) {
    this.schema = schema;
    this.places = places;
    for (int i = 0; i < columns.size(); i++) {
      ObjectMaker maker = ObjectMaker.of(schema.fields().get(i).type());
      maker.bind(columns.get(i));
      makers.add(maker);
    }
  }

  /// Makes an unmodifiable map of the row at a place in the columns, in their order.
  Map<String, @Nullable Object> row(int index, long row) throws IOException {
    Map<String, @Nullable Object> made = LinkedHashMap.newLinkedHashMap(makers.size());
    @Nullable Object[] value = new Object[1];
    for (int i = 0; i < makers.size(); i++) {
      Field field = schema.fields().get(i);
      try {
        makers.get(i).make(index, 1, value, 0);
      } catch (BadValueException e) {
        throw e.in(field.name(), new RowOrigin(places.file(row), places.fileRow(row)));
      }
      made.put(field.name(), value[0]);
    }
    return Collections.unmodifiableMap(made);
  }
}
