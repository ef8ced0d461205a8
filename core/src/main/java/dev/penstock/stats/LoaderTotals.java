package dev.penstock.stats;

/// What a loader has done in all its epochs, seen at one moment.
///
/// The numbers of [LoaderStats], summed over the epochs that were started; so they never decrease,
/// also when an epoch begins or ends, or the loader is closed.
///
/// @param epochs epochs that were started
/// @param rows rows the consumer received
/// @param batches batches the consumer received
/// @param read what was read from storage, and what the filters left out
/// @param nanos how long the epochs ran, in nanoseconds
/// @param waitedFor what the consumer waited for
/// @param ofWorkers where the time of all workers went
/// @param waits how long the consumer waited for each batch
public record LoaderTotals(
    long epochs,
    long rows,
    long batches,
    ReadStats read,
    long nanos,
    StageTimes waitedFor,
    StageTimes ofWorkers,
    WaitStats waits) {
  /// No epoch was started.
  public static final LoaderTotals NONE =
      new LoaderTotals(
          0, 0, 0, ReadStats.NONE, 0, StageTimes.NONE, StageTimes.NONE, WaitStats.NONE);

  /// {@return the totals of one epoch}
  ///
  /// @param epoch what it has done
  public static LoaderTotals of(LoaderStats epoch) {
    EpochTimes times = epoch.times();
    return new LoaderTotals(
        1,
        epoch.rows(),
        epoch.batches(),
        epoch.read(),
        times.nanos(),
        times.waitedFor(),
        times.ofWorkers(),
        times.waits());
  }

  /// {@return both together}
  ///
  /// @param other the others
  public LoaderTotals plus(LoaderTotals other) {
    return new LoaderTotals(
        epochs + other.epochs,
        rows + other.rows,
        batches + other.batches,
        read.plus(other.read),
        nanos + other.nanos,
        waitedFor.plus(other.waitedFor),
        ofWorkers.plus(other.ofWorkers),
        waits.plus(other.waits));
  }
}
