package dev.penstock.languages

// @start region=kotlin-rows
import dev.penstock.DataLoader
import dev.penstock.data.Datasets

data class Point(val x: Float, val y: Float)

data class Shot(val at: Point, val hit: Boolean)

fun hits(shots: List<Shot>): Long {
  var hits = 0L
  DataLoader.of(Datasets.ofList(shots)) { it.batchSize(64).shuffle(true) }.use { loader ->
    for (batch in loader) {
      batch.use {
        val x = it.tensor("at.x") // FLOAT32, shape [64]
        val hit = it.tensor("hit") // BOOL, shape [64]
        hits += (0 until x.shape().dim(0)).count { row -> hit.getBoolean(row) }
      }
    }
  }
  return hits
}
// @end
