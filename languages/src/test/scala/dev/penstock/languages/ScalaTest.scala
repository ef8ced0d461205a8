package dev.penstock.languages

import dev.penstock.DataLoader
import dev.penstock.batch.Batch
import dev.penstock.data.Datasets
import org.assertj.core.api.Assertions.{assertThat, within}
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import scala.jdk.CollectionConverters.*
import scala.util.Using

case class Inner(short: Short, byte: Byte)

case class Every(id: Long, `in m`: Float, text: String, inner: Inner, both: (Int, Double)):
  val area = id * 2

case class Maybe(score: Option[Float])

case class Tagged(id: Int, tags: Seq[Int])

class ScalaTest:
  private def batch[T](rows: T*): Batch =
    Using.resource(
      DataLoader.of(Datasets.ofList(rows.asJava), _.batchSize(rows.size))
    )(_.iterator.next())

  private def refusal(row: Any): String =
    assertThrows(classOf[IllegalArgumentException], () => batch(row)).getMessage

  @Test
  def flightsAreReadAndClosedByUsing(): Unit =
    assertThat(meanDelayOf(Flights.FOLDER)).isCloseTo(Flights.MEAN_DELAY, within(1e-9))

  @Test
  def caseClassesAreRows(): Unit =
    val throws = (0 until 1000).map(i => Throw(Place(i.toFloat, 0f), i % 4 == 0))
    assertThat(hitsOf(throws)).isEqualTo(250L)

  @Test
  def optionsSayWhatABatchIs(): Unit =
    val rows = Datasets.ofList(Seq(1, 2, 3).asJava)
    Using.resource(
      DataLoader.of(rows, _.batchSize(2).collate((batch, _) => batch.asScala.sum))
    ) { loader =>
      val sums: List[Int] = loader.asScala.toList
      assertThat(sums.asJava).isEqualTo(Seq(3, 3).asJava)
    }

  @Test
  def parametersAreTheColumnsInOrder(): Unit =
    val first = Every(1, 3f, "a", Inner(4, 5), (6, 0.5))
    Using.resource(batch(first, first.copy(id = 10, both = (7, 1.5)))) { batch =>
      assertThat(batch.names.asScala.toList.asJava)
        .isEqualTo(
          List("id", "in m", "text", "inner.short", "inner.byte", "both._1", "both._2").asJava
        )
      assertThat(batch.tensor("id").toArray).isEqualTo(Array(1L, 10L))
      assertThat(batch.tensor("in m").toArray).isEqualTo(Array(3f, 3f))
      assertThat(batch.strings("text")).isEqualTo(List("a", "a").asJava)
      assertThat(batch.tensor("inner.short").toArray).isEqualTo(Array[Short](4, 4))
      assertThat(batch.tensor("inner.byte").toArray).isEqualTo(Array[Byte](5, 5))
      assertThat(batch.tensor("both._1").toArray).isEqualTo(Array(6, 7))
      assertThat(batch.tensor("both._2").toArray).isEqualTo(Array(0.5, 1.5))
    }

  @Test
  def caseClassWithinAMethodIsARow(): Unit =
    case class Local(a: Int)
    Using.resource(batch(Local(1), Local(2))) { batch =>
      assertThat(batch.tensor("a").toArray).isEqualTo(Array(1, 2))
    }

  @Test
  def collectionsAndOptionsAreNoRowsThoughTheyAreProducts(): Unit =
    assertThat(refusal(Tagged(1, List(2, 3))))
      .startsWith(
        "Cannot batch column 'tags': row 0 of the batch is a" +
          " scala.collection.immutable.$colon$colon. Make Java's collections of Scala's with asJava. "
      )
    assertThat(refusal(Maybe(Some(1f))))
      .startsWith("Cannot batch column 'score': row 0 of the batch is a scala.Some.")
