package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Whose batch comes when, held against torch's rule: one of each worker that has one, in turn.
class BatchTurnsTest {
  @Seeded(runs = 200)
  void eachWorkerDeliversOneThenEachTheNext(Random random) throws IOException {
    int batchSize = 1 + random.nextInt(8);
    boolean dropsShort = random.nextBoolean();
    List<List<Run>> workers = new ArrayList<>();
    List<List<long[]>> batches = new ArrayList<>(); // of each worker: first row and rows
    long row = 0;
    for (int worker = 0; worker < 1 + random.nextInt(4); worker++) {
      List<Run> runs = FilesInMemory.random(random).sequence().runs();
      workers.add(runs);
      batches.add(new ArrayList<>());
      long rows = runs.stream().mapToLong(Run::rowCount).sum();
      for (long from = 0; from < rows; from += batchSize) {
        long count = Math.min(batchSize, rows - from);
        if (count == batchSize || !dropsShort) {
          batches.getLast().add(new long[] {row + from, count});
        }
      }
      row += rows;
    }
    BatchTurns turns = new BatchTurns(workers, batchSize, dropsShort ? batchSize : 1);
    List<long[]> expected = new ArrayList<>();
    int longest = batches.stream().mapToInt(List::size).max().orElse(0);
    for (int turn = 0; turn < longest; turn++) {
      for (List<long[]> own : batches) {
        if (turn < own.size()) {
          expected.add(own.get(turn));
        }
      }
    }
    assertThat(turns.batches()).isEqualTo(expected.size());
    for (int number = 0; number < expected.size(); number++) {
      long first = expected.get(number)[0];
      int count = (int) expected.get(number)[1];
      assertThat(turns.rowCount(number)).isEqualTo(count);
      for (int i = 0; i < count; i++) {
        assertThat(turns.place(first + i)).isEqualTo((long) number * batchSize + i);
      }
    }
  }
}
