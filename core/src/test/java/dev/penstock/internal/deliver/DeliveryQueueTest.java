package dev.penstock.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.internal.columns.RaggedColumn;
import dev.penstock.internal.columns.RaggedPart;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.SlabPool;
import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.table.ValuesPerRow;
import dev.penstock.internal.workers.ConsumerWait;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DeliveryQueueTest {
  /// Makes a queue whose batches come in order.
  static DeliveryQueue queue(
      BatchLayout layout,
      RunStarts starts,
      EpochEnd end,
      int groups,
      ReadAhead ahead,
      BatchMemory memory,
      BatchCollation collate,
      Runnable onBatchClose) {
    BatchConsumer consumer = new BatchConsumer(Duration.ZERO, collate, onBatchClose);
    Delivery delivery = new Delivery(layout, memory, end, 1, true, consumer, null);
    return new DeliveryQueue(delivery, starts, groups, ahead);
  }

  private static final int BATCH_SIZE = 10;

  private final MemoryMeter meter = new MemoryMeter();
  private final AtomicInteger closedBatches = new AtomicInteger();
  private final BatchLayout layout = layout(BATCH_SIZE, 1);
  private final BatchMemory memory = new BatchMemory(meter, layout.slabBytes());
  private final BatchLayout two = layout(BATCH_SIZE, 2);
  private final BatchMemory memoryOfTwo = new BatchMemory(meter, two.slabBytes());

  /// A column of row numbers for each group.
  private static BatchLayout layout(int batchSize, int groups) {
    List<Field> fields = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      fields.add(new Field("row" + group, new DataType.Int(64, true), false));
    }
    return layout(batchSize, fields);
  }

  private static BatchLayout layout(int batchSize, List<Field> fields) {
    return BatchLayout.of(
        Schema.of(fields),
        batchSize,
        OutputFormat.TENSOR,
        false,
        ColumnForms.defaults(),
        Map.of(),
        Set.of(),
        _ -> ValuesPerRow.UNKNOWN);
  }

  private DeliveryQueue queue(long rows, int capacity) {
    return queue(
        layout,
        new RunStarts(null, rows),
        EpochEnd.of(1),
        1,
        ahead(capacity),
        memory,
        BatchCollation.NONE,
        closedBatches::incrementAndGet);
  }

  private static ReadAhead ahead(int batches) {
    return new ReadAhead(batches, Long.MAX_VALUE, batches);
  }

  @AfterEach
  void everythingIsFreed() {
    memory.close();
    memoryOfTwo.close();
    assertThat(meter.used()).isZero();
    assertThat(meter.room()).isEqualTo(meter.limit());
  }

  /// Writes row numbers `[from, to)` as a worker would; false when the queue wants no more.
  private static boolean write(
      DeliveryQueue queue, BatchLayout layout, int group, long from, long to) {
    long offset = ((ColumnPlan.TensorPlan) layout.columns().get(group)).offset();
    long position = from;
    while (position < to) {
      long limit = queue.admit(group, position);
      if (limit < 0) {
        return false;
      }
      assertThat(limit).isGreaterThan(position);
      int place = (int) (position % layout.batchSize());
      int count = (int) Math.min(Math.min(limit, to) - position, layout.batchSize() - place);
      PartialBatch batch = queue.batch(position / layout.batchSize());
      for (int i = 0; i < count; i++) {
        batch.memory().set(ValueLayout.JAVA_LONG, offset + 8L * (place + i), position + i);
      }
      queue.filled(batch, group, place, count);
      queue.announce();
      position += count;
    }
    return true;
  }

  private static List<Long> rowsOf(Batch batch) {
    List<Long> rows = new ArrayList<>();
    for (int i = 0; i < batch.rowCount(); i++) {
      for (String column : batch.names()) {
        assertThat(batch.tensor(column).getLong(i)).isEqualTo(batch.tensor("row0").getLong(i));
      }
      rows.add(batch.tensor("row0").getLong(i));
    }
    batch.close();
    return rows;
  }

  private static Batch take(DeliveryQueue queue) throws Exception {
    return (Batch) Objects.requireNonNull(Objects.requireNonNull(delivered(queue)).value());
  }

  private static @Nullable Delivered delivered(DeliveryQueue queue) throws Exception {
    return queue.take(new ConsumerWait(Duration.ZERO), true);
  }

  private static boolean isAtEnd(DeliveryQueue queue) throws Exception {
    return queue.isAtEnd(new ConsumerWait(Duration.ZERO));
  }

  @Test
  void rowsWrittenInAnyOrderComeOutInSequence() throws Exception {
    DeliveryQueue queue = queue(25, 3);
    write(queue, layout, 0, 15, 25);
    write(queue, layout, 0, 3, 15);
    assertThat(queue.isReady()).isFalse();
    write(queue, layout, 0, 0, 3);
    assertThat(rowsOf(take(queue))).hasSize(10).startsWith(0L).endsWith(9L);
    assertThat(rowsOf(take(queue))).startsWith(10L).endsWith(19L);
    assertThat(rowsOf(take(queue))).containsExactly(20L, 21L, 22L, 23L, 24L);
    assertThat(delivered(queue)).isNull();
    assertThat(isAtEnd(queue)).isTrue();
    assertThat(closedBatches).hasValue(3);
  }

  /// A loader that waited for memory that the consumer holds could wait for ever.
  @Test
  void memoryOfABatchThatWasTakenIsNotChargedToTheLoader() throws Exception {
    DeliveryQueue queue = queue(20, 3);
    write(queue, layout, 0, 0, 20);
    long room = meter.room();
    Batch first = take(queue);
    assertThat(meter.room()).isGreaterThan(room);
    first.close();
    take(queue).close();
  }

  @Test
  void workersMayBeAheadByTheCapacityAndNoMore() throws Exception {
    DeliveryQueue queue = queue(1000, 3);
    assertThat(queue.admit(0, 0)).isEqualTo(30);
    assertThat(queue.admit(0, 29)).isEqualTo(30);
    write(queue, layout, 0, 0, 10);
    take(queue).close();
    assertThat(queue.admit(0, 30)).isEqualTo(40);
    queue.cancel();
    queue.discard();
  }

  @Test
  void failureOfTheFirstRowIsThrownAfterTheBatchesBeforeIt() throws Exception {
    DeliveryQueue queue = queue(100, 5);
    queue.fail(0, 0, 39, new IOException("later"));
    queue.fail(0, 0, 15, new IOException("first"));
    queue.fail(0, 0, 16, new IOException("in the same batch"));
    assertThat(queue.admit(0, 15)).isEqualTo(-1);
    write(queue, layout, 0, 0, 15);
    assertThat(rowsOf(take(queue))).startsWith(0L);
    assertThatThrownBy(() -> delivered(queue)).cause().hasMessage("first");
    assertThatThrownBy(() -> delivered(queue)).cause().hasMessage("first");
    queue.cancel();
    queue.discard();
  }

  @Test
  void failureIsNotThrownWhileAnEarlierRowMayStillFail() throws Exception {
    DeliveryQueue queue = queue(100, 5);
    write(queue, layout, 0, 5, 8);
    queue.fail(0, 0, 8, new IOException("second"));
    assertThat(queue.isReady()).isFalse();
    write(queue, layout, 0, 0, 3);
    assertThat(queue.isReady()).isFalse();
    queue.fail(0, 0, 3, new IOException("first"));
    assertThat(queue.isReady()).isTrue();
    assertThatThrownBy(() -> delivered(queue)).cause().hasMessage("first");
    queue.cancel();
    queue.discard();
  }

  @Test
  void ofOneRowTheFailureOfTheFirstGroupCounts() throws Exception {
    DeliveryQueue queue = ofTwoGroups(ahead(3));
    queue.fail(0, 1, 4, new IOException("second group"));
    assertThat(queue.admit(1, 4)).isEqualTo(-1);
    assertThat(queue.admit(0, 5)).isEqualTo(-1);
    write(queue, two, 1, 0, 4);
    write(queue, two, 0, 0, 4);
    assertThat(queue.isReady()).as("row 4 of the first group is still to come").isFalse();
    assertThat(queue.admit(0, 4)).isPositive();
    queue.fail(0, 0, 4, new IOException("first group"));
    assertThatThrownBy(() -> delivered(queue)).cause().hasMessage("first group");
    queue.cancel();
    queue.discard();
  }

  /// Too much memory may be noticed when the batch is finished and taken.
  @Test
  void failureBehindWhatWasTakenIsThrownAtOnce() throws Exception {
    DeliveryQueue queue = ofTwoGroups(ahead(3));
    write(queue, two, 0, 0, 10);
    write(queue, two, 1, 0, 10);
    take(queue).close();
    queue.fail(0, 1, 9, new IOException("too much"));
    assertThat(queue.isReady()).isTrue();
    assertThatThrownBy(() -> delivered(queue)).cause().hasMessage("too much");
    queue.cancel();
    queue.discard();
  }

  @Test
  void nobodyIsWaitedForWhenAllWorkersHaveEnded() throws Exception {
    DeliveryQueue queue = ofTwoGroups(ahead(3));
    write(queue, two, 0, 0, 10);
    write(queue, two, 1, 0, 10);
    queue.workersEnded();
    take(queue).close();
    assertThat(queue.isReady()).isTrue();
    assertThatThrownBy(() -> delivered(queue))
        .cause()
        .hasMessageContaining("Batch 1 does not come: all workers have ended");
    queue.fail(0, 1, 14, new IOException("rows that never came"));
    assertThatThrownBy(() -> delivered(queue)).cause().hasMessage("rows that never came");
    queue.cancel();
    queue.discard();
  }

  private DeliveryQueue ofOneGroup(BatchLayout ofIt, RunStarts starts, ReadAhead ahead) {
    return queue(ofIt, starts, EpochEnd.of(1), 1, ahead, memory, BatchCollation.NONE, () -> {});
  }

  private DeliveryQueue ofTwoGroups(ReadAhead ahead) {
    return queue(
        two,
        new RunStarts(null, 10_000),
        EpochEnd.of(1),
        2,
        ahead,
        memoryOfTwo,
        BatchCollation.NONE,
        () -> {});
  }

  @Test
  void batchThatCannotBeFinishedEndsTheEpochAfterThoseBeforeIt() throws Exception {
    DeliveryQueue queue = ofLists(ahead(3));
    // The lists of the second batch are said to be there, but nobody wrote them.
    PartialBatch second = queue.batch(1);
    queue.filled(second, 0, 0, BATCH_SIZE);
    assertThat(queue.isReady()).isFalse();
    assertThat(queue.admit(0, 20)).isEqualTo(-1);
    addLists(queue.batch(0), 100);
    queue.filled(queue.batch(0), 0, 0, BATCH_SIZE);
    take(queue).close();
    assertThatThrownBy(() -> delivered(queue))
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Cannot finish batch 1: ");
    queue.cancel();
    queue.discard();
  }

  private DeliveryQueue ofLists(ReadAhead ahead) {
    Field lists = new Field("c", new DataType.List(new DataType.Int(8, true), false), false);
    return ofOneGroup(layout(BATCH_SIZE, List.of(lists)), new RunStarts(null, 200), ahead);
  }

  private static void addLists(PartialBatch batch, long elements) {
    RaggedColumn column = batch.ragged(0);
    SlabPool.Slab slab = column.take(BATCH_SIZE, elements);
    RaggedPart block = new RaggedPart(column.plan(), slab.segment(), BATCH_SIZE, elements);
    block.offset(0, 0);
    for (int row = 0; row < BATCH_SIZE; row++) {
      block.offset(row + 1, elements);
    }
    column.add(0, block, slab);
  }

  @Test
  void manyBytesInListsStopTheReadersBeforeManyBatchesDo() throws Exception {
    DeliveryQueue queue = ofLists(new ReadAhead(8, 10_000, 8));
    addLists(queue.batch(0), 5000);
    queue.filled(queue.batch(0), 0, 0, BATCH_SIZE);
    assertThat(queue.admit(0, 10)).as("batches 0 to 7").isEqualTo(80);
    addLists(queue.batch(1), 5000);
    queue.filled(queue.batch(1), 0, 0, BATCH_SIZE - 1);

    AtomicLong admitted = new AtomicLong();
    Thread worker = asks(queue, 0, 19, admitted);
    assertThat(admitted).as("a row of the second batch").hasValue(0);
    // The next batch may always be filled, however much is there: nothing waits for ever.
    take(queue).close();
    worker.join();
    assertThat(admitted).hasValue(90);
    addLists(queue.batch(2), 50_000);
    queue.filled(queue.batch(2), 0, 0, 1);
    assertThat(queue.admit(0, 19)).as("the rest of batch 1").isEqualTo(20);
    queue.cancel();
    queue.discard();
  }

  private static Thread asks(DeliveryQueue queue, int group, long position, AtomicLong admitted) {
    Thread worker = Thread.ofPlatform().start(() -> admitted.set(queue.admit(group, position)));
    while (worker.isAlive() && worker.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return worker;
  }

  @Test
  void whoGetsAheadWaitsForThoseWhoShareTheRows() throws Exception {
    DeliveryQueue queue = ofTwoGroups(new ReadAhead(20, 3, Long.MAX_VALUE, 20));
    write(queue, two, 0, 0, 30);
    AtomicLong admitted = new AtomicLong();
    Thread ahead = asks(queue, 0, 30, admitted);
    assertThat(admitted).as("the fourth batch").hasValue(0);
    write(queue, two, 1, 0, 10);
    rowsOf(take(queue));
    ahead.join();
    assertThat(admitted).hasValue(40);
    queue.cancel();
    queue.discard();
  }

  /// Lets the first group, three batches ahead, wait until the other has written a batch.
  private void waitsForTheOther(DeliveryQueue queue, int batch) throws Exception {
    long end = (batch + 3) * 10L;
    AtomicLong admitted = new AtomicLong();
    Thread ahead = asks(queue, 0, end, admitted);
    assertThat(admitted).as("batch %s", batch + 3).hasValue(0);
    write(queue, two, 1, batch * 10L, (batch + 1) * 10L);
    rowsOf(take(queue));
    ahead.join();
    write(queue, two, 0, end, end + 10);
  }

  @Test
  void whoIsAheadAtEverySliceMayGetFurtherAhead() throws Exception {
    DeliveryQueue queue = ofTwoGroups(new ReadAhead(20, 3, Long.MAX_VALUE, 20));
    write(queue, two, 0, 0, 30);
    for (int batch = 0; batch < 31; batch++) {
      waitsForTheOther(queue, batch);
    }
    assertThat(queue.admit(0, 340)).as("the 32nd time, of 95 calls").isEqualTo(510);
    queue.cancel();
    queue.discard();
  }

  @Test
  void whoGetsAheadByChanceWaitsEachTime() throws Exception {
    DeliveryQueue queue = ofTwoGroups(new ReadAhead(20, 3, Long.MAX_VALUE, 20));
    write(queue, two, 0, 0, 30);
    for (int batch = 0; batch < 100; batch++) {
      for (int i = 0; i < 10; i++) { // what workers ask while nobody is behind
        queue.admit(1, batch * 10L);
      }
      waitsForTheOther(queue, batch);
    }
    queue.cancel();
    queue.discard();
  }

  @Test
  void cancellingWakesWhoeverWaits() throws Exception {
    DeliveryQueue queue = queue(1000, 1);
    List<Object> outcomes = new ArrayList<>();
    Thread worker = Thread.ofPlatform().start(() -> outcomes.add(queue.admit(0, 500)));
    queue.cancel();
    worker.join();
    assertThat(outcomes).containsExactly(-1L);
    assertThat(delivered(queue)).isNull();
  }

  @Seeded(runs = 40)
  void anyNumberOfWorkersGivesTheSameBatches(Random random) throws Exception {
    int batchSize = 1 + random.nextInt(20);
    int groups = 1 + random.nextInt(3);
    BatchLayout small = layout(batchSize, groups);
    long rows = random.nextInt(2000);
    int capacity = 1 + random.nextInt(6);
    long runRows = random.nextLong(1, 100);
    try (BatchMemory slabs = new BatchMemory(meter, small.slabBytes())) {
      DeliveryQueue queue =
          queue(
              small,
              new RunStarts(null, rows),
              EpochEnd.of(1),
              groups,
              ahead(capacity),
              slabs,
              BatchCollation.NONE,
              () -> {});
      AtomicLong nextUnit = new AtomicLong();
      List<Thread> workers = new ArrayList<>();
      int count = groups + random.nextInt(3);
      for (int i = 0; i < count; i++) {
        workers.add(
            Thread.ofPlatform()
                .start(() -> {
                  boolean wanted = true;
                  while (wanted) {
                    long unit = nextUnit.getAndIncrement();
                    long from = unit / groups * runRows;
                    long to = Math.min(rows, from + runRows);
                    wanted = from < rows && write(queue, small, (int) (unit % groups), from, to);
                  }
                }));
      }
      long expected = 0;
      @Nullable Delivered batch = delivered(queue);
      while (batch != null) {
        for (long row : rowsOf(batch.batch())) {
          assertThat(row).isEqualTo(expected++);
        }
        batch = delivered(queue);
      }
      assertThat(expected).isEqualTo(rows);
      for (Thread worker : workers) {
        worker.join();
      }
    }
  }

  @Test
  void runsStartWhereTheRunsBeforeEndOnceTheyAreCounted() throws Exception {
    RunStarts starts = new RunStarts(null, -1, 5, -1, 3);
    DeliveryQueue queue = ofOneGroup(layout, starts, ahead(3));
    assertThat(queue.start(0)).isZero();
    assertThat(queue.start(1)).isEqualTo(-1);
    queue.counted(2, 0, null, () -> {});
    assertThat(queue.start(1)).isEqualTo(-1);
    assertThat(queue.isEndKnown()).isFalse();
    queue.counted(0, 4, null, () -> {});
    assertThat(queue.start(1)).isEqualTo(4);
    assertThat(queue.start(3)).isEqualTo(9);
    assertThat(queue.isEndKnown()).isTrue();
    write(queue, layout, 0, 0, 12);
    assertThat(rowsOf(take(queue))).hasSize(10);
    assertThat(rowsOf(take(queue))).containsExactly(10L, 11L);
    assertThat(isAtEnd(queue)).isTrue();
  }

  @Test
  void lastBatchThatIsFullBeforeItsSizeIsKnownIsDelivered() throws Exception {
    RunStarts starts = new RunStarts(null, -1, -1);
    DeliveryQueue queue = ofOneGroup(layout, starts, ahead(3));
    write(queue, layout, 0, 0, 7);
    AtomicInteger news = new AtomicInteger();
    queue.counted(0, 7, null, news::incrementAndGet);
    queue.counted(0, 7, null, news::incrementAndGet);
    assertThat(news).hasValue(1);
    assertThat(queue.isReady()).isFalse();
    Thread counting = Thread.ofPlatform().unstarted(() -> queue.counted(1, 0, null, () -> {}));
    AtomicLong taken = new AtomicLong();
    Thread consumer =
        Thread.ofPlatform()
            .start(() -> {
              try {
                taken.set(rowsOf(take(queue)).size());
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    while (consumer.isAlive() && consumer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    counting.start();
    consumer.join();
    counting.join();
    assertThat(taken).hasValue(7);
    assertThat(isAtEnd(queue)).isTrue();
  }

  @Test
  void noRunIsCountedBehindAFailure() throws Exception {
    RunStarts starts = new RunStarts(null, -1, -1, -1);
    DeliveryQueue queue = ofOneGroup(layout, starts, ahead(3));
    queue.counted(0, 4, null, () -> {});
    write(queue, layout, 0, 0, 4);
    queue.fail(1, 0, 4, new IOException("in the second run"));
    assertThat(queue.awaitStart(1)).isEqualTo(4);
    assertThat(queue.awaitStart(2)).isEqualTo(-1);
    assertThatThrownBy(() -> delivered(queue)).cause().hasMessage("in the second run");
    queue.cancel();
    queue.discard();
  }

  @Seeded(runs = 40)
  void rowsThatAreCountedLateComeInSequence(Random random) throws Exception {
    int batchSize = 1 + random.nextInt(20);
    int groups = 1 + random.nextInt(3);
    BatchLayout small = layout(batchSize, groups);
    int runs = random.nextInt(60);
    boolean dropLast = random.nextBoolean();
    long[] counts = random.longs(runs, 0, 30).map(count -> Math.max(0, count - 10)).toArray();
    long[] known = Arrays.stream(counts).map(n -> random.nextBoolean() ? n : -1).toArray();
    try (BatchMemory slabs = new BatchMemory(meter, small.slabBytes())) {
      DeliveryQueue queue =
          queue(
              small,
              new RunStarts(null, known),
              EpochEnd.of(dropLast ? batchSize : 1),
              groups,
              ahead(3),
              slabs,
              BatchCollation.NONE,
              () -> {});
      AtomicLong nextUnit = new AtomicLong();
      List<Thread> workers = new ArrayList<>();
      int threads = groups + random.nextInt(3);
      for (int i = 0; i < threads; i++) {
        workers.add(
            Thread.ofPlatform()
                .start(() -> {
                  long unit = nextUnit.getAndIncrement();
                  while (unit < (long) runs * groups) {
                    int run = (int) (unit / groups);
                    queue.counted(run, counts[run], null, () -> {});
                    long start = queue.awaitStart(run);
                    write(queue, small, (int) (unit % groups), start, start + counts[run]);
                    unit = nextUnit.getAndIncrement();
                  }
                }));
      }
      long total = Arrays.stream(counts).sum();
      long expected = 0;
      while (!isAtEnd(queue)) {
        for (long row : rowsOf(take(queue))) {
          assertThat(row).isEqualTo(expected++);
        }
      }
      assertThat(expected).isEqualTo(dropLast ? total - total % batchSize : total);
      for (Thread worker : workers) {
        worker.join();
      }
      queue.discard();
    }
  }

  /// What a user's function does with the batch may need the queue, on another thread.
  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void batchWithoutRowsIsCollatedWithoutTheLock() throws Exception {
    AtomicReference<DeliveryQueue> itself = new AtomicReference<>();
    BatchCollation asking =
        BatchCollation.of(batch -> {
          Thread other = Thread.ofPlatform().start(() -> itself.get().counts());
          other.join();
          return batch;
        });
    DeliveryQueue queue =
        queue(
            layout,
            new RunStarts(null, 0),
            new EpochEnd(1, 0, 1, false),
            1,
            ahead(2),
            memory,
            asking,
            closedBatches::incrementAndGet);
    itself.set(queue);
    Delivered empty = Objects.requireNonNull(delivered(queue));
    assertThat(empty.rowCount()).isZero();
    empty.batch().close();
    assertThat(delivered(queue)).isNull();
    queue.discard();
  }

  @Test
  void consumerThatMayWaitOnlySoLongLeavesUsersCodeToWorkers() throws Exception {
    DeliveryQueue queue = collating(batch -> rowsOf(batch).size());
    complete(queue, 0);
    ConsumerWait brief = new ConsumerWait(Duration.ofNanos(1));
    assertThatThrownBy(() -> queue.take(brief, false)).isInstanceOf(TimedOut.class);
    // A worker that waits for the consumer to free memory would wait for ever.
    assertThat(queue.isForConsumer(false)).isFalse();
    assertThat(queue.isForConsumer(true)).isTrue();
    queue.announce(); // as the worker does behind its slice
    assertThat(queue.isForConsumer(false)).isTrue();
    assertThat(value(queue.take(brief, false))).isEqualTo(BATCH_SIZE);
    complete(queue, 1);
    assertThat(value(queue.take(brief, true))).isEqualTo(BATCH_SIZE);
  }

  @Test
  void consumerMakesResultsThatNoWorkerMayMakeAnyMore() throws Exception {
    DeliveryQueue queue = collating(batch -> rowsOf(batch).size());
    complete(queue, 0);
    queue.fail(0, 0, BATCH_SIZE, new IOException("cut"));
    ConsumerWait brief = new ConsumerWait(Duration.ofNanos(1));
    assertThat(value(queue.take(brief, false))).isEqualTo(BATCH_SIZE);
  }

  private DeliveryQueue collating(BatchCollation collate) {
    return queue(
        layout,
        new RunStarts(null, 25),
        EpochEnd.of(1),
        1,
        ahead(3),
        memory,
        collate,
        closedBatches::incrementAndGet);
  }

  /// Fills a batch as a worker does, up to the end of its slice, where it would make the result.
  private void complete(DeliveryQueue queue, long number) {
    long position = number * BATCH_SIZE;
    assertThat(queue.admit(0, position)).isGreaterThan(position);
    queue.filled(queue.batch(number), 0, 0, BATCH_SIZE);
  }

  private static Object value(@Nullable Delivered delivered) {
    return Objects.requireNonNull(Objects.requireNonNull(delivered).value());
  }
}
