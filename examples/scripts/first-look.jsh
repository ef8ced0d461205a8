// What docs/how-to/notebooks-and-scripts.md shows; run by a test.
// @start region=first-look
var flights = new StructuredDataset("data/flights").where("delay >= 15")
flights.schema()
flights
var loader = DataLoader.of(flights, o -> o.batchSize(512).shuffle(true).seed(42))
var batch = loader.iterator().next()
batch
batch.tensor("delay")
batch.close()
loader.close()
// @end
