package dev.penstock.tokens;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.compose.Composition;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Code of the guides to tokens and to a corpus.
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

  static void pretrain(String corpus, String tokenizer, Path saved, Consumer<Batch> training)
      throws IOException {
    // @start region=pretrain
    var texts = new StructuredDataset(corpus).columns("text");
    var tokenize = Tokenize.of("text", tokenizer).end("<|endoftext|>").into("input_ids");
    var packs = Composition.packs("input_ids", 256);
    var shuffle = Shuffle.window(65_536);

    try (DataLoader loader =
        DataLoader.of(
            texts,
            o -> o.batchSize(16).shuffle(shuffle).seed(1).transform(tokenize).compose(packs))) {
      if (Files.exists(saved)) { // by a run that was stopped
        loader.resume(LoaderState.parse(Files.readString(saved)));
      }
      for (Batch batch : loader) {
        try (batch) { // input_ids, input_ids.segment, input_ids.position: [16, 256]
          training.accept(batch);
        }
        Files.writeString(saved, loader.state().toJson()); // with the model
      }
    }
    // @end
  }
}
