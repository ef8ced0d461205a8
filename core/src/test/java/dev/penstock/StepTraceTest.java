package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.TracedCase.Way;
import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.split.Rank;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;

/// What a trace says that batches were made of, held against the ids in them.
class StepTraceTest {
  @TempDir Path folder;

  private record Step(long number, List<List<RowPart>> rows) {}

  @Seeded(runs = 600)
  void tracesNameTheRowsThatBatchesHave(Random random) throws IOException {
    TracedCase data = TracedCase.random(random, folder, Way.values());
    LoaderState state = null;
    boolean isLast = false;
    while (!isLast) {
      int world = data.options().order().splitPerWorker() ? 1 : 1 + random.nextInt(3);
      int most = 1 + random.nextInt(4);
      isLast = random.nextInt(3) == 0;
      List<LoaderState> states = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        try (DataLoader loader =
            DataLoader.of(data.dataset(), data.options().rank(new Rank(rank, world)))) {
          if (state != null) {
            loader.resume(state);
          }
          isLast |= !receive(data, loader, isLast ? Integer.MAX_VALUE : most);
          isLast |= !loader.hasState();
          if (!isLast) {
            states.add(loader.state());
          }
        }
      }
      state = isLast ? null : LoaderState.merge(states);
    }
  }

  /// Receives some batches; returns whether there were more.
  private static boolean receive(TracedCase data, DataLoader loader, int most) {
    List<Step> steps = new ArrayList<>();
    try (EpochIterator<Batch> epoch =
        loader.iterator((number, rows) -> steps.add(new Step(number, rows)))) {
      while (steps.size() < most && epoch.hasNext()) {
        int before = steps.size();
        try (Batch batch = epoch.next()) {
          assertThat(steps).hasSize(before + 1);
          if (data.options().order().inOrder()) {
            assertThat(steps.getLast().number()).isEqualTo(before);
          }
          compare(data, batch, steps.getLast().rows());
        }
      }
      return steps.size() == most && epoch.hasNext();
    }
  }

  static void compare(TracedCase data, Batch batch, List<List<RowPart>> rows) {
    assertThat(rows).hasSize(batch.rowCount());
    Composition how = data.options().batching().composition().orElse(null);
    for (int row = 0; row < rows.size(); row++) {
      List<RowPart> parts = rows.get(row);
      switch (how) {
        case Packs _ -> comparePack(data, batch, row, parts);
        case SlidingWindows _ -> {
          int count = (int) batch.tensor("key.rows").getLong(row);
          RaggedTensor ids = batch.ragged("id");
          assertThat(parts).hasSize(count);
          for (int i = 0; i < count; i++) {
            compareRow(data, parts.get(i), ids.row(row).getLong(i));
          }
        }
        case null, default -> {
          assertThat(parts).hasSize(1);
          compareRow(data, parts.getFirst(), batch.tensor("id").getLong(row));
          if (data.isMixed()) {
            assertThat(parts.getFirst().source())
                .isEqualTo((int) batch.tensor("source").getLong(row));
          }
        }
      }
    }
  }

  private static void compareRow(TracedCase data, RowPart part, long id) {
    assertThat(part.isWhole()).isTrue();
    if (data.isUntold()) {
      assertThat(data.ids(part)).contains(id);
    } else {
      assertThat(data.ids(part)).containsExactly(id);
    }
  }

  private static void comparePack(TracedCase data, Batch batch, int row, List<RowPart> parts) {
    Tensor tokens = batch.ragged("tokens").row(row);
    List<Long> named = new ArrayList<>();
    for (RowPart part : parts) {
      assertThat(part.offset()).isEqualTo(named.size());
      List<Long> ids = data.ids(part);
      long id = data.isUntold() ? tokens.getLong(named.size()) / 1000 : ids.getFirst();
      assertThat(ids).contains(id);
      named.addAll(TracedCase.tokens(id, part.from(), part.count()));
    }
    Tensor segments = batch.ragged("tokens.segment").row(row);
    List<Long> packed =
        LongStream.range(0, batch.ragged("tokens").length(row))
            .filter(i -> segments.getLong(i) > 0)
            .mapToObj(tokens::getLong)
            .toList();
    assertThat(named).isEqualTo(packed);
  }
}
