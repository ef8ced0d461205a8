package dev.penstock.avro;

/// Thrown if bytes do not match the schema; their position is not known yet.
final class CorruptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptException(String sentence) {
    super(sentence);
  }
}
