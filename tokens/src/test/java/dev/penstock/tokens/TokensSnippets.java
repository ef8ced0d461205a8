package dev.penstock.tokens;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.compose.Composition;
import java.util.function.Consumer;

/// Code of the guide to tokens.
final class TokensSnippets {
  private TokensSnippets() {}

  static void train(String corpus, String tokenizer, Consumer<Batch> training) {
    // @start region=tokenize
    var texts = new StructuredDataset(corpus).columns("text"); // such as JSONL in .zst
    var tokenize = Tokenize.of("text", tokenizer).end("<|endoftext|>").into("input_ids");
    var packs = Composition.packs("input_ids", 2048);

    try (DataLoader loader =
        DataLoader.of(texts, o -> o.batchSize(8).transform(tokenize).compose(packs))) {
      for (Batch batch : loader) {
        try (batch) { // input_ids, input_ids.segment, input_ids.position: [8, 2048]
          training.accept(batch);
        }
      }
    }
    // @end
  }
}
