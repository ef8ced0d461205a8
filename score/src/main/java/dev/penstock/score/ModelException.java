package dev.penstock.score;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Advised;
import dev.penstock.storage.Location;

/// A model failed for a row.
public final class ModelException extends RuntimeException implements Advised {
  private static final long serialVersionUID = 1;

  private final Advice advice;
  private final String file;
  private final long row;

  ModelException(Advice advice, Location file, long row, Throwable cause) {
    super(advice.toString(), cause);
    this.advice = advice;
    this.file = file.text();
    this.row = row;
  }

  @Override
  public Advice advice() {
    return advice;
  }

  /// {@return the file of the row}
  public Location file() {
    return new Location(file);
  }

  /// {@return the row's number in the file, counted from 0}
  public long row() {
    return row;
  }
}
