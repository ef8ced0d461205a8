package dev.penstock.internal.clock;

import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import jdk.jfr.Label;
import jdk.jfr.Timespan;

/// What events tell that have a time for each stage.
abstract class StagesEvent extends LoaderEvent {
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

  @Label("Shuffle")
  @Timespan(Timespan.NANOSECONDS)
  long shuffle;

  @Label("Transform")
  @Timespan(Timespan.NANOSECONDS)
  long transform;

  @Label("Batch")
  @Timespan(Timespan.NANOSECONDS)
  long batch;

  @Label("Collate")
  @Timespan(Timespan.NANOSECONDS)
  long collate;

  @Label("Wait")
  @Timespan(Timespan.NANOSECONDS)
  long wait;

  StagesEvent(ClockedEpoch epoch, StageTimes times) {
    super(epoch);
    open = times.nanos(Stage.OPEN);
    fetch = times.nanos(Stage.FETCH);
    decompress = times.nanos(Stage.DECOMPRESS);
    decode = times.nanos(Stage.DECODE);
    filter = times.nanos(Stage.FILTER);
    shuffle = times.nanos(Stage.SHUFFLE);
    transform = times.nanos(Stage.TRANSFORM);
    batch = times.nanos(Stage.BATCH);
    collate = times.nanos(Stage.COLLATE);
    wait = times.nanos(Stage.WAIT);
  }
}
