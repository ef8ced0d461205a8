package dev.penstock.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocationTest {
  @ParameterizedTest
  @CsvSource({
    "a/b, a/b",
    "/a, /a",
    "./~a, ./~a",
    "a~b, a~b",
    "file:a/b, a/b",
    "file:/a, /a",
    "file:///a/b c, /a/b c",
    "FILE://localhost/a, /a",
  })
  void localPathIsThatOfItsUri(String text, String path) {
    assertThat(Location.local(text)).isEqualTo(Path.of(path));
    assertThat(new Location(text).text()).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "'', is empty",
    "' ', is empty",
    "file:, is blank",
    "s3://bucket/cache, is in a store",
    "~, a leading ~",
    "~/cache, a leading ~",
    "file:~/cache, a leading ~",
    "file://data, three slashes",
    "file://data/cache, three slashes",
    "file://, three slashes",
  })
  void nameThatIsNoneOfThisMachineIsRefused(String text, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Location.local(text))
        .withMessageStartingWith("Cannot use '")
        .withMessageContaining(why);
  }
}
