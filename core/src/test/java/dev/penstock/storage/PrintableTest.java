package dev.penstock.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.advice.Advice;
import dev.penstock.format.LibraryException;
import dev.penstock.format.LossyCastException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.format.SchemaMismatchException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {
  /// Clears a terminal, and puts a second line into a log.
  private static final String NAME = "a\u001b[2J\nok";

  private static final String SHOWN = "a\\u001b[2J\\u000aok";

  @ParameterizedTest
  @CsvSource({
    "0, \\u0000",
    "9, \\u0009",
    "10, \\u000a",
    "13, \\u000d",
    "27, \\u001b",
    "127, \\u007f",
    "133, \\u0085",
    "155, \\u009b",
    "8232, \\u2028",
    "8233, \\u2029",
    "8238, \\u202e",
    "8297, \\u2069"
  })
  void whatATerminalObeysIsShownAsItsNumber(int character, String shown) {
    assertThat(Printable.of("a" + (char) character + "b" + (char) character))
        .isEqualTo("a" + shown + "b" + shown);
  }

  @Test
  void allElseStays() {
    for (String text :
        List.of("", "a b", "größe 尺寸 😀", "\u200fאב", "\u00a0", "\\u001b", NAME + "c")) {
      String shown = Printable.of(text);
      assertThat(Printable.of(shown)).isSameAs(shown);
      assertThat(shown.replace(SHOWN, NAME)).isEqualTo(text);
    }
  }

  @Test
  void locationsAreShownPrintableAndKeepTheirText() {
    Location location = new Location("/data/" + NAME + ".csv");
    assertThat(location).hasToString("/data/" + SHOWN + ".csv");
    assertThat(location.text()).isEqualTo("/data/" + NAME + ".csv");
    assertThat(location.name()).isEqualTo(NAME + ".csv");
  }

  @Test
  void errorsOfFilesAndStoresAreOneLine() {
    Location file = new Location(NAME);
    Exception cause = new IllegalStateException();
    assertThat(
            List.of(
                new MalformedFileException(file, 7, "column '" + NAME + "'", NAME, null),
                new LossyCastException(file, 7, Advice.text(NAME), cause),
                new SchemaMismatchException(NAME),
                new MemoryLimitException(NAME, 7),
                new LibraryException(NAME, cause),
                new StorageException(StorageException.Kind.MISSING, NAME, null)))
        .allSatisfy(error -> assertThat(error.getMessage()).contains(SHOWN).doesNotContain(NAME));
  }
}
