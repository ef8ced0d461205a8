package dev.penstock.internal.choice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChoicesTest {
  private static final List<String> NAMES = List.of("date", "delay", "origin", "st.x", "a");

  @ParameterizedTest
  @CsvSource({
    "dellay,delay",
    "dealy,delay",
    "DELAY,delay",
    "dela,delay",
    "dat,date",
    "orgin,origin",
    "st.y,st.x"
  })
  void aNameWithASlipFindsTheOneThatWasMeant(String wanted, String meant) {
    assertThat(Choices.listed("Columns", wanted, NAMES))
        .isEqualTo("Did you mean '" + meant + "'? Columns are: [date, delay, origin, st.x, a].");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "b", "carrier", "departure"})
  void aNameLikeNoneGetsTheListAlone(String wanted) {
    assertThat(Choices.listed("Columns", wanted, NAMES))
        .isEqualTo("Columns are: [date, delay, origin, st.x, a].");
  }
}
