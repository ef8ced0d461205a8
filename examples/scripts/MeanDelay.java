///usr/bin/env jbang "$0" "$@" ; exit $?
// @start region=one-file
//JAVA 25+
//DEPS dev.penstock:penstock-core:0.1.0-SNAPSHOT
//DEPS org.slf4j:slf4j-simple:2.0.17
//RUNTIME_OPTIONS --enable-native-access=ALL-UNNAMED

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;

void main(String[] args) {
  var flights = new StructuredDataset(args.length > 0 ? args[0] : "data/flights").columns("delay");
  long minutes = 0;
  long rows = 0;
  try (var loader = DataLoader.of(flights, o -> o.batchSize(4096))) {
    for (var batch : loader) {
      try (batch) { // gives its memory back
        var delay = batch.tensor("delay"); // INT64, shape [4096]
        for (int row = 0; row < batch.rowCount(); row++) {
          minutes += delay.getLong(row);
        }
        rows += batch.rowCount();
      }
    }
  }
  IO.println("%,d flights, %.2f minutes late".formatted(rows, (double) minutes / rows));
}
// @end
