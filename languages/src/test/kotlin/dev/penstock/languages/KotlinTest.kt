package dev.penstock.languages

import dev.penstock.batch.Batch
import dev.penstock.DataLoader
import dev.penstock.data.Datasets
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.assertj.core.api.Assertions.within
import org.junit.jupiter.api.Test

class KotlinTest {
  interface Named {
    val name: String
  }

  private class Anna : Named {
    override val name = "Anna"
  }

  private data class All(
      val id: Long,
      private val hidden: Int,
      internal val near: Int,
      @JvmField val score: Double,
      val isOn: Boolean,
      val `in m`: Float,
      val text: String,
      val pair: Pair<Short, Byte>,
      val tags: List<Int>,
  ) : Named by Anna() {
    val area = id * hidden
    val later by lazy { id }

    companion object {
      val unit = "m"
      const val MAX = 7
    }
  }

  private data class Unsigned(val id: Int, val count: UInt)

  private data class Maybe(val score: Float?)

  private class Split(val left: Int) {
    operator fun component1() = left
  }

  private fun <T : Any> batch(vararg rows: T): Batch =
      DataLoader.of(Datasets.ofList(rows.asList())) { it.batchSize(rows.size) }.use {
        it.iterator().next()
      }

  @Test
  fun flightsAreReadAndClosedByUse() {
    assertThat(meanDelay(Flights.FOLDER)).isCloseTo(Flights.MEAN_DELAY, within(1e-9))
  }

  @Test
  fun dataClassesAreRows() {
    val shots = List(1000) { Shot(Point(it.toFloat(), 0f), it % 4 == 0) }
    assertThat(hits(shots)).isEqualTo(250)
  }

  @Test
  fun optionsSayWhatABatchIs() {
    val rows = Datasets.ofList(listOf(1, 2, 3))
    DataLoader.of(rows) { it.batchSize(2).collate { batch, _ -> batch.sum() } }.use {
      val sums: List<Int> = it.toList()
      assertThat(sums).containsExactly(3, 3)
    }
  }

  @Test
  fun propertiesOfTheConstructorAreTheColumnsInOrder() {
    val first = All(1, 2, 3, 0.5, true, 3f, "a", Pair(4, 5), listOf(6, 7))
    batch(first, first.copy(id = 10, pair = Pair(8, 9))).use {
      assertThat(it.names())
          .containsExactly(
              "id", "hidden", "near", "score", "isOn", "in m", "text", "pair.first",
              "pair.second", "tags.0", "tags.1")
      assertThat(it.tensor("id").toArray()).isEqualTo(longArrayOf(1, 10))
      assertThat(it.tensor("hidden").toArray()).isEqualTo(intArrayOf(2, 2))
      assertThat(it.tensor("near").toArray()).isEqualTo(intArrayOf(3, 3))
      assertThat(it.tensor("score").toArray()).isEqualTo(doubleArrayOf(0.5, 0.5))
      assertThat(it.tensor("isOn").toArray()).isEqualTo(booleanArrayOf(true, true))
      assertThat(it.tensor("in m").toArray()).isEqualTo(floatArrayOf(3f, 3f))
      assertThat(it.strings("text")).containsExactly("a", "a")
      assertThat(it.tensor("pair.first").toArray()).isEqualTo(shortArrayOf(4, 8))
      assertThat(it.tensor("pair.second").toArray()).isEqualTo(byteArrayOf(5, 9))
      assertThat(it.tensor("tags.1").toArray()).isEqualTo(intArrayOf(7, 7))
    }
  }

  @Test
  fun propertyOfAValueClassIsRefused() {
    assertThatThrownBy { batch(Unsigned(1, 3_000_000_000u)) }
        .isInstanceOf(IllegalArgumentException::class.java)
        .hasMessage(
            "Cannot read property 'count' of data class ${Unsigned::class.java.typeName}: its type" +
                " is a value class, such as UInt, of which Java sees only what is inside. Make it" +
                " an Int, a Long or another type without one.")
  }

  @Test
  fun nullOfAPropertyIsRefusedAsInARecord() {
    assertThatThrownBy { batch(Maybe(1f), Maybe(null)) }
        .isInstanceOf(IllegalArgumentException::class.java)
        .hasMessageStartingWith("Cannot batch column 'score': row 1 of the batch is null.")
  }

  @Test
  fun classThatIsNoDataClassIsRefused() {
    assertThatThrownBy { batch(Split(1)) }
        .isInstanceOf(IllegalArgumentException::class.java)
        .hasMessageStartingWith("Cannot batch the rows: row 0 of the batch is a ")
        .hasMessageContaining("maps, records, data classes and case classes;")
  }

  @Test
  fun rowsOfAnotherClassAreRefused() {
    assertThatThrownBy { batch(Point(1f, 2f), Maybe(1f)) }
        .isInstanceOf(IllegalArgumentException::class.java)
        .hasMessageContaining("row 1 of the batch is a ")
        .hasMessageContaining("but row 0 is a Point.")
  }
}
