package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.tokens.Tokenize;
import java.util.Arrays;

/// Tokenises the column `text` of a file, and prints the tokens of an epoch and the seconds of
/// several as one line of JSON: the Java side of `tokenise.py`, which has the others.
public final class TokenizeRun {
  private TokenizeRun() {}

  /// Runs the epochs.
  ///
  /// @param args `FILE TOKENIZER WORKERS BATCH_SIZE EPOCHS`
  public static void main(String[] args) {
    int workers = Integer.parseInt(args[2]);
    int size = Integer.parseInt(args[3]);
    double[] seconds = new double[Integer.parseInt(args[4])];
    Tokenize tokenize = Tokenize.of("text", args[1]);
    StructuredDataset file = new StructuredDataset(args[0]);
    try (DataLoader loader =
        DataLoader.of(file, o -> o.batchSize(size).workers(workers).transform(tokenize))) {
      long tokens = 0;
      for (int epoch = 0; epoch < seconds.length; epoch++) {
        long start = System.nanoTime();
        tokens = 0;
        for (Batch batch : loader) {
          try (batch) {
            tokens += batch.ragged("text").values().shape().elementCount();
          }
        }
        seconds[epoch] = (System.nanoTime() - start) / 1e9;
      }
      System.out.println(
          "{\"tokens\": " + tokens + ", \"seconds\": " + Arrays.toString(seconds) + "}");
    }
  }
}
