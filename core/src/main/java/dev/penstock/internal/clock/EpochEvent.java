package dev.penstock.internal.clock;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("penstock.Epoch")
@Label("Epoch")
@Category("Penstock")
@Description("An epoch ended; the times of stages are what its consumer waited for")
@StackTrace(false)
final class EpochEvent extends StagesEvent {
  private static final EventType TYPE = EventType.getEventType(EpochEvent.class);

  @Label("Options")
  final String options;

  @Label("Took")
  @Description("From its start until the consumer came to its end, or left it")
  @Timespan(Timespan.NANOSECONDS)
  final long took;

  @Label("Rows")
  final long rows;

  @Label("Batches")
  final long batches;

  @Label("Bytes Read")
  @DataAmount
  final long bytes;

  @Label("Bytes Cached")
  @DataAmount
  final long cached;

  @Label("Peak Memory")
  @Description("The most off-heap memory that the loader has held")
  @DataAmount
  final long memoryPeak;

  @Label("Memory Limit")
  @DataAmount
  final long memoryLimit;

  private EpochEvent(ClockedEpoch epoch, FlightEvents.Ended ended) {
    super(epoch, ended.times().waitedFor());
    this.options = epoch.options().get();
    this.took = ended.times().nanos();
    this.rows = ended.last().rows();
    this.batches = ended.last().batches();
    this.bytes = ended.last().bytes();
    this.cached = ended.cachedBytes();
    this.memoryPeak = ended.peakBytes();
    this.memoryLimit = ended.limitBytes();
  }

  static boolean isOn() {
    return TYPE.isEnabled();
  }

  static void commit(ClockedEpoch epoch, FlightEvents.Ended ended) {
    new EpochEvent(epoch, ended).commit();
  }
}
