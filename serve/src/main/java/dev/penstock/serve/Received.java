package dev.penstock.serve;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import java.util.EnumMap;
import java.util.Map;

/// What a client has received of an epoch. The server sends ahead, so that only the client knows
/// this, and how long it waited.
///
/// @param epoch the epoch that it began last
/// @param rows rows that it received
/// @param batches batches that it received
/// @param nanos how long the epoch has run there, in nanoseconds
/// @param waitNanos how long it waited for batches
record Received(long epoch, long rows, long batches, long nanos, long waitNanos) {
  /// Takes it from a question.
  static Received of(JsonFields question) {
    JsonFields fields = question.nested("received");
    Received received =
        new Received(
            fields.whole("epoch", 0, Long.MAX_VALUE),
            fields.whole("rows", 0, Long.MAX_VALUE),
            fields.whole("batches", 0, Long.MAX_VALUE),
            fields.whole("nanos", 0, Long.MAX_VALUE),
            fields.whole("waitNanos", 0, Long.MAX_VALUE));
    fields.requireNoOthers();
    return received;
  }

  /// Returns the statistics of the epoch as the client saw it: it is the consumer. Its waits are
  /// divided among the stages as those of the server were.
  LoaderStats of(LoaderStats sent) {
    if (sent.epoch() != epoch) { // the server has not begun it yet
      return LoaderStats.none(epoch, sent.badFiles(), sent.passes(), sent.memory());
    }
    EpochTimes times = sent.times();
    return new LoaderStats(
        sent.epoch(),
        rows,
        batches,
        sent.rowsOfSources(),
        sent.padding(),
        sent.badFiles(),
        sent.passes(),
        sent.read(),
        sent.memory(),
        new EpochTimes(nanos, waitedFor(times.waitedFor()), times.waits(), times.workers()),
        sent.queue());
  }

  private StageTimes waitedFor(StageTimes sent) {
    Map<Stage, Long> waited = new EnumMap<>(Stage.class);
    long left = waitNanos;
    for (Stage stage : Stage.values()) {
      double share = (double) sent.nanos(stage) / Math.max(1, sent.totalNanos());
      long nanos = Math.min(left, (long) (waitNanos * share));
      waited.put(stage, nanos);
      left -= nanos;
    }
    waited.merge(Stage.WAIT, left, Long::sum); // what rounding left, or all
    return new StageTimes(waited);
  }
}
