package dev.penstock.internal.variant;

/// Bytes that are no variant.
public final class VariantException extends Exception {
  private static final long serialVersionUID = 1L;

  /// Makes the exception.
  ///
  /// @param sentence what is wrong with them
  VariantException(String sentence) {
    super("Corrupt variant: " + sentence);
  }
}
