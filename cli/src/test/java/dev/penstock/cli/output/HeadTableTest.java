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
  void rowsStandBelowEachOtherWhereThatHasRoom() {
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
  void rowsStandSideBySideWhereColumnsHaveNoRoom() {
    table.row(List.of("1", "x"));
    table.row(List.of("23", "yy"));
    table.row(List.of("4", "z".repeat(50)));
    assertThat(table.text(41))
        .isEqualTo(
            """
            column             type    row 0  row 1
            -----------------  ------  -----  -----
            first              int64   1      23
            the second column  string  x      yy

            column             type    row 2
            -----------------  ------  --------------
            first              int64   4
            the second column  string  zzzzzzzzzzzzzz
                                       zzzzzzzzzzzzzz
                                       zzzzzzzzzzz…
            """);
  }

  @Test
  void columnsWithoutRowsAreListed() {
    assertThat(table.text(20)).startsWith("column ").contains("first ", "the second ");
  }
}
