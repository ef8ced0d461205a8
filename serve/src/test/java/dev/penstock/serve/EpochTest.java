package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.serve.BatchColumns.Pair;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.StepDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Epochs that meet a full heap.
class EpochTest {
  private static final int ROWS = 1000;

  @TempDir Path folder;

  private final Shortage shortage = new Shortage(Runtime.getRuntime().maxMemory(), 1);
  private final List<Long> ids = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  /// The batches, by how many were sent before, that meet a full heap.
  private final Queue<Integer> failing = new ArrayDeque<>();

  /// Whether the heap is too full to tell the client of an error.
  private boolean hasNoRoomToTell;

  private final class Told implements Epoch.Sender {
    private int sent;

    @Override
    public void columns(int epoch, Batch batch) {
      told.add("columns");
    }

    @Override
    public void digest(int epoch, StepDigest digest) {
      told.add("digest");
    }

    @Override
    public void batch(int epoch, Batch batch, byte[] state, List<Pair> pairs) {
      if (Integer.valueOf(sent).equals(failing.peek())) {
        failing.remove();
        throw new OutOfMemoryError("Java heap space");
      }
      try (batch) {
        LongStream.range(0, batch.rowCount()).map(batch.tensor("id")::getLong).forEach(ids::add);
      }
      sent++;
    }

    @Override
    public boolean isBroken() {
      return false;
    }

    @Override
    public boolean hasGathered() {
      return false;
    }

    @Override
    public void flush() {}

    @Override
    public void end(int epoch, String state) {
      told.add("end");
    }

    @Override
    public void error(int epoch, Throwable met) {
      if (hasNoRoomToTell) {
        throw new OutOfMemoryError("Java heap space");
      }
      told.add(String.valueOf(met.getMessage()));
    }

    @Override
    public void hangUp() {
      told.add("hangs up");
    }
  }

  @AfterEach
  void close() {
    shortage.close();
  }

  private void run(int batchSize) throws IOException {
    Path rows = folder.resolve("rows.csv");
    Files.write(
        rows,
        IntStream.rangeClosed(0, ROWS)
            .mapToObj(i -> i == 0 ? "id" : String.valueOf(i - 1))
            .toList());
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(rows.toString()),
            o ->
                o.batchSize(batchSize).workers(2).rank(Rank.SINGLE).shuffle(Shuffle.window(128)))) {
      Epoch.Beginning beginning = new Epoch.Beginning(OptionalLong.of(3), null);
      new Epoch(1, loader, new Told(), beginning, 1000, shortage).run();
    }
  }

  private void requireAllRows() {
    assertThat(ids).hasSize(ROWS);
    Collections.sort(ids);
    assertThat(ids).isEqualTo(LongStream.range(0, ROWS).boxed().toList());
  }

  @Test
  void epochGoesOnBehindTheLastBatchThatWasSent() throws IOException {
    run(64);
    List<Long> expected = List.copyOf(ids);
    ids.clear();
    told.clear();
    failing.addAll(List.of(0, 0, 3, 5, 5, 15));
    try (Shortage.Work _ = shortage.enter(() -> {})) { // of another client
      run(64);
    }
    assertThat(failing).isEmpty();
    assertThat(ids).isEqualTo(expected);
    assertThat(told).endsWith("end");
    requireAllRows();
  }

  @Test
  void epochThatFillsTheHeapItselfEndsWithTheError() throws IOException {
    failing.addAll(List.of(2, 2, 2));
    try (Shortage.Work _ = shortage.enter(() -> {})) {
      run(64);
    }
    assertThat(ids).hasSize(128);
    assertThat(told).containsExactly("columns", "Java heap space");
  }

  @Test
  void nobodyIsBlamedWhereNobodyElseIsAtWork() throws IOException {
    failing.add(2);
    run(64);
    assertThat(told).containsExactly("columns", "Java heap space");
  }

  @Test
  void clientThatCannotBeToldIsHungUpOn() throws IOException {
    hasNoRoomToTell = true;
    failing.add(2);
    run(64);
    assertThat(told).containsExactly("columns", "hangs up");
  }
}
