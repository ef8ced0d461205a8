package dev.penstock.score.parquet;

/// A value does not fit the column that it is to be written to.
public final class UnfitRowException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String column;
  private final int row;

  UnfitRowException(String column, int row, String found) {
    super("Cannot write column '" + column + "': row " + row + " " + found);
    this.column = column;
    this.row = row;
  }

  /// {@return the name of the column}
  public String column() {
    return column;
  }

  /// {@return the row, counted from the first that was appended with it}
  public int row() {
    return row;
  }
}
