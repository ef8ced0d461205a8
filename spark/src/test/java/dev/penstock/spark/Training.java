package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.BarrierTaskContext;
import org.jspecify.annotations.Nullable;

/// A training whose model is the rows it has seen, in order.
///
/// @param seen the rows that the model has learnt from, by their numbers
/// @param first the step that the last attempt began with
/// @param steps how many batches an epoch has, as the loader tells
/// @param process the process it ended in
record Training(List<Long> seen, long first, long steps, long process) implements Serializable {
  static final int ROWS = 1001;
  static final int BATCH_SIZE = 64;

  /// The steps between checkpoints.
  static final int STEPS = 3;

  /// Writes the rows 0 to 1000, in three files.
  static void writeRows(Path folder) throws IOException {
    Files.createDirectories(folder);
    long[] ends = {0, 17, 600, ROWS};
    for (int file = 1; file < ends.length; file++) {
      List<String> lines = new ArrayList<>(List.of("id"));
      LongStream.range(ends[file - 1], ends[file]).mapToObj(Long::toString).forEach(lines::add);
      Files.write(folder.resolve(file + ".csv"), lines);
    }
  }

  static DataLoader open(String folder, Rank rank) {
    return DataLoader.of(
        new StructuredDataset(folder),
        LoaderOptions.defaults().batchSize(BATCH_SIZE).shuffle(true).seed(3).workers(1).rank(rank));
  }

  /// Trains to the end of an epoch, saving after every third step.
  static Training epoch(SparkRank rank, DataLoader loader) throws IOException {
    return epoch(rank, loader, null);
  }

  /// Trains to the end of an epoch, saving after every third step. In the first attempt rank 1
  /// breaks down behind a checkpoint.
  static Training epoch(SparkRank rank, DataLoader loader, @Nullable Runnable breakdown)
      throws IOException {
    BarrierTaskContext context = BarrierTaskContext.get();
    Runnable power = context.stageAttemptNumber() == 0 ? breakdown : null;
    List<Long> seen = rank.saved().map(Training::rows).orElseGet(ArrayList::new);
    long first = loader.state().batches();
    long steps = loader.batchesPerEpoch();
    for (Batch batch : loader) {
      try (batch) {
        seen.addAll(rows(batch));
      }
      long step = loader.state().batches();
      if (step % STEPS == 0) {
        rank.save(bytes(seen));
      }
      if (step == STEPS && power != null) {
        context.barrier(); // until all have saved
      }
      if (step == STEPS + 1 && power != null && rank.rank().index() == 1) {
        power.run();
      }
    }
    return new Training(seen, first, steps, ProcessHandle.current().pid());
  }

  /// Keeps on reading, until the loader is closed.
  Training withoutEnd(DataLoader loader) {
    while (true) {
      for (Batch batch : loader) {
        batch.close();
      }
    }
  }

  /// Returns what a rank sees that nothing stops, by the loader alone.
  static List<Long> uninterrupted(String folder, Rank rank) {
    List<Long> seen = new ArrayList<>();
    try (DataLoader loader = open(folder, rank)) {
      for (Batch batch : loader) {
        try (batch) {
          seen.addAll(rows(batch));
        }
      }
    }
    return seen;
  }

  /// Returns the rows of all ranks, sorted.
  static List<Long> all(List<Training> ranks) {
    return ranks.stream().flatMap(rank -> rank.seen.stream()).sorted().toList();
  }

  static List<Long> everyRow() {
    return LongStream.range(0, ROWS).boxed().toList();
  }

  static List<Long> rows(Batch batch) {
    Tensor id = batch.tensor("id");
    return LongStream.range(0, batch.rowCount()).mapToObj(id::getLong).toList();
  }

  static byte[] bytes(List<Long> rows) {
    ByteBuffer bytes = ByteBuffer.allocate(rows.size() * Long.BYTES);
    rows.forEach(bytes::putLong);
    return bytes.array();
  }

  static List<Long> rows(byte[] bytes) {
    LongBuffer longs = ByteBuffer.wrap(bytes).asLongBuffer();
    return new ArrayList<>(Stream.generate(longs::get).limit(longs.remaining()).toList());
  }
}
