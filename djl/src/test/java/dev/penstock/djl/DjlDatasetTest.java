package dev.penstock.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.metric.Metrics;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.evaluator.BinaryAccuracy;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import dev.penstock.DataLoader;
import dev.penstock.SampleLoader;
import dev.penstock.batch.Batch;
import dev.penstock.data.Datasets;
import dev.penstock.sample.Generator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DjlDatasetTest {
  @SuppressWarnings("ArrayRecordComponent") // nobody compares points
  record Point(float[] x, long inside) {}

  /// Points of a plane, and on which side of a line they lie.
  private static List<Point> points(int count) {
    Random random = new Random(7);
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      float x = random.nextFloat() - 0.5f;
      float y = random.nextFloat() - 0.5f;
      points.add(new Point(new float[] {x, y}, x > 2 * y ? 1 : 0));
    }
    return points;
  }

  private static SampleLoader<Point, Batch> loader(int count) {
    return DataLoader.of(
        Datasets.ofList(points(count)),
        o -> o.batchSize(64).shuffle(true).generator(new Generator(7)));
  }

  @Test
  void everyPassIsAnEpochOfAllRowsAndLeavesNoMemory() {
    try (SampleLoader<Point, Batch> loader = loader(1000);
        NDManager manager = NDManager.newBaseManager()) {
      DjlDataset dataset = DjlDataset.of(loader, List.of("x"), List.of("inside"));
      for (int epoch = 0; epoch < 2; epoch++) {
        long rows = 0;
        long last = 0;
        for (var batch : dataset.getData(manager)) {
          rows += batch.getSize();
          last = batch.getProgress();
          assertThat(batch.getProgressTotal()).isEqualTo(16);
          batch.close();
        }
        assertThat(rows).isEqualTo(1000);
        assertThat(last).isEqualTo(15);
      }
    }
  }

  @Test
  void arraysOutliveTheLoader() {
    try (NDManager manager = NDManager.newBaseManager()) {
      NDArray kept;
      try (SampleLoader<Point, Batch> loader = loader(10)) {
        var batches = DjlDataset.of(loader, List.of("x"), List.of()).getData(manager).iterator();
        var batch = batches.next();
        kept = batch.getData().get(0).get("3:5");
        kept.attach(manager);
        batch.close();
      }
      assertThat(kept.getShape()).isEqualTo(new Shape(2, 2));
      assertThat(kept.abs().max().getFloat()).isLessThanOrEqualTo(0.5f);
    }
  }

  @Test
  void easyTrainLearnsALine() throws Exception {
    var config =
        new DefaultTrainingConfig(Loss.sigmoidBinaryCrossEntropyLoss())
            .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.05f)).build())
            .addEvaluator(new BinaryAccuracy("Accuracy", 0))
            .addTrainingListeners(new EvaluatorTrainingListener())
            .optDevices(new Device[] {Device.cpu()});
    try (SampleLoader<Point, Batch> loader = loader(1000);
        Model model = Model.newInstance("line")) {
      // The first weights are the engine's random numbers.
      model.getNDManager().getEngine().setRandomSeed(7);
      // One number a row: DJL refuses gradients whose sum is zero, as those of two classes are.
      model.setBlock(
          new SequentialBlock()
              .add(Linear.builder().setUnits(1).build())
              .addSingleton(logits -> logits.squeeze(1)));
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.setMetrics(new Metrics());
        trainer.initialize(new Shape(64, 2));
        DjlDataset dataset = DjlDataset.of(loader, List.of("x"), List.of("inside"));
        EasyTrain.fit(trainer, 10, dataset, null);
        assertThat(trainer.getTrainingResult().getEvaluations().get("train_Accuracy"))
            .isGreaterThan(0.95f);
      }
    }
  }
}
