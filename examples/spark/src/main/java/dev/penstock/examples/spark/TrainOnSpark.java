package dev.penstock.examples.spark;

import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.examples.Flights;
import dev.penstock.examples.LateModel;
import dev.penstock.examples.RankLink;
import dev.penstock.spark.SparkRank;
import dev.penstock.spark.SparkRanks;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/// Trains one model on the ranks of a cluster, and goes on from the last checkpoint where an
/// executor, a machine or the whole run breaks down.
///
/// `spark-submit ... TABLE CHECKPOINTS RANKS EPOCHS`: the table has the columns of the bundled
/// flights; both folders are seen by all machines.
public final class TrainOnSpark {
  private static final int BATCH_SIZE = 256;
  private static final int STEPS_BETWEEN_CHECKPOINTS = 100;

  private TrainOnSpark() {}

  /// Runs the training.
  ///
  /// @param args the table, the folder of checkpoints, the number of ranks and of epochs
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) {
    String table = args[0];
    String checkpoints = args[1];
    int ranks = Integer.parseInt(args[2]);
    int epochs = Integer.parseInt(args[3]);
    SparkContext spark = new SparkContext(new SparkConf().setAppName("penstock-training"));
    try {
      List<byte[]> learnt =
          SparkRanks.run(
              spark,
              ranks,
              rank -> loader(table, rank),
              checkpoints,
              (rank, loader) -> train(rank, loader, epochs).toBytes());
      for (int rank = 0; rank < ranks; rank++) {
        System.out.println("Rank " + rank + "/" + ranks + ": " + text(Learnt.of(learnt.get(rank))));
      }
    } finally {
      spark.stop();
    }
  }

  private static DataLoader loader(String table, Rank rank) {
    return DataLoader.of(
        Flights.in(Path.of(table)).columns("date", "delay", "distance"),
        o -> o.batchSize(BATCH_SIZE).workers(1).shuffle(true).rank(rank));
  }

  private static Learnt train(SparkRank rank, DataLoader loader, int epochs)
      throws IOException, InterruptedException {
    Learnt learnt = rank.saved().map(Learnt::of).orElseGet(Learnt::nothing);
    LateModel model = learnt.model();
    try (RankLink link = Links.connect(rank.rank())) {
      while (loader.state().epoch() < epochs) {
        for (Batch batch : loader) { // as many batches on all ranks: nobody waits in vain
          double[] gradient;
          try (batch) {
            gradient = model.gradient(batch);
            learnt = learnt.seen(batch);
          }
          link.sum(gradient);
          model.learn(gradient);
          if (loader.state().batches() % STEPS_BETWEEN_CHECKPOINTS == 0) {
            rank.save(learnt.toBytes());
          }
        }
      }
    }
    return learnt;
  }

  private static String text(Learnt learnt) {
    CRC32C model = new CRC32C();
    model.update(learnt.model().toBytes());
    return String.format(
        Locale.ROOT,
        "%d rows, checksum %016x, model %08x",
        learnt.rows().count(),
        learnt.rows().digest(),
        model.getValue());
  }
}
