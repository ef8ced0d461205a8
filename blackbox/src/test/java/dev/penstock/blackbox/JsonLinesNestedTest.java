package dev.penstock.blackbox;

import dev.penstock.batch.OutputFormat;
import dev.penstock.testing.SeedsAtMost;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

@SeedsAtMost(8)
class JsonLinesNestedTest extends NestedContract {
  @Override
  TableWriter writer() {
    return new JsonRows(true);
  }

  @Override
  @Test
  @Disabled("JSON does not say what is never null")
  void filesMayDifferInWhatIsNullableInside() {}

  @Override
  @Disabled("objects of JSON are structs where no schema calls them maps")
  void otherNestedValuesAreObjects(OutputFormat output) {}
}
