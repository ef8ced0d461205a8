package dev.penstock.cli;

import java.util.function.Supplier;

/// Thrown if an option has an invalid value, before any data is touched.
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String sentence) {
    super(sentence);
  }

  static void requireAtLeast(String option, long value, long least) {
    if (value < least) {
      throw new UsageException(option + " must be at least " + least + ", got " + value + ".");
    }
  }

  /// Runs a step that only checks options, and reports its errors as wrong usage.
  static <T> T blame(Supplier<T> step) {
    try {
      return step.get();
    } catch (IllegalArgumentException fault) {
      throw (UsageException)
          new UsageException(String.valueOf(fault.getMessage())).initCause(fault);
    }
  }
}
