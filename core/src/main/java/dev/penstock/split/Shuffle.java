package dev.penstock.split;

/// How far rows may move from their place in the files.
///
/// **Order.** A function of the seed and the epoch alone.
public sealed interface Shuffle {
  /// Rows come in file order.
  record None() implements Shuffle {
    @Override
    public String toString() {
      return "none";
    }
  }

  /// The [FileSplit]s are permuted; within one, rows keep their order.
  record Splits() implements Shuffle {
    @Override
    public String toString() {
      return "splits";
    }
  }

  /// Returns [None].
  ///
  /// @return the choice
  static Shuffle none() {
    return new None();
  }

  /// Returns [Splits].
  ///
  /// @return the choice
  static Shuffle splits() {
    return new Splits();
  }

  /// Parses the text form.
  ///
  /// @param text `none` or `splits`
  /// @return the choice
  /// @throws IllegalArgumentException for any other text
  static Shuffle parse(String text) {
    return switch (text) {
      case "none" -> none();
      case "splits" -> splits();
      default ->
          throw new IllegalArgumentException(
              "Cannot shuffle by '" + text + "': expected 'none' or 'splits'.");
    };
  }
}
