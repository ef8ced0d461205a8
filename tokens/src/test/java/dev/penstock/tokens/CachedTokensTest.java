package dev.penstock.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.compose.Composition;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Token ids stay in a cache: they are made once.
class CachedTokensTest {
  @TempDir Path folder;

  private final AtomicInteger calls = new AtomicInteger();

  /// Counts the blocks that are tokenised.
  private Transform counted(Tokenize tokenize) {
    Transform counting =
        new Transform() {
          @Override
          public ColumnBlock apply(ColumnBlock block, TransformContext context) {
            calls.addAndGet(block.rowCount() > 0 ? 1 : 0);
            return block;
          }

          @Override
          public Optional<String> version() {
            return Optional.of("counts");
          }
        };
    return counting.andThen(tokenize);
  }

  private List<String> epoch(Tokenize tokenize, Rank rank) {
    LoaderOptions options =
        LoaderOptions.defaults()
            .rank(rank)
            .workers(2)
            .batchSize(4)
            .transform(counted(tokenize))
            .compose(Composition.packs("text", 256));
    StructuredDataset texts =
        new StructuredDataset(Recorded.DOCUMENTS.toString())
            .columns("text")
            .cache(folder.resolve("cache").toString(), "64MiB");
    List<String> packs = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(texts, options)) {
      for (Batch batch : loader) {
        try (batch) {
          packs.add(Arrays.toString(Ids.ints(batch.tensor("text"))));
        }
      }
    }
    return packs;
  }

  @Test
  void tokenisedOnceForAllEpochsRunsAndRanks() {
    Tokenize tokenize = Tokenize.of("text", Recorded.tokenizer("byte-bpe"));
    List<String> first = epoch(tokenize, Rank.SINGLE);
    assertThat(calls.getAndSet(0)).isPositive();
    assertThat(epoch(Tokenize.of("text", Recorded.tokenizer("byte-bpe")), Rank.SINGLE))
        .isEqualTo(first);
    for (int rank = 0; rank < 2; rank++) {
      epoch(tokenize, new Rank(rank, 2));
    }
    assertThat(calls).hasValue(0);
  }

  @Test
  void otherOptionsAndAnotherTokenizerTokeniseAnew() throws IOException {
    Path file = folder.resolve("tokenizer.json");
    Files.copy(Recorded.tokenizer("byte-bpe"), file);
    Tokenize tokenize = Tokenize.of("text", file);
    List<Tokenize> all =
        Stream.of(
                tokenize,
                tokenize.end("<|endoftext|>"),
                tokenize.truncate(10),
                tokenize.specialTokens(false))
            .toList();
    for (Tokenize each : all) {
      epoch(each, Rank.SINGLE);
      assertThat(calls.getAndSet(0)).as(each.toString()).isPositive();
    }
    String json = Files.readString(file);
    Files.writeString(file, json.replaceFirst("\\{", "{ "));
    epoch(Tokenize.of("text", file), Rank.SINGLE);
    assertThat(calls.get()).isPositive();
  }
}
