package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// Writes the orders in which shuffles deliver rows, for whoever judges how random they are.
///
/// The dataset has a column `row`, the number of each row in file order. An order is a file
/// `SHUFFLE/SEED.i64` of these numbers as delivered, each an `int64` in the machine's byte order;
/// colons in a shuffle's name become `-`.
public final class ShuffleOrders {
  private ShuffleOrders() {}

  /// Writes the orders of the first epoch.
  ///
  /// @param args `DATASET OUT SEEDS SHUFFLE...`: the folder of the files, that of the orders, how
  ///   many seeds, which are 0 and up, and shuffles as [Shuffle#parse] reads them
  /// @throws IOException if a file cannot be written
  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[1]);
    int seeds = Integer.parseInt(args[2]);
    StructuredDataset dataset =
        new StructuredDataset(args[0])
            .columns("row")
            .cache(out.resolve("cache").toString(), "1GiB");
    for (String name : Arrays.asList(args).subList(3, args.length)) {
      Path folder = Files.createDirectories(out.resolve(name.replace(':', '-')));
      for (int seed = 0; seed < seeds; seed++) {
        write(dataset, Shuffle.parse(name), seed, folder.resolve(seed + ".i64"));
      }
    }
  }

  private static void write(StructuredDataset dataset, Shuffle shuffle, int seed, Path file)
      throws IOException {
    try (FileChannel out =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        DataLoader loader =
            DataLoader.of(dataset, o -> o.batchSize(8192).workers(2).shuffle(shuffle).seed(seed))) {
      for (Batch batch : loader) {
        try (batch) {
          ByteBuffer rows = batch.tensor("row").asByteBuffer();
          while (rows.hasRemaining()) {
            out.write(rows);
          }
        }
      }
    }
  }
}
