package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.CollatedLoader;
import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.StatsSample;
import dev.penstock.stats.Timeline;
import dev.penstock.stats.WaitSpan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimelineTest {
  @TempDir Path folder;
  private StructuredDataset dataset;

  @BeforeEach
  void write() throws IOException {
    dataset =
        new Folder(folder)
            .counting(new int[] {30_000}, new int[] {50_000}, new int[] {20_000})
            .dataset();
  }

  private static LoaderOptions options(int workers) {
    return LoaderOptions.defaults().workers(workers).batchSize(1_000).record(true);
  }

  private static void drain(DataLoader loader) {
    for (Batch batch : loader) {
      batch.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"0, none", "1, none", "3, none", "2, window:5000", "2, splits"})
  void everyRowIsInASliceOfItsFile(int workers, String shuffle) {
    try (DataLoader loader =
        DataLoader.of(dataset, options(workers).shuffle(Shuffle.parse(shuffle)))) {
      drain(loader);
      EpochRecord epoch = loader.history().getFirst();
      assertThat(epoch.stats().batches()).isEqualTo(100);
      Timeline timeline = epoch.timeline();
      assertThat(timeline.slices().stream().mapToLong(SliceSpan::rows).sum()).isEqualTo(100_000);
      assertThat(timeline.slices().stream().map(SliceSpan::file).distinct()).hasSize(3);
      long nanos = epoch.stats().times().nanos();
      for (SliceSpan slice : timeline.slices()) {
        assertThat(slice.startNanos()).isBetween(0L, slice.endNanos());
        assertThat(slice.worker()).isBetween(workers == 0 ? -1 : 0, workers - 1);
        assertThat(slice.openNanos() + slice.fetchNanos() + slice.decodeNanos())
            .isBetween(1L, slice.endNanos() - slice.startNanos());
      }
      for (WaitSpan wait : timeline.waits()) {
        assertThat(wait.nanos()).isEqualTo(wait.endNanos() - wait.startNanos());
        assertThat(wait.worker() < 0).isEqualTo(wait.waitsFor().equals("batch"));
      }
      StatsSample last = timeline.samples().getLast();
      assertThat(last.rows()).isEqualTo(100_000);
      assertThat(last.batches()).isEqualTo(100);
      assertThat(last.bytes()).isEqualTo(epoch.stats().read().bytes());
      assertThat(last.atNanos()).isEqualTo(nanos);
    }
  }

  @Test
  void withoutRecordingThereAreOnlySums() {
    try (DataLoader loader = DataLoader.of(dataset, options(2).record(false))) {
      drain(loader);
      assertThat(loader.history()).hasSize(1);
      assertThat(loader.history().getFirst().stats().rows()).isEqualTo(100_000);
      assertThat(loader.history().getFirst().timeline()).isEqualTo(Timeline.NONE);
    }
  }

  @Test
  void historyHasEveryEpochOnce() {
    try (DataLoader loader = DataLoader.of(dataset, options(2));
        CollatedLoader<Batch> view = loader.collate(batch -> batch)) {
      assertThat(loader.history()).isEmpty();
      drain(loader);
      loader.setEpoch(7);
      try (EpochIterator<Batch> left = loader.iterator()) {
        left.next().close();
      }
      drain(loader);
      List<EpochRecord> epochs = loader.history();
      assertThat(epochs.stream().map(each -> each.stats().epoch())).containsExactly(0L, 7L, 8L);
      assertThat(epochs.get(1).stats().batches()).isEqualTo(1);
      assertThat(epochs.get(1).timeline().samples().getLast().rows()).isEqualTo(1_000);
      assertThat(view.history()).hasSize(3);
    }
  }

  @Test
  void historyIsBounded() {
    StructuredDataset small = dataset.where("id < 1");
    try (DataLoader loader = DataLoader.of(small, options(0))) {
      for (int i = 0; i < 120; i++) {
        drain(loader);
      }
      List<EpochRecord> epochs = loader.history();
      assertThat(epochs).hasSize(101);
      assertThat(epochs.getLast().stats().epoch()).isEqualTo(119);
      assertThat(epochs.stream().filter(each -> !each.timeline().isEmpty())).hasSize(11);
      assertThat(epochs.getLast().timeline().isEmpty()).isFalse();
    }
  }
}
