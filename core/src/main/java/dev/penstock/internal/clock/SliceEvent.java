package dev.penstock.internal.clock;

import dev.penstock.stats.Stage;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

@Name("penstock.Slice")
@Label("Slice")
@Category("Penstock")
@Description("Rows of a file were read and decoded together")
@StackTrace(false)
final class SliceEvent extends LoaderEvent implements FlightEvents.Slice {
  /// The type tells whether a recording enables these events, without creating one.
  private static final EventType TYPE = EventType.getEventType(SliceEvent.class);

  private final transient StageClock clock;
  private final transient StageNanos before;

  @Label("Worker")
  @Description("The worker's number; -1 for the consumer's thread")
  final int worker;

  @Label("File")
  String file = "";

  @Label("First Row")
  @Description("The first row that was looked at, counted from 0 in the file")
  long firstRow;

  @Label("End Row")
  @Description("Behind the last row that was looked at")
  long endRow;

  @Label("Rows")
  @Description("How many rows came of them: fewer behind a filter, any number behind a transform")
  int rows;

  @Label("Open")
  @Timespan(Timespan.NANOSECONDS)
  long open;

  @Label("Fetch")
  @Timespan(Timespan.NANOSECONDS)
  long fetch;

  @Label("Decompress")
  @Timespan(Timespan.NANOSECONDS)
  long decompress;

  @Label("Decode")
  @Timespan(Timespan.NANOSECONDS)
  long decode;

  @Label("Filter")
  @Timespan(Timespan.NANOSECONDS)
  long filter;

  @Label("Transform")
  @Timespan(Timespan.NANOSECONDS)
  long transform;

  private SliceEvent(StageClock clock) {
    super(clock.epoch());
    this.clock = clock;
    this.worker = clock.worker();
    this.before = clock.nanos();
  }

  static FlightEvents.@Nullable Slice start(StageClock clock) {
    if (!TYPE.isEnabled()) {
      return null;
    }
    SliceEvent event = new SliceEvent(clock);
    event.begin();
    return event;
  }

  @Override
  public void over(String file, long firstRow, long endRow, int rows) {
    end();
    if (!shouldCommit()) {
      return;
    }
    this.file = file;
    this.firstRow = firstRow;
    this.endRow = endRow;
    this.rows = rows;
    StageNanos after = clock.nanos();
    open = passed(Stage.OPEN, after);
    fetch = passed(Stage.FETCH, after);
    decompress = passed(Stage.DECOMPRESS, after);
    decode = passed(Stage.DECODE, after);
    filter = passed(Stage.FILTER, after);
    transform = passed(Stage.TRANSFORM, after);
    commit();
  }

  private long passed(Stage stage, StageNanos after) {
    return after.get(stage) - before.get(stage);
  }
}
