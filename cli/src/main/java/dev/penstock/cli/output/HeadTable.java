package dev.penstock.cli.output;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.storage.Printable;
import java.util.ArrayList;
import java.util.List;

/// Shows rows to people: as a table, or with rows side by side if the table is wider than the
/// terminal.
public final class HeadTable {
  private static final int WIDTH_MAX = 40;

  private final List<Field> fields;
  private final List<List<String>> rows = new ArrayList<>();

  public HeadTable(List<Field> fields) {
    this.fields = fields;
  }

  /// Adds a row, with one value per field.
  public void row(List<String> values) {
    rows.add(values.stream().map(HeadTable::shortened).toList());
  }

  /// Returns the lines, each with a line end, for a terminal of `columns` characters.
  public String text(int columns) {
    TextTable table = new TextTable();
    for (Field field : fields) {
      String name = shortened(field.name());
      table = isNumber(field.type()) ? table.right(name) : table.left(name);
    }
    table.header(fields.stream().map(HeadTable::type).toList());
    rows.forEach(table::row);
    return table.width() <= columns ? table.toString() : sideBySide(columns);
  }

  /// Returns blocks of rows side by side; each block has at least one row, and more if they fit.
  private String sideBySide(int columns) {
    StringBuilder text = new StringBuilder();
    int next = 0;
    do {
      int end = Math.min(next + 1, rows.size());
      while (end < rows.size() && block(next, end + 1).width() <= columns) {
        end++;
      }
      text.append(next == 0 ? "" : "\n").append(block(next, end).fit(columns));
      next = end;
    } while (next < rows.size());
    return text.toString();
  }

  private TextTable block(int from, int end) {
    TextTable table = new TextTable().left("column").left("type");
    for (int row = from; row < end; row++) {
      table.left("row " + row);
    }
    for (int i = 0; i < fields.size(); i++) {
      List<String> cells = new ArrayList<>();
      cells.add(shortened(fields.get(i).name()));
      cells.add(type(fields.get(i)));
      for (int row = from; row < end; row++) {
        cells.add(rows.get(row).get(i));
      }
      table.row(cells);
    }
    return table;
  }

  private static String type(Field field) {
    return shortened(field.type().toString());
  }

  private static String shortened(String text) {
    return TextWidth.shortened(Printable.of(text), WIDTH_MAX);
  }

  private static boolean isNumber(DataType type) {
    return type instanceof DataType.Int
        || type instanceof DataType.Floating
        || type instanceof DataType.Decimal;
  }
}
