package dev.penstock.avro;

/// Bytes do not match the schema; the position is not known yet.
final class CorruptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptException(String sentence) {
    super(sentence);
  }
}
