package dev.penstock.stats;

/// When the consumer or a worker waited. Times are nanoseconds since the epoch began.
///
/// In a long epoch neighbours are put together, so that the number of spans stays bounded: the span
/// then covers the time between them, too, and `nanos` says how much of it was waiting.
///
/// @param worker the worker's number; -1 for the consumer
/// @param startNanos when it began
/// @param endNanos when it ended
/// @param nanos how much of that time was waiting
/// @param waits how many waits the span stands for, at least 1
/// @param waitsFor `batch`, `consumer`, `count`, `memory` or `work`, as in the event
///   `penstock.Wait`; that of the longest if there are several
public record WaitSpan(
    int worker, long startNanos, long endNanos, long nanos, int waits, String waitsFor) {
  /// {@return one span for this and the next of the same worker}
  ///
  /// @param next the later span
  public WaitSpan plus(WaitSpan next) {
    return new WaitSpan(
        worker,
        startNanos,
        next.endNanos,
        nanos + next.nanos,
        waits + next.waits,
        nanos >= next.nanos ? waitsFor : next.waitsFor);
  }
}
