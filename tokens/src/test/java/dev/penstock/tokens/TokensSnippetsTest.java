package dev.penstock.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensSnippetsTest {
  @TempDir Path folder;

  @Test
  void corpusComesAsPacksOfTokens() {
    List<String> shapes = new ArrayList<>();
    TokensSnippets.train(
        Recorded.DOCUMENTS.toString(),
        Recorded.tokenizer("byte-bpe").toString(),
        batch -> shapes.add(batch.tensor("input_ids").shape().toString()));
    assertThat(shapes).hasSizeGreaterThan(2);
    assertThat(shapes.getFirst()).isEqualTo("[8, 2048]");
  }

  /// Returns the rows that came until there were enough, or the end.
  private List<String> rows(Path saved, int enough) throws IOException {
    List<String> rows = new ArrayList<>();
    Consumer<Batch> training =
        batch -> {
          if (rows.size() == enough) {
            throw new CancellationException();
          }
          rows.add(Arrays.deepToString(new Object[] {batch.tensor("input_ids").toArray()}));
        };
    String corpus = Recorded.DOCUMENTS.toString();
    String tokenizer = Recorded.tokenizer("byte-bpe").toString();
    try {
      TokensSnippets.pretrain(corpus, tokenizer, saved, training);
    } catch (CancellationException e) {
      assertThat(rows).hasSize(enough);
    }
    return rows;
  }

  @Test
  void stoppedTrainingGoesOnWithTheNextBatch() throws IOException {
    List<String> whole = rows(folder.resolve("whole"), Integer.MAX_VALUE);
    Path saved = folder.resolve("stopped");
    List<String> both = new ArrayList<>(rows(saved, 3));
    both.addAll(rows(saved, Integer.MAX_VALUE));
    assertThat(both).hasSizeGreaterThan(5).isEqualTo(whole);
  }
}
