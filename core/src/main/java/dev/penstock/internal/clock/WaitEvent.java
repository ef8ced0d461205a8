package dev.penstock.internal.clock;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

@Name("penstock.Wait")
@Label("Wait")
@Category("Penstock")
@Description("The consumer or a worker waited for the other side")
@StackTrace(false)
final class WaitEvent extends Event implements FlightEvents.Wait {
  private static final EventType TYPE = EventType.getEventType(WaitEvent.class);

  @Label("Who")
  @Description("Who waited: consumer or worker")
  final String who;

  @Label("Waits For")
  @Description(
      "batch: the next batch; consumer: that it takes batches; count: how many rows come before")
  final String waitsFor;

  private WaitEvent(String who, String waitsFor) {
    this.who = who;
    this.waitsFor = waitsFor;
  }

  static FlightEvents.@Nullable Wait start(String who, String waitsFor) {
    if (!TYPE.isEnabled()) {
      return null;
    }
    WaitEvent event = new WaitEvent(who, waitsFor);
    event.begin();
    return event;
  }

  @Override
  public void over() {
    commit();
  }
}
