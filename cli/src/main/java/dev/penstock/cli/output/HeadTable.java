package dev.penstock.cli.output;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.storage.Printable;
import java.util.ArrayList;
import java.util.List;

/// The first rows for people: a line each, below the names and types of the columns.
public final class HeadTable {
  private static final int WIDTH_MAX = 40;

  /// How wide cells may be where the terminal has no room for all columns.
  private static final int WIDTH_SHORT = 20;

  private final List<Field> fields;
  private final List<List<String>> rows = new ArrayList<>();

  public HeadTable(List<Field> fields) {
    this.fields = fields;
  }

  /// Adds a row, with one value per field.
  public void row(List<String> values) {
    rows.add(values);
  }

  /// Returns the lines, each with a line end, for a terminal of `columns` characters: first cells
  /// are shortened, then the last columns left out.
  public String text(int columns) {
    TextTable table = table(WIDTH_MAX);
    if (table.width() > columns) {
      table = table(WIDTH_SHORT).leaveOut(columns);
    }
    return table.lines() + table.note().replaceFirst("\n$", " Choose some with --columns.\n");
  }

  private TextTable table(int widthMax) {
    TextTable table = new TextTable();
    for (Field field : fields) {
      String name = shortened(field.name(), WIDTH_MAX);
      table = isNumber(field.type()) ? table.right(name) : table.left(name);
    }
    table.header(
        fields.stream().map(field -> shortened(field.type().toString(), widthMax)).toList());
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        cells.add(shortened(row.get(i), isText(fields.get(i).type()) ? widthMax : WIDTH_MAX));
      }
      table.row(cells);
    }
    return table;
  }

  private static String shortened(String text, int widthMax) {
    return TextWidth.shortened(Printable.of(text), widthMax);
  }

  private static boolean isNumber(DataType type) {
    return type instanceof DataType.Int
        || type instanceof DataType.Floating
        || type instanceof DataType.Decimal;
  }

  private static boolean isText(DataType type) {
    return type instanceof DataType.Utf8
        || type instanceof DataType.List
        || type instanceof DataType.Struct
        || type instanceof DataType.Map
        || type instanceof DataType.Variant;
  }
}
