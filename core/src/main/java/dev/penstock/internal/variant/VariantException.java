package dev.penstock.internal.variant;

/// A variant that cannot be read because its bytes are wrong.
public final class VariantException extends Exception {
  private static final long serialVersionUID = 1L;

  VariantException(String sentence) {
    super("Corrupt variant: " + sentence);
  }
}
