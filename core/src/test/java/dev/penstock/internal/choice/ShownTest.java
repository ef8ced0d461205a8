package dev.penstock.internal.choice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShownTest {
  private static String shown(List<?> all) {
    return Shown.list(all, String::valueOf);
  }

  @Test
  void shortListIsWhole() {
    assertThat(shown(List.of())).isEqualTo("[]");
    assertThat(shown(List.of(1, 2))).isEqualTo("[1, 2]");
  }

  @Test
  void longListSaysHowManyMoreThereAre() {
    List<Integer> many = IntStream.range(0, 100_000).boxed().toList();
    assertThat(shown(many)).startsWith("[0, 1, 2, ").endsWith(" more]").hasSizeLessThan(650);
    int listed = shown(many).split(", ").length - 1;
    assertThat(shown(many)).endsWith(", ... " + (100_000 - listed) + " more]");
  }

  @Test
  void longElementIsCut() {
    assertThat(shown(List.of("a".repeat(5000), "b"))).isEqualTo("[" + "a".repeat(200) + "..., b]");
  }
}
