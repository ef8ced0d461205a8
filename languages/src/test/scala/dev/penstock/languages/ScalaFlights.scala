package dev.penstock.languages

// @start region=scala-read
import dev.penstock.DataLoader
import dev.penstock.StructuredDataset
import scala.jdk.CollectionConverters.*
import scala.util.Using

def meanDelayOf(folder: String): Double =
  val flights = StructuredDataset(folder).columns("delay")
  var minutes = 0L
  var rows = 0L
  Using.resource(
    DataLoader.of(flights, _.batchSize(512).workers(2).shuffle(true).seed(42))
  ) { loader =>
    for batch <- loader.asScala do
      Using.resource(batch) { batch => // gives its memory back
        val delay = batch.tensor("delay") // INT64, shape [512]
        for row <- 0 until batch.rowCount do minutes += delay.getLong(row)
        rows += batch.rowCount
      }
  }
  minutes.toDouble / rows
// @end
