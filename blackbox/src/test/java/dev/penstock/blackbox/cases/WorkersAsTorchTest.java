package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.SampleLoader;
import dev.penstock.data.ChainDataset;
import dev.penstock.data.Datasets;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.data.Sharing;
import dev.penstock.data.WorkerInfo;
import dev.penstock.options.IterableOptions;
import dev.penstock.sample.Generator;
import dev.penstock.sample.RandomSampler;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/// What a worker of torch has of its own because it is a process: its copy of the dataset, and its
/// default generator. Held against values recorded from torch.
class WorkersAsTorchTest {
  private final TorchValues torch = TorchValues.read("workers.json");

  WorkersAsTorchTest() throws IOException {}

  /// Torch's documentation: the iterator asks which worker calls it.
  // @start region=worker-asks
  record Range(long start, long end) implements IterableDataset<Long> {
    @Override
    public Iterator<Long> iterator() {
      if (WorkerInfo.current().isEmpty()) {
        return LongStream.range(start, end).iterator();
      }
      WorkerInfo info = WorkerInfo.current().get();
      long each = Math.ceilDiv(end - start, info.count());
      long first = start + info.id() * each;
      return LongStream.range(first, Math.min(first + each, end)).iterator();
    }
  }

  // @end

  /// Torch's documentation: `worker_init_fn` gives the worker's copy its part.
  // @start region=worker-copy
  static final class Part implements IterableDataset<Long> {
    private long start;
    private long end;

    Part(long start, long end) {
      this.start = start;
      this.end = end;
    }

    @Override
    public Iterator<Long> iterator() {
      return LongStream.range(start, end).iterator();
    }

    @Override
    public Part copyForWorker() {
      return new Part(start, end);
    }

    static void init(WorkerInfo info) { // o.workers(2).workerInit(Part::init)
      Part mine = (Part) info.dataset();
      long each = Math.ceilDiv(mine.end - mine.start, info.count());
      mine.start += info.id() * each;
      mine.end = Math.min(mine.start + each, mine.end);
    }
  }

  // @end

  /// Rows of a class that can be changed, and that all workers share.
  private static class Undivided implements IterableDataset<Long> {
    @Override
    public Iterator<Long> iterator() {
      return LongStream.range(3, 10).iterator();
    }
  }

  private static <T> List<T> epoch(SampleLoader<?, T> loader) {
    return StreamSupport.stream(loader.spliterator(), false).toList();
  }

  private static String warnings(
      IterableDataset<Long> dataset, UnaryOperator<IterableOptions<Long, Long>> options) {
    return Logged.during(() -> {
      try (SampleLoader<Long, Long> loader =
          DataLoader.of(
              dataset, options.apply(IterableOptions.<Long>defaults().workers(2).unbatched()))) {
        epoch(loader);
        epoch(loader);
      }
    });
  }

  private static String warnings(IterableDataset<Long> dataset) {
    return warnings(dataset, o -> o);
  }

  // --- The dataset

  @Test
  void documentedWaysToShareGiveTheRowsThatTorchGives() {
    for (int workers = 0; workers < 4; workers++) {
      int count = workers;
      try (SampleLoader<Long, Long> asked =
              DataLoader.of(new Range(3, 10), o -> o.workers(count).unbatched());
          SampleLoader<Long, Long> changed =
              DataLoader.of(
                  new Part(3, 10), o -> o.workers(count).workerInit(Part::init).unbatched());
          SampleLoader<Long, Long> undivided =
              DataLoader.of(new Undivided(), o -> o.workers(count).unbatched())) {
        for (int epoch = 0; epoch < 2; epoch++) {
          assertThat(epoch(asked)).isEqualTo(torch.get("documented iter workers=" + count));
          assertThat(epoch(changed)).isEqualTo(torch.get("documented init workers=" + count));
          assertThat(epoch(undivided)).isEqualTo(torch.get("undivided workers=" + count));
        }
      }
    }
  }

  @Test
  void persistentWorkersKeepTheirCopy() {
    try (SampleLoader<Long, Long> loader =
        DataLoader.of(
            new Part(3, 10),
            o -> o.workers(2).persistentWorkers(true).workerInit(Part::init).unbatched())) {
      assertThat(List.of(epoch(loader), epoch(loader)))
          .isEqualTo(torch.get("documented init persistent 2 epochs"));
    }
  }

