package dev.penstock.languages

// @start region=scala-rows
import dev.penstock.DataLoader
import dev.penstock.data.Datasets
import scala.jdk.CollectionConverters.*
import scala.util.Using

case class Place(x: Float, y: Float)
case class Throw(at: Place, hit: Boolean)

def hitsOf(throws: Seq[Throw]): Long =
  Using.Manager { use =>
    val loader =
      use(DataLoader.of(Datasets.ofList(throws.asJava), _.batchSize(64).shuffle(true)))
    var hits = 0L
    for batch <- loader.asScala do
      Using.resource(batch) { batch =>
        val x = batch.tensor("at.x") // FLOAT32, shape [64]
        val hit = batch.tensor("hit") // BOOL, shape [64]
        hits += (0L until x.shape.dim(0)).count(hit.getBoolean(_))
      }
    hits
  }.get
// @end
