package dev.penstock.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokensSnippetsTest {
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
}
