package dev.penstock.cli;

import dev.penstock.steps.Steps;

/// A range on the command line: `A..B`.
final class StepsOption {
  private StepsOption() {}

  /// Reads a range that is not empty.
  ///
  /// @param option its option
  /// @throws UsageException if it is another text
  static Steps parse(String option, String text) {
    Steps steps;
    try {
      steps = Steps.parse(text);
    } catch (IllegalArgumentException fault) {
      throw (UsageException)
          new UsageException(
                  "Cannot use "
                      + option
                      + " '"
                      + text
                      + "': expected A..B, the first and the one after the last, such as 40..42.")
              .initCause(fault);
    }
    if (steps.count() == 0) {
      throw new UsageException(
          "Cannot use "
              + option
              + " "
              + text
              + ": it is empty, as B is the one after the last. For "
              + steps.from()
              + " alone it is "
              + Steps.of(steps.from())
              + ".");
    }
    return steps;
  }
}
