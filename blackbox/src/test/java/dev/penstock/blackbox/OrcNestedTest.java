package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

@SeedsAtMost(12)
class OrcNestedTest extends NestedContract {
  @Override
  TableWriter writer() {
    return new OrcFiles();
  }

  @Override
  @Test
  @Disabled("ORC does not say what is never null")
  void partsOfStructsAreColumns() {}

  @Override
  @Test
  @Disabled("ORC does not say what is never null")
  void filesMayDifferInWhatIsNullableInside() {}

  @Override
  @Test
  @Disabled("ORC does not say what is never null")
  void masksAreThereWhereTheTypeAllowsNulls() {}

  @Override
  @Test
  @Disabled("ORC has no unsigned numbers")
  void listsBecomeArraysOfArrays() {}
}
