package dev.penstock.internal.clock;

import dev.penstock.stats.WorkerStats;
import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("penstock.Worker")
@Label("Worker")
@Category("Penstock")
@Description("Where a worker's time went in an epoch that ended")
@StackTrace(false)
final class WorkerEvent extends StagesEvent {
  private static final EventType TYPE = EventType.getEventType(WorkerEvent.class);

  @Label("Worker")
  @Description("The worker's number; -1 for the consumer's thread")
  final int worker;

  @Label("Parked")
  @Description("Whether it decoded nothing at the end, because fewer workers sufficed")
  final boolean parked;

  private WorkerEvent(ClockedEpoch epoch, WorkerStats stats) {
    super(epoch, stats.times());
    this.worker = stats.worker();
    this.parked = stats.isParked();
  }

  static boolean isOn() {
    return TYPE.isEnabled();
  }

  static void commit(ClockedEpoch epoch, List<WorkerStats> workers) {
    workers.forEach(each -> new WorkerEvent(epoch, each).commit());
  }
}
