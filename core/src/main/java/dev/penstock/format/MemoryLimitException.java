package dev.penstock.format;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Advised;
import dev.penstock.storage.Printable;

/// Thrown if a loader cannot make its next batch within its memory limit.
public final class MemoryLimitException extends RuntimeException implements Advised {
  private static final long serialVersionUID = 1L;

  private final Advice advice;
  private final long leastBytes;

  /// Makes the exception.
  ///
  /// @param sentence what is needed, the limit, and what to do
  /// @param leastBytes the memory that would have sufficed up to this point
  public MemoryLimitException(String sentence, long leastBytes) {
    this(Advice.text(sentence), leastBytes);
  }

  /// Makes the exception.
  ///
  /// @param sentence what is needed, the limit, and what to do
  /// @param leastBytes the memory that would have sufficed up to this point
  public MemoryLimitException(Advice sentence, long leastBytes) {
    super(Printable.of(sentence.toString()));
    this.advice = sentence.withTexts(Printable::of);
    this.leastBytes = leastBytes;
  }

  /// Makes the exception that the consumer receives.
  ///
  /// @param worker the worker's exception
  public MemoryLimitException(MemoryLimitException worker) {
    super(worker.getMessage(), worker);
    this.advice = worker.advice;
    this.leastBytes = worker.leastBytes;
  }

  @Override
  public Advice advice() {
    return advice;
  }

  /// {@return the least bytes of memory with which the rows that failed can be read; later rows may
  /// need more}
  public long leastBytes() {
    return leastBytes;
  }
}
