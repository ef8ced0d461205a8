package dev.penstock.avro;

/// Bytes that are not what the schema says, before the place is known.
final class CorruptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptException(String sentence) {
    super(sentence);
  }
}
