package dev.penstock.cli.output;

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

  @Test
  void lettersTakeTheRoomThatTheyTakeOnATerminal() {
    TextTable table = new TextTable().left("名前").right("n");
    table.row("東京都", "1").row("Zu\u0308rich", "2").row("👩‍👩‍👧 x", "3").row("🇩🇪👍🏽", "4");
    assertThat(table)
        .hasToString(
            """
            名前    n
            ------  -
            東京都  1
            Zu\u0308rich  2
            👩‍👩‍👧 x    3
            🇩🇪👍🏽    4
            """);
  }

  @Test
  void textThatIsTooWideGoesOnBelow() {
    TextTable table = new TextTable().left("column").left("type").right("n");
    table.row("a", "struct<x: int64, y: list<string>>", "1").row("b", "東京都東京都東京都東京都", "2");
    assertThat(table.fit(29))
        .hasToString(
            """
            column  type                n
            ------  ------------------  -
            a       struct<x: int64,    1
                    y: list<string>>
            b       東京都東京都東京都  2
                    東京都
            """);
    assertThat(table.fit(45)).isSameAs(table);
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() {
    TextTable table = new TextTable().left("a\tb").row("\u001b[31mred\u009b");
    assertThat(table.toString()).contains("a\\u0009b\n", "\\u001b[31mred\\u009b\n");
  }

  @Test
  void aRowThatComesLaterIsAlignedLikeTheFirst() {
    TextTable table = new TextTable().right("rows").left("name").row("12,345", "a");
    assertThat(table.more(List.of("7", "b"))).isEqualTo("     7  b\n");
    assertThat(table.more(List.of("1,234,567", "b"))).isEqualTo("1,234,567  b\n");
  }

  @Test
  void columnsWithoutRoomAreLeftOutAndNamed() {
    TextTable table = new TextTable().right("a").left("words").right("  rows").right("read");
    table.row("1", "one two", "10", "2.5 MiB");
    TextTable narrow = table.fit(15);
    assertThat(narrow)
        .hasToString(
            """
            a  words
            -  -----
            1  one
               two
            2 of 4 columns have no room here: rows, read.
            """);
    assertThat(narrow.more(List.of("2", "six", "7", "8"))).isEqualTo("2  six\n");
    assertThat(narrow.lines()).doesNotContain("room");
  }
}
