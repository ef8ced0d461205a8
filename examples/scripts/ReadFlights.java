// @start region=read-flights
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;

void main() {
  var flights = new StructuredDataset("data/flights").columns("delay").where("delay > 1000");
  try (var loader = DataLoader.of(flights, o -> o.batchSize(5).shuffle(true).seed(42))) {
    for (var batch : loader) {
      try (batch) { // gives its memory back
        IO.println(batch.tensor("delay"));
      }
    }
  }
}
// @end
