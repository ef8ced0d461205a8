package dev.penstock.score;

/// What to do with a row for which the model throws an exception.
public enum OnError {
  /// The run ends with an exception that names file and row. The default.
  STOP,
  /// The row is left out of the scores, and listed with the reason in a file of its own.
  SKIP;

  /// {@return the choice of a text form}
  ///
  /// @param text `stop` or `skip`
  /// @throws IllegalArgumentException for any other text
  public static OnError parse(String text) {
    return switch (text) {
      case "stop" -> STOP;
      case "skip" -> SKIP;
      default ->
          throw new IllegalArgumentException(
              "Cannot handle errors by '" + text + "': expected 'stop' or 'skip'.");
    };
  }
}
