package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void cellsAreAlignedUnderTheirHeader() {
    TextTable table = new TextTable().left("name").right("rows");
    table.row("a", "1").row("flügel", "12,345");
    assertThat(table)
        .hasToString(
            """
            name      rows
            ------  ------
            a            1
            flügel  12,345
            """);
  }

  @Test
  void aSecondHeaderLineStandsAboveTheRule() {
    TextTable table = new TextTable().left("x").left("y").header(List.of("int32", "b"));
    assertThat(table).hasToString("x      y\nint32  b\n-----  -\n");
  }
}
