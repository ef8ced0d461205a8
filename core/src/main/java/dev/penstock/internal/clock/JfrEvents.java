package dev.penstock.internal.clock;

import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.StatsSample;
import dev.penstock.stats.WorkerStats;
import dev.penstock.steps.StepDigest;
import java.util.function.Consumer;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// The events that Java's flight recorder is told, see [FlightEvents].
final class JfrEvents {
  private JfrEvents() {}

  /// What all events tell: the loader and its epoch.
  @Category("Penstock")
  @StackTrace(false)
  abstract static class LoaderEvent extends Event {
    @Label("Loader")
    @Description(
        "The number of the loader in this process, counted from 1; 0 for a pass of its own, such as"
            + " one that counts matches")
    final long loader;

    @Label("Epoch")
    @Description("Counted from 0")
    final long epoch;

    LoaderEvent(ClockedEpoch of) {
      this.loader = of.loader();
      this.epoch = of.epoch();
    }
  }

  /// What events tell that have a time for each stage that a slice goes through.
  abstract static class WorkEvent extends LoaderEvent {
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

    WorkEvent(ClockedEpoch of) {
      super(of);
    }
  }

  /// What events tell that have a time for each stage.
  abstract static class StagesEvent extends WorkEvent {
    @Label("Shuffle")
    @Timespan(Timespan.NANOSECONDS)
    long shuffle;

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

  @Name("penstock.Request")
  @Label("Request")
  @Description("The command or a client of a server asked for a loader")
  @Category("Penstock")
  @StackTrace(false)
  static final class RequestEvent extends Event {
    @Label("Request")
    @Description("As JSON, without secrets")
    final String request;

    RequestEvent(String request) {
      this.request = request;
    }
  }

  @Name("penstock.Epoch")
  @Label("Epoch")
  @Description("An epoch ended; the times of stages are what its consumer waited for")
  static final class EpochEvent extends StagesEvent {
    static final EventType TYPE = EventType.getEventType(EpochEvent.class);

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

    EpochEvent(ClockedEpoch epoch, FlightEvents.Ended ended) {
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
  }

  @Name("penstock.Worker")
  @Label("Worker")
  @Description("Where a worker's time went in an epoch that ended")
  static final class WorkerEvent extends StagesEvent {
    static final EventType TYPE = EventType.getEventType(WorkerEvent.class);

    @Label("Worker")
    @Description("The worker's number; -1 for the consumer's thread")
    final int worker;

    @Label("Parked")
    @Description("Whether it decoded nothing at the end, because fewer workers sufficed")
    final boolean parked;

    WorkerEvent(ClockedEpoch epoch, WorkerStats stats) {
      super(epoch, stats.times());
      this.worker = stats.worker();
      this.parked = stats.isParked();
    }
  }

  @Name("penstock.Sample")
  @Label("Sample")
  @Description("What an epoch had delivered and held at one moment")
  static final class SampleEvent extends LoaderEvent {
    static final EventType TYPE = EventType.getEventType(SampleEvent.class);

    @Label("Rows")
    @Description("Rows the consumer has received")
    final long rows;

    @Label("Batches")
    @Description("Batches the consumer has received")
    final long batches;

    @Label("Bytes Read")
    @DataAmount
    final long bytes;

    @Label("Memory")
    @Description("The off-heap memory that the loader holds")
    @DataAmount
    final long memory;

    @Label("Ready")
    @Description("Batches that are complete")
    final int ready;

    @Label("Filling")
    @Description("Batches that have some of their rows")
    final int filling;

    @Label("Capacity")
    @Description("The most of both together")
    final int capacity;

    SampleEvent(ClockedEpoch epoch, StatsSample sample) {
      super(epoch);
      this.rows = sample.rows();
      this.batches = sample.batches();
      this.bytes = sample.bytes();
      this.memory = sample.memoryBytes();
      this.ready = sample.queue().ready();
      this.filling = sample.queue().filling();
      this.capacity = sample.queue().capacity();
    }
  }

  @Name("penstock.Step")
  @Label("Step")
  @Description("A batch was received, of which a digest of its rows is made")
  static final class StepEvent extends LoaderEvent {
    static final EventType TYPE = EventType.getEventType(StepEvent.class);

    @Label("Step")
    @Description("Counted from 0 in the epoch, over all resumes")
    final long step;

    @Label("Rank")
    final int rank;

    @Label("World")
    @Description("How many ranks there are")
    final int world;

    @Label("Rows")
    final int rows;

    @Label("Digest")
    @Description("The digest of where its rows are stored, as in the log of steps")
    final String digest;

    StepEvent(ClockedEpoch epoch, StepDigest step) {
      super(epoch);
      this.step = step.step();
      this.rank = step.rank();
      this.world = step.world();
      this.rows = step.rows();
      this.digest = step.hex();
    }
  }

  @Name("penstock.Slice")
  @Label("Slice")
  @Description("Rows of a file were read and decoded together")
  static final class SliceEvent extends WorkEvent implements Consumer<SliceSpan> {
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

  @Name("penstock.Wait")
  @Label("Wait")
  @Description("The consumer or a worker waited for the other side")
  static final class WaitEvent extends LoaderEvent implements FlightEvents.Wait {
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
            + " memory: room for a reader; pass: that a pass's thread takes what was found; work:"
            + " that more workers are needed")
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
}
