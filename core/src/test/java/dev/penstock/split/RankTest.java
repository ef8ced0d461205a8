package dev.penstock.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RankTest {
  @Test
  void textFormIsReadAsWritten() {
    assertThat(Rank.parse("3/8")).isEqualTo(new Rank(3, 8)).hasToString("3/8");
    assertThat(Rank.parse("0/1")).isEqualTo(Rank.SINGLE).isEqualTo(Rank.single());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "3", "3/", "/8", "-1/8", "3/8/2", " 3/8", "3 / 8", "+3/8", "3/8000000000"})
  void otherTextsAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rank.parse(text))
        .withMessage("Cannot read '" + text + "' as a rank: expected index/count, such as '3/8'.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8  | 8  | A rank must be in [0, 8), got 8; ranks are counted from 0.",
        "-1 | 8  | A rank must be in [0, 8), got -1; ranks are counted from 0.",
        "0  | 0  | The number of ranks must be 1 or more, got 0; a process on its own is rank 0 of 1.",
        "0  | -1 | The number of ranks must be 1 or more, got -1; a process on its own is rank 0 of 1."
      })
  void ranksOutsideOfTheWorldAreRefused(int index, int count, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Rank(index, count))
        .withMessage(message);
  }

  @Test
  void neighboursOfOneGroupAreOneRank() {
    assertThat(groups(8, 4))
        .isEqualTo(List.of("0/2", "0/2", "0/2", "0/2", "1/2", "1/2", "1/2", "1/2"));
    assertThat(groups(6, 2)).isEqualTo(List.of("0/3", "0/3", "1/3", "1/3", "2/3", "2/3"));
    assertThat(groups(3, 3)).isEqualTo(List.of("0/1", "0/1", "0/1"));
    assertThat(groups(3, 1)).isEqualTo(List.of("0/3", "1/3", "2/3"));
  }

  private static List<String> groups(int count, int groupSize) {
    return IntStream.range(0, count)
        .mapToObj(index -> new Rank(index, count).replicatedBy(groupSize).toString())
        .toList();
  }

  @Test
  void groupsThatDoNotFitAreRefused() {
    Rank rank = new Rank(5, 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rank.replicatedBy(3))
        .withMessage(
            "Cannot make groups of 3 from 8 ranks: the size of a group must divide the number of"
                + " ranks.");
    assertThatIllegalArgumentException().isThrownBy(() -> rank.replicatedBy(16));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rank.replicatedBy(0))
        .withMessage("A group of ranks must have 1 or more, got 0.");
  }
}
