package dev.penstock.internal.clock;

import jdk.jfr.Category;
import jdk.jfr.Description;
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
final class WaitEvent extends LoaderEvent implements FlightEvents.Wait {
  private static final EventType TYPE = EventType.getEventType(WaitEvent.class);

  @Label("Who")
  @Description("Who waited: consumer or worker")
  final String who;

  @Label("Worker")
  @Description("The worker's number; -1 for the consumer")
  final int worker;

  @Label("Waits For")
  @Description(
      "batch: the next batch; consumer: that it takes batches; count: how many rows come before;"
          + " memory: room for a reader; work: that more workers are needed")
  final String waitsFor;

  private WaitEvent(ClockedEpoch epoch, int worker, String waitsFor) {
    super(epoch);
    this.who = waitsFor.equals("batch") ? "consumer" : "worker";
    this.worker = worker;
    this.waitsFor = waitsFor;
  }

  static FlightEvents.@Nullable Wait start(ClockedEpoch epoch, int worker, String waitsFor) {
    if (!TYPE.isEnabled()) {
      return null;
    }
    WaitEvent event = new WaitEvent(epoch, worker, waitsFor);
    event.begin();
    return event;
  }

  @Override
  public void over() {
    commit();
  }
}
