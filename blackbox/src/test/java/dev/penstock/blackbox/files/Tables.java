package dev.penstock.blackbox.files;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Tables that several tests use.
public final class Tables {
  /// Types that fit a feature matrix.
  public static final List<DataType> NUMERIC =
      Table.TYPES.stream()
          .filter(type ->
              type instanceof DataType.Bool
                  || type instanceof DataType.Int
                  || type instanceof DataType.Floating
                  || type instanceof DataType.Decimal)
          .toList();

  private Tables() {}

  /// Makes a table of some columns in some files, some of them without rows.
  ///
  /// @param nesting how deep columns may be nested; 0 for flat ones
  public static Table random(Random random, int nesting) {
    return Table.random(random, nesting, new ParquetFiles());
  }

  /// Makes a table with one column `id` that counts all rows, and given rows per group and file.
  public static Table counting(int[]... rowsOfGroupsOfFiles) {
    return wide(new Random(0), 1, rowsOfGroupsOfFiles);
  }

  /// Makes a table with a column `id` that counts all rows, and others `f1`, `f2`, ... of doubles.
  public static Table wide(Random random, int columns, int[]... rowsOfGroupsOfFiles) {
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("id", new DataType.Int(64, true), false));
    for (int c = 1; c < columns; c++) {
      fields.add(new Field("f" + c, new DataType.Floating(64), false));
    }
    List<Table.DataFile> files = new ArrayList<>();
    long id = 0;
    for (int[] groups : rowsOfGroupsOfFiles) {
      List<List<List<Object>>> made = new ArrayList<>();
      for (int rows : groups) {
        List<List<Object>> group = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
          List<Object> values = new ArrayList<>(List.of(id++));
          for (int c = 1; c < columns; c++) {
            values.add(random.nextDouble());
          }
          group.add(values);
        }
        made.add(group);
      }
      files.add(new Table.DataFile("part-" + files.size(), made));
    }
    return new Table(Schema.of(fields), files);
  }

  /// Returns how many rows the first row group has that has any; 1 if there is none.
  static int rowGroupRows(Table table) {
    return table.files().stream()
        .flatMap(file -> file.groups().stream())
        .mapToInt(List::size)
        .filter(size -> size > 0)
        .findFirst()
        .orElse(1);
  }
}
