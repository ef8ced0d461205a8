package dev.penstock.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.RowGroup;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowGroupsTest {
  @Test
  void numbersOfAnySizeArePacked() {
    for (long most : new long[] {0, 1, Integer.MAX_VALUE, 1L << 31, 1L << 32, Long.MAX_VALUE}) {
      List<RowGroup> groups = List.of(new RowGroup(7, most), new RowGroup(most, 0));
      assertThat(RowGroups.of(groups)).isEqualTo(groups);
    }
  }
}