  @Test
  void datasetsOfDatasetsCopyThem() {
    List<IterableDataset<Long>> holders =
        List.of(
            ChainDataset.of(List.of(new Part(0, 3), new Part(3, 6))),
            Sharing.byRemainder(new Part(0, 6)));
    for (IterableDataset<Long> holder : holders) {
      assertThat(holder.copyForWorker()).isNotSameAs(holder);
      assertThat(holder.copyForWorker()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    }
    IterableDataset<Long> shared = ChainDataset.of(List.of(new Undivided()));
    assertThat(shared.copyForWorker()).isSameAs(shared);
  }

  @Test
  void failureOfACopyIsThrownWhereTheEpochStarts() {
    class Uncopied extends Undivided {
      @Override
      public IterableDataset<Long> copyForWorker() {
        throw new IllegalStateException("cannot be copied");
      }
    }
    try (SampleLoader<Long, ?> loader = DataLoader.of(new Uncopied(), o -> o.workers(2))) {
      assertThatThrownBy(loader::iterator).hasMessage("cannot be copied");
    }
    try (SampleLoader<Long, Long> loader = DataLoader.of(new Uncopied(), o -> o.unbatched())) {
      assertThat(epoch(loader)).hasSize(7);
    }
  }

  @Test
  void rowsThatComeWithoutAnyQuestionAreWarnedOfOnce() {
    for (int i = 0; i < 30; i++) { // workers begin in any order
      assertThat(warnings(new Undivided()))
          .containsOnlyOnce("WARN")
          .contains(
              "2 workers read the same dataset, and nothing in it asks which of them calls: if it"
                  + " gives each all its rows, every row comes 2 times. Ask WorkerInfo.current() in"
                  + " its iterator(), use Sharing, or implement copyForWorker().");
    }
    assertThat(warnings(new Undivided(), o -> o.workerInit(_ -> {}))).containsOnlyOnce("WARN");
  }

  @Test
  void workersThatAreToldApartAreNotWarnedOf() {
    AtomicInteger turn = new AtomicInteger();
    IterableDataset<Long> rowsOfOneWorker =
        () -> LongStream.range(turn.getAndIncrement(), 1).iterator();
    IterableDataset<Long> random =
        () -> LongStream.generate(() -> Generator.global().random()).limit(9).iterator();
    IterableDataset<Long> asksWithItsRows =
        () ->
            LongStream.range(0, 9)
                .filter(i -> i % 2 == WorkerInfo.current().orElseThrow().id())
                .iterator();
    for (IterableDataset<Long> dataset :
        List.of(
            new Range(3, 10),
            new Part(3, 10),
            Sharing.byRemainder(new Undivided()),
            Sharing.byFile(List.of(1, 2), _ -> new Undivided().iterator()),
            rowsOfOneWorker,
            random,
            asksWithItsRows)) {
      assertThat(warnings(dataset)).as("%s", dataset).isEmpty();
    }
    assertThat(warnings(new Undivided(), o -> o.workers(1))).isEmpty();
    assertThat(warnings(new Undivided(), o -> o.workers(0))).isEmpty();
  }

  @Test
  void workerInitThatTakesASharedDatasetIsWarnedOfOnce() {
    Consumer<WorkerInfo> takes = info -> assertThat(info.dataset()).isNotNull();
    assertThat(warnings(new Undivided(), o -> o.workerInit(takes)))
        .containsOnlyOnce("WARN")
        .contains(
            "workerInit takes the dataset, which all 2 workers share: what one of them changes in"
                + " it changes for all. Ask WorkerInfo.current() in its iterator() instead, or"
                + " implement copyForWorker(), so that each worker has its own.");
    assertThat(warnings(new Range(3, 10), o -> o.workerInit(takes))).isEmpty();
    assertThat(warnings(new Part(3, 10), o -> o.workerInit(takes))).isEmpty();
    assertThat(
            Logged.during(() -> {
              try (SampleLoader<Long, Long> loader =
                  DataLoader.of(
                      Datasets.range(4), o -> o.workers(2).workerInit(takes).unbatched())) {
                assertThat(epoch(loader)).hasSize(4);
              }
            }))
        .contains("Keep in a WorkerLocal what each worker needs of its own.");
  }

  @Test
  void moreRowsThanTheDatasetSaysAreWarnedOf() {
    class Sized extends Undivided {
      @Override
      public OptionalLong size() {
        return OptionalLong.of(7);
      }
    }
    assertThat(warnings(new Sized()))
        .contains("Epoch 0 delivered 14 rows but the IterableDataset says it has 7. With 2");
    assertThat(warnings(new Sized(), o -> o.workers(1))).isEmpty();
  }

  @Test
  void moreWorkersThanProcessorsAreWarnedOf() {
    int processors = Runtime.getRuntime().availableProcessors();
    int more = processors + 1;
    assertThat(warnings(new Range(3, 10), o -> o.workers(more)))
        .containsOnlyOnce("workers is " + more + " but there are " + processors + " processors.");
    assertThat(warnings(new Range(3, 10), o -> o.workers(processors))).isEmpty();
  }

  // --- The generator

  /// The same draws as those that torch was recorded with.
  private record Drawn() implements MapDataset<List<Object>> {
    @Override
    public long size() {
      return 4;
    }

    @Override
    public List<Object> get(long index) {
      if (index == 3) {
        Generator.global().manualSeed(7);
      }
      WorkerInfo info = WorkerInfo.current().orElseThrow();
      assertThat(Generator.global()).isSameAs(info.generator());
      List<Long> order = new ArrayList<>();
      long seed = Generator.global().initialSeed();
      long whole = Generator.global().randint(0, 1000);
      double real = Generator.global().rand();
      List<Long> permutation = LongStream.of(Generator.global().randperm(5)).boxed().toList();
      new RandomSampler(5).iterator().forEachRemaining((long row) -> order.add(row));
      return List.of((long) info.id(), seed, whole, real, permutation, order);
    }
  }

  @Test
  void globalGeneratorOfAWorkerIsTorchsOfThatWorker() {
    for (boolean persistent : new boolean[] {true, false}) {
      Generator.global().manualSeed(42);
      try (SampleLoader<List<Object>, List<Object>> loader =
          DataLoader.of(new Drawn(), o -> o.workers(2).persistentWorkers(persistent).unbatched())) {
        assertThat(List.of(epoch(loader), epoch(loader)))
            .isEqualTo(
                torch.get(
                    "default generator "
                        + (persistent ? "persistent" : "non-persistent")
                        + " 2 epochs"));
      }
    }
  }

  @Test
  void globalGeneratorOfTheConsumerIsThatOfTheProcess() {
    Generator ofProcess = Generator.global();
    try (SampleLoader<Integer, Boolean> loader =
        DataLoader.of(
            Datasets.ofList(IntStream.range(0, 3).boxed().toList()),
            o -> o.collate((_, _) -> Generator.global() == ofProcess))) {
      assertThat(epoch(loader)).containsOnly(true);
    }
    assertThat(Generator.global()).isSameAs(ofProcess);
  }
}
