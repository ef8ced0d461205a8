package reads;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.tokens.Tokenize;

/// Makes the texts of a file token ids.
public final class ReadTokens {
  private ReadTokens() {}

  public static void main(String[] args) {
    Tokenize tokenize = Tokenize.of("text", args[1]).into("ids");
    long tokens = 0;
    StructuredDataset texts = new StructuredDataset(args[0]).columns("text");
    try (DataLoader loader = DataLoader.of(texts, o -> o.transform(tokenize))) {
      for (Batch batch : loader) {
        try (batch) {
          tokens += batch.ragged("ids").values().shape().elementCount();
        }
      }
    }
    if (tokens == 0) {
      throw new IllegalStateException("no tokens");
    }
    System.out.println("tokens: " + tokens);
  }
}
