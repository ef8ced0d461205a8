package dev.penstock.examples;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.metric.Metrics;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingResult;
import ai.djl.training.evaluator.BinaryAccuracy;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import dev.penstock.DataLoader;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.djl.DjlDataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Trains a multilayer perceptron with DJL and PyTorch, and reports its accuracy on flights that
/// were held out.
///
/// `examples/run djl [EPOCHS]`: by default 3 epochs over the bundled flights.
final class TrainWithDjl {
  private static final int BATCH_SIZE = 1024;

  private TrainWithDjl() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException, TranslateException {
    int epochs = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    try (SampleFlights flights = SampleFlights.extract()) {
      TrainingResult result = train(flights.trainingFolder(), flights.heldOutFolder(), epochs);
      System.out.printf(
          Locale.ROOT,
          "After %d epochs: training loss %.4f, loss on held-out flights %.4f, accuracy %.4f%n",
          epochs,
          result.getTrainLoss(),
          result.getValidateLoss(),
          result.getValidateEvaluation("Accuracy"));
    }
  }

  static TrainingResult train(Path training, Path heldOut, int epochs)
      throws IOException, TranslateException {
    // So small a model loses more than it gains by more threads.
    System.setProperty("ai.djl.pytorch.num_threads", "1");
    Engine.getInstance().setRandomSeed(7);
    var config =
        new DefaultTrainingConfig(Loss.sigmoidBinaryCrossEntropyLoss())
            .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.003f)).build())
            .addEvaluator(new BinaryAccuracy("Accuracy", 0))
            .addTrainingListeners(new EvaluatorTrainingListener())
            .optDevices(new Device[] {Device.cpu()});
    try (DataLoader trainingLoader = loader(training, true);
        DataLoader heldOutLoader = loader(heldOut, false);
        Model model = Model.newInstance("late")) {
      model.setBlock(
          new SequentialBlock()
              .add(Linear.builder().setUnits(32).build())
              .add(Activation.reluBlock())
              .add(Linear.builder().setUnits(1).build())
              .addSingleton(logits -> logits.squeeze(1)));
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.setMetrics(new Metrics());
        trainer.initialize(new Shape(BATCH_SIZE, Flights.NAMES.size()));
        EasyTrain.fit(trainer, epochs, dataset(trainingLoader), dataset(heldOutLoader));
        return trainer.getTrainingResult();
      }
    }
  }

  private static DataLoader loader(Path folder, boolean shuffle) {
    return DataLoader.of(
        Flights.in(folder).columns("date", "delay", "distance"), // tensors only
        o ->
            o.batchSize(BATCH_SIZE)
                .workers(2)
                .shuffle(shuffle)
                .seed(7)
                .transform(Flights.TRAINING)
                .features("x", Flights.NAMES));
  }

  private static DjlDataset dataset(DataLoader loader) {
    return DjlDataset.of(loader, List.of("x"), List.of("late"));
  }
}
