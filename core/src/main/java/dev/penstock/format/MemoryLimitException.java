package dev.penstock.format;

/// A loader that cannot make its next batch within the memory it may take.
public final class MemoryLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long leastBytes;

  /// Makes the exception.
  ///
  /// @param sentence what is needed, of how much, and what to do
  /// @param leastBytes the memory that would have been enough up to here
  public MemoryLimitException(String sentence, long leastBytes) {
    super(sentence);
    this.leastBytes = leastBytes;
  }

  /// Makes the exception that the consumer receives.
  ///
  /// @param worker what a worker met
  public MemoryLimitException(MemoryLimitException worker) {
    super(worker.getMessage(), worker);
    this.leastBytes = worker.leastBytes;
  }

  /// Returns the least memory with which the rows that failed can be read.
  ///
  /// @return bytes; rows behind them may need more
  public long leastBytes() {
    return leastBytes;
  }
}
