package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VocabularyTest {
  @TempDir Path folder;

  @Test
  void codesAreThePlacesOfTheTexts() {
    Vocabulary vocabulary = Vocabulary.of("b", "a", "");
    assertThat(vocabulary.size()).isEqualTo(3);
    assertThat(vocabulary.text(1)).isEqualTo("a");
    assertThat(vocabulary.code("")).hasValue(2);
    assertThat(vocabulary.code("c")).isEmpty();
    assertThat(vocabulary).isEqualTo(Vocabulary.of(List.of("b", "a", "")));
    assertThat(vocabulary).isNotEqualTo(Vocabulary.sorted(vocabulary.texts()));
  }

  @Test
  void sortedIsTheOrderOfCodePoints() {
    // U+FFFD comes before U+1F600, though its char comes behind the surrogates.
    assertThat(Vocabulary.sorted(List.of("\uD83D\uDE00", "\uFFFD", "ab", "a", "", "ab")).texts())
        .containsExactly("", "a", "ab", "\uFFFD", "\uD83D\uDE00");
  }

  @Test
  void fileIsOneJsonStringALine() throws IOException {
    Path file = folder.resolve("vocabulary.jsonl");
    Vocabulary vocabulary =
        Vocabulary.of("", "a b", "\"\\/", "\n\r\t\b\f\u0001\u2028", "ü東\uD83D\uDE00");
    vocabulary.save(file);
    assertThat(Files.readAllLines(file))
        .containsExactly(
            "\"\"",
            "\"a b\"",
            "\"\\\"\\\\/\"",
            "\"\\n\\r\\t\\b\\f\\u0001\\u2028\"",
            "\"ü東\uD83D\uDE00\"");
    assertThat(Vocabulary.load(file)).isEqualTo(vocabulary);
  }

  @Test
  void fileMayHaveAnyEscapes() throws IOException {
    Path file = Files.writeString(folder.resolve("v"), " \"\\u00fc\\/\\ud83d\\ude00\" \r\n\"b\"");
    assertThat(Vocabulary.load(file).texts()).containsExactly("ü/\uD83D\uDE00", "b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "\"",
        "\"a",
        "\"a\"b\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u+123\"",
        "7"
      })
  void lineThatIsNoJsonStringIsRefused(String line) throws IOException {
    Path file = Files.writeString(folder.resolve("v"), "\"first\"\n" + line + "\n");
    assertThatThrownBy(() -> Vocabulary.load(file))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Cannot read a vocabulary: line 2 is not one JSON string, such as \"ATL\". ["
                + file
                + "]");
  }

  @Test
  void textThatIsThereTwiceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Vocabulary.of("a", "b", "a"))
        .withMessage("Cannot put 'a' into a vocabulary: it is there twice, as 0 and 2.");
  }

  @Test
  void textThatUtf8DoesNotHaveIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Vocabulary.of("\uD83D"))
        .withMessageContaining("half of a surrogate pair");
  }

  @Test
  void isShownByItsFirstTexts() {
    assertThat(Vocabulary.of("a", "\n")).hasToString("Vocabulary of 2 [\"a\", \"\\n\"]");
    List<String> digits = "0123456789x".chars().mapToObj(Character::toString).toList();
    assertThat(Vocabulary.of(digits).toString()).startsWith("Vocabulary of 11").endsWith(", ...]");
  }
}
