package dev.penstock.internal.memory;

/// The first worker needs more than the limit, whatever the others give up.
public final class TooLittleMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long limit;
  private final long least;

  TooLittleMemoryException(long limit, long needed) {
    super("memory of " + limit + " bytes is too little: " + needed + " are needed");
    this.limit = limit;
    long step = Math.max(1, Long.highestOneBit(needed) >> 3);
    this.least = Math.ceilDiv(needed, step) * step;
  }

  /// Returns the limit in bytes.
  public long limit() {
    return limit;
  }

  /// Returns the bytes that were needed, rounded up by at most an eighth: the next rows may be a
  /// little larger.
  public long least() {
    return least;
  }
}
