package dev.penstock.languages

// @start region=kotlin-read
import dev.penstock.DataLoader
import dev.penstock.StructuredDataset

fun meanDelay(folder: String): Double {
  val flights = StructuredDataset(folder).columns("delay")
  var minutes = 0L
  var rows = 0L
  DataLoader.of(flights) { it.batchSize(512).workers(2).shuffle(true).seed(42) }.use { loader ->
    for (batch in loader) {
      batch.use { // gives its memory back
        val delay = it.tensor("delay") // INT64, shape [512]
        for (row in 0L until it.rowCount()) {
          minutes += delay.getLong(row)
        }
        rows += it.rowCount()
      }
    }
  }
  return minutes.toDouble() / rows
}
// @end
