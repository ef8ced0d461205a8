package dev.penstock.internal.passes;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class VocabularyTextsTest {
  @Test
  void columnOfTooManyDifferentTextsIsRefused() {
    VocabularyTexts texts = new VocabularyTexts("s", 2, 10);
    texts.add("a");
    texts.add("b");
    texts.add("a");
    texts.add(null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> texts.add("c"))
        .withMessage(
            "Cannot find a vocabulary of column 's': it has more than 2 different texts. Use"
                + " StringEncoding.hash(buckets), or give a vocabulary.");
  }

  @Test
  void columnOfTooLongTextsIsRefused() {
    VocabularyTexts texts = new VocabularyTexts("s", 100, 10);
    texts.add("12345");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> texts.add("123456"))
        .withMessageContaining("more than 10 chars of different texts");
  }
}
