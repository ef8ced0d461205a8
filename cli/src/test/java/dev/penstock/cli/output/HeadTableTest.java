package dev.penstock.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeadTableTest {
  private final HeadTable table =
      new HeadTable(
          List.of(
              new Field("first", DataType.int64(), true),
              new Field("the second column", DataType.string(), true)));

  @Test
  void typesStandBelowTheNames() {
    table.row(List.of("1", "x"));
    table.row(List.of("23", "y".repeat(50)));
    assertThat(table.text(49))
        .isEqualTo(
            """
            first  the second column
            int64  string
            -----  ----------------------------------------
                1  x
               23  %s…
            """
                .formatted("y".repeat(39)));
  }

  @Test
  void textsAreShortenedWhereColumnsHaveNoRoom() {
    table.row(List.of("1", "x"));
    table.row(List.of("23", "y".repeat(50)));
    assertThat(table.text(46))
        .isEqualTo(
            """
            first  the second column
            int64  string
            -----  --------------------
                1  x
               23  %s…
            """
                .formatted("y".repeat(19)));
  }

  @Test
  void columnsWithoutRoomAreNamed() {
    table.row(List.of("1", "x"));
    assertThat(table.text(20))
        .isEqualTo(
            """
            first
            int64
            -----
                1
            1 of 2 columns have no room here: the second column. Choose some with --columns.
            """);
  }
}
