package dev.penstock.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.Tensor;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.decode.EpochInput;
import dev.penstock.internal.decode.EpochResources;
import dev.penstock.internal.decode.FilterMemo;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.deliver.BatchCollation;
import dev.penstock.internal.deliver.BatchConsumer;
import dev.penstock.internal.deliver.Delivery;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.table.ValuesPerRow;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.stats.WorkerStats;
import dev.penstock.testing.NumberFile;
import dev.penstock.testing.Seeded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// An epoch whose number of decoding workers changes at random while it runs. Some have less memory
/// than is assumed for one reader, and a user's function that collates.
class EpochTest {
  private final List<Long> rows = new ArrayList<>();
  private @Nullable Throwable failure;

  private static NumberFile file(int columns, Random random, long badRow) {
    List<RowGroup> groups =
        random.ints(1 + random.nextInt(6), 1, 20_000).mapToObj(n -> new RowGroup(n, 0)).toList();
    return new NumberFile(columns, groups, badRow);
  }

  private static List<Long> rowsOf(NumberFile file) {
    long count = file.rowGroups().stream().mapToLong(RowGroup::rowCount).sum();
    return LongStream.range(0, count).boxed().toList();
  }

  /// Receives an epoch until its end, a failure, or `most` batches.
  private void receive(NumberFile file, Random random, long most) throws Exception {
    List<Run> runs = NumberFile.runs(file);
    int workers = 1 + random.nextInt(6);
    MemoryMeter meter = new MemoryMeter(1L << (20 + random.nextInt(7)));
    Schema schema = NumberFile.schema(file.columns());
    BatchLayout layout =
        BatchLayout.of(
            schema,
            1 + random.nextInt(2_000),
            OutputFormat.TENSOR,
            false,
            ColumnForms.defaults(),
            Map.of(),
            Set.of(),
            _ -> ValuesPerRow.UNKNOWN);
    BatchCollation collation = random.nextBoolean() ? BatchCollation.NONE : batch -> batch;
    RowSteps steps =
        new RowSteps(
            List.of(new RowSteps.Source(schema, FilterMemo.none())),
            null,
            null,
            0,
            0,
            Rank.SINGLE,
            null,
            null);
    try (WorkerPool pool = new WorkerPool(workers, meter);
        BatchMemory memory = new BatchMemory(meter, layout.slabBytes())) {
      Epoch epoch =
          new Epoch(
              0,
              new EpochInput(runs, null, steps),
              new EpochResources(pool, workers, 1 + random.nextInt(workers), meter),
              new Delivery(
                  layout,
                  memory,
                  EpochEnd.of(1),
                  1 + random.nextInt(3),
                  true,
                  new BatchConsumer(Duration.ofSeconds(20), collation, () -> {}),
                  null),
              WorkerTuner.fixed(workers));
      pool.start(epoch);
      for (long batch = 0; batch < most && failure == null && !epoch.isAtEnd(); batch++) {
        if (random.nextInt(3) == 0) {
          epoch.decoding(1 + random.nextInt(workers));
        }
        receiveBatch(epoch, file.columns());
      }
      List<Boolean> parked = epoch.times().workers().stream().map(WorkerStats::isParked).toList();
      assertThat(parked.getFirst()).isFalse();
      assertThat(parked).isSorted(); // those with the highest numbers
    }
    assertThat(meter.used()).isZero();
  }

  private void receiveBatch(Epoch epoch, int columns) {
    try (Batch batch = (Batch) Objects.requireNonNull(epoch.next())) {
      for (int column = 0; column < columns; column++) {
        Tensor tensor = batch.tensor("c" + column);
        for (int row = 0; row < batch.rowCount(); row++) {
          if (column == 0) {
            rows.add(tensor.getLong(row));
          } else if (tensor.getLong(row) != rows.get(rows.size() - batch.rowCount() + row)) {
            throw new AssertionError("row " + row + " of column " + column);
          }
        }
      }
    } catch (AssertionError e) {
      throw e;
    } catch (Throwable e) {
      failure = e;
    }
  }

  @Seeded(runs = 60)
  void rowsComeOnceAndInOrderHoweverManyWorkersDecode(Random random) throws Exception {
    NumberFile file = file(1 + random.nextInt(40), random, -1);
    receive(file, random, Long.MAX_VALUE);
    assertThat(failure).isNull();
    assertThat(rows).isEqualTo(rowsOf(file));
  }

  @Seeded(runs = 40)
  void failureComesBehindTheBatchesBeforeItHoweverManyWorkersDecode(Random random)
      throws Exception {
    NumberFile whole = file(1 + random.nextInt(40), random, -1);
    int bad = random.nextInt(rowsOf(whole).size());
    receive(new NumberFile(whole.columns(), whole.rowGroups(), bad), random, Long.MAX_VALUE);
    assertThat(failure).hasMessageContaining("Corrupt row " + bad);
    assertThat(rows).isEqualTo(rowsOf(whole).subList(0, rows.size()));
    assertThat(rows.size()).isLessThanOrEqualTo(bad);
  }

  @Seeded(runs = 20)
  void epochMayBeEndedWhileWorkersAreParked(Random random) throws Exception {
    receive(file(1 + random.nextInt(40), random, -1), random, random.nextInt(5));
    assertThat(failure).isNull();
  }
}
