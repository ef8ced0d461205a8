package dev.penstock.internal.clock;

import dev.penstock.stats.StatsSample;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("penstock.Sample")
@Label("Sample")
@Category("Penstock")
@Description("What an epoch had delivered and held at one moment")
@StackTrace(false)
final class SampleEvent extends LoaderEvent {
  private static final EventType TYPE = EventType.getEventType(SampleEvent.class);

  @Label("Rows")
  @Description("Rows the consumer has received")
  long rows;

  @Label("Batches")
  @Description("Batches the consumer has received")
  long batches;

  @Label("Bytes Read")
  @DataAmount
  long bytes;

  @Label("Memory")
  @Description("The off-heap memory that the loader holds")
  @DataAmount
  long memory;

  @Label("Ready")
  @Description("Batches that are complete")
  int ready;

  @Label("Filling")
  @Description("Batches that have some of their rows")
  int filling;

  @Label("Capacity")
  @Description("The most of both together")
  int capacity;

  private SampleEvent(ClockedEpoch epoch) {
    super(epoch);
  }

  static boolean isOn() {
    return TYPE.isEnabled();
  }

  static void commit(ClockedEpoch epoch, StatsSample sample) {
    if (!TYPE.isEnabled()) {
      return;
    }
    SampleEvent event = new SampleEvent(epoch);
    event.rows = sample.rows();
    event.batches = sample.batches();
    event.bytes = sample.bytes();
    event.memory = sample.memoryBytes();
    event.ready = sample.queue().ready();
    event.filling = sample.queue().filling();
    event.capacity = sample.queue().capacity();
    event.commit();
  }
}
