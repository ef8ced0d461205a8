package dev.penstock.score;

/// The scores in a folder are not those of a table: some are missing, changed, or of other rows.
public final class ScoresDifferException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ScoresDifferException(String message) {
    super(message);
  }
}
