package dev.penstock.spark;

import dev.penstock.split.Rank;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;

/// The code of a task that reads its part of a table.
///
/// @param <T> the results of the user's task
final class TablePart<T> implements FlatMapFunction<Iterator<Integer>, T> {
  private static final long serialVersionUID = 1;

  private final int partitions;
  private final RankLoader loaders;
  private final BatchTask<T> task;

  TablePart(int partitions, RankLoader loaders, BatchTask<T> task) {
    this.partitions = partitions;
    this.loaders = loaders;
    this.task = task;
  }

  @Override
  public Iterator<T> call(Iterator<Integer> part) throws Exception {
    // Not by the number of the task's partition, which is another one after union and coalesce.
    Rank rank = new Rank(part.next(), partitions);
    return BatchResults.of(TaskContext.get(), rank, loaders.open(rank), () -> {}, task);
  }
}
