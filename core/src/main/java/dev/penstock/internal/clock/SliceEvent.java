package dev.penstock.internal.clock;

import dev.penstock.stats.SliceSpan;
import java.util.function.Consumer;
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
final class SliceEvent extends LoaderEvent implements Consumer<SliceSpan> {
  /// The type tells whether a recording enables these events, without creating one.
  private static final EventType TYPE = EventType.getEventType(SliceEvent.class);

  @Label("Worker")
  @Description("The worker's number; -1 for the consumer's thread")
  int worker;

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

  private SliceEvent(ClockedEpoch epoch) {
    super(epoch);
  }

  static @Nullable Consumer<SliceSpan> start(ClockedEpoch epoch) {
    if (!TYPE.isEnabled()) {
      return null;
    }
    SliceEvent event = new SliceEvent(epoch);
    event.begin();
    return event;
  }

  @Override
  public void accept(SliceSpan slice) {
    worker = slice.worker();
    file = slice.file();
    firstRow = slice.firstRow();
    endRow = slice.endRow();
    rows = (int) slice.rows();
    open = slice.openNanos();
    fetch = slice.fetchNanos();
    decompress = slice.decompressNanos();
    decode = slice.decodeNanos();
    filter = slice.filterNanos();
    transform = slice.transformNanos();
    commit();
  }
}
