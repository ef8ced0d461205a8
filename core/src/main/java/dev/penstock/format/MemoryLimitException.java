package dev.penstock.format;

import dev.penstock.storage.Printable;

/// Thrown if a loader cannot make its next batch within its memory limit.
public final class MemoryLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long leastBytes;

  /// Makes the exception.
  ///
  /// @param sentence what is needed, the limit, and what to do
  /// @param leastBytes the memory that would have sufficed up to this point
  public MemoryLimitException(String sentence, long leastBytes) {
    super(Printable.of(sentence));
    this.leastBytes = leastBytes;
  }

  /// Makes the exception that the consumer receives.
  ///
  /// @param worker the worker's exception
  public MemoryLimitException(MemoryLimitException worker) {
    super(worker.getMessage(), worker);
    this.leastBytes = worker.leastBytes;
  }

  /// {@return the least bytes of memory with which the rows that failed can be read; later rows may
  /// need more}
  public long leastBytes() {
    return leastBytes;
  }
}
