package dev.penstock.internal.parquet.footer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.storage.Location;
import org.junit.jupiter.api.Test;

class WhereTest {
  private static final Location FILE = new Location("memory://file");

  @Test
  void placeSaysWhatIsKnown() {
    assertThat(Where.footer(FILE).fail(7, "No.")).hasMessage("No. [memory://file, footer, byte 7]");
    assertThat(new Where(FILE, 2, "a").fail(7, "No."))
        .hasMessage("No. [memory://file, row group 2, column 'a', byte 7]");
  }

  @Test
  void columnWhoseNameIsEmptyIsAColumn() {
    assertThat(new Where(FILE, 0, "").fail(7, "No."))
        .hasMessage("No. [memory://file, row group 0, column '', byte 7]");
  }
}
