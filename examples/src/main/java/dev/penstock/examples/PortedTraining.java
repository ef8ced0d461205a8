package dev.penstock.examples;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.cli.demo.Metrics;
import dev.penstock.djl.DjlBatches;
import dev.penstock.split.Shuffle;
import dev.penstock.transform.Transform;
import java.util.ArrayList;
import java.util.List;

/// Learns how likely a flight is to arrive more than 15 minutes late: `examples/port/train.py` in
/// Java, step by step in docs/how-to/port-a-pytorch-script.md.
///
/// `examples/run port FOLDER`: the folder has the bundled flights; the last two files are held out.
final class PortedTraining {
  private PortedTraining() {}

  // @start region=port-features
  private static final long MICROS_PER_HOUR = 3_600_000_000L;

  private static final Transform FEATURES =
      (block, context) -> { // in the workers: columns of up to 65,536 rows
        long[] dates = block.longs("date"); // microseconds since 1970
        long[] delays = block.longs("delay");
        float[] hours = new float[block.rowCount()];
        float[] miles = block.floats("distance");
        float[] late = new float[block.rowCount()];
        for (int row = 0; row < late.length; row++) {
          hours[row] = (Math.floorMod(Math.floorDiv(dates[row], MICROS_PER_HOUR), 24) - 12) / 6f;
          miles[row] = (miles[row] - 700) / 600;
          late[row] = delays[row] > 15 ? 1 : 0;
        }
        return block
            .with("hour", hours)
            .with("miles", miles)
            .with("late", late)
            .without("date", "distance", "delay");
      };

  // @end

  // @start region=port-loader
  private static DataLoader loader(String files, Shuffle shuffle) {
    return DataLoader.of(
        new StructuredDataset(files).columns("date", "distance", "delay"),
        o ->
            o.batchSize(1024)
                .workers(2)
                .shuffle(shuffle)
                .seed(42)
                .transform(FEATURES)
                .features("x", "hour", "miles")); // float32 [rows, 2]
  }

  // @end

  /// What the model says of the held-out flights.
  record Report(long rows, double loss, double auc) {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) {
    Report report = train(args.length > 0 ? args[0] : "data/flights");
    IO.println(
        "held out: %,d flights, loss %.4f, AUC %.4f"
            .formatted(report.rows(), report.loss(), report.auc()));
  }

  static Report train(String folder) {
    System.setProperty("ai.djl.pytorch.num_threads", "1");
    Engine.getInstance().setRandomSeed(42);
    // @start region=port-model
    var config =
        new DefaultTrainingConfig(Loss.sigmoidBinaryCrossEntropyLoss())
            .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.01f)).build())
            .optDevices(new Device[] {Device.cpu()});
    try (DataLoader training = loader(folder + "/part-[0-5].parquet", Shuffle.window(65_536));
        DataLoader heldOut = loader(folder + "/part-[67].parquet", Shuffle.none());
        Model model = Model.newInstance("late")) {
      model.setBlock(Linear.builder().setUnits(1).build());
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(1024, 2));
        for (int epoch = 0; epoch < 3; epoch++) {
          double loss = train(trainer, training);
          long rows = training.stats().rows();
          IO.println("epoch %d: %,d flights, loss %.4f".formatted(epoch, rows, loss / rows));
        }
        return evaluate(trainer, heldOut);
      }
    }
    // @end
  }

  // @start region=port-loop
  /// Trains for an epoch and returns the sum of the rows' losses.
  private static double train(Trainer trainer, DataLoader loader) {
    double total = 0;
    for (Batch batch : loader) {
      try (batch; // closed after the step: a later batch uses its memory
          NDManager step = trainer.getManager().newSubManager()) {
        NDArray x = DjlBatches.array(step, batch.tensor("x")); // the batch's memory, no copy
        NDArray late = DjlBatches.array(step, batch.tensor("late")).reshape(-1, 1);
        try (GradientCollector gradients = trainer.newGradientCollector()) {
          NDArray guess = trainer.forward(new NDList(x)).singletonOrThrow();
          NDArray loss = trainer.getLoss().evaluate(new NDList(late), new NDList(guess));
          gradients.backward(loss);
          total += loss.getFloat() * batch.rowCount();
        }
        trainer.step();
      }
    }
    return total;
  }

  // @end

  // @start region=port-evaluate
  private static Report evaluate(Trainer trainer, DataLoader loader) {
    List<float[]> scores = new ArrayList<>();
    List<float[]> labels = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch;
          NDManager step = trainer.getManager().newSubManager()) {
        NDArray x = DjlBatches.array(step, batch.tensor("x"));
        NDArray guess = trainer.evaluate(new NDList(x)).singletonOrThrow();
        scores.add(guess.toFloatArray()); // a copy
        labels.add((float[]) batch.tensor("late").toArray()); // a copy, too
      }
    }
    return report(scores, labels);
  }

  // @end

  private static Report report(List<float[]> scores, List<float[]> labels) {
    int rows = labels.stream().mapToInt(part -> part.length).sum();
    double[] probabilities = new double[rows];
    boolean[] late = new boolean[rows];
    int row = 0;
    for (int part = 0; part < labels.size(); part++) {
      for (int i = 0; i < labels.get(part).length; i++) {
        probabilities[row] = 1 / (1 + Math.exp(-scores.get(part)[i]));
        late[row] = labels.get(part)[i] > 0;
        row++;
      }
    }
    return new Report(rows, Metrics.logLoss(probabilities, late), Metrics.auc(probabilities, late));
  }
}
