package dev.penstock.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowsNestedTest extends NestedContract {
  @Override
  TableWriter writer() {
    return new RowsFormat();
  }

  @Test
  void columnWithDotsInItsNameComesBeforeThePart() throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("a", new DataType.Struct(List.of(new Field("b", INT32, false))), false),
                new Field("a.b", TEXT, false)));
    StructuredDataset dataset =
        dataset(schema, List.of(row(struct("b", 1), "own"))).columns("a.b", "a");
    try (DataLoader loader = new DataLoader(dataset, options())) {
      assertThat(Delivery.ofEpoch(loader).rows()).containsExactly(row("own", struct("b", 1)));
    }
  }

  @Test
  void timeThatIsNotWithinADayIsAnErrorOfItsRowWhereItBecomesAnObject() throws IOException {
    DataType micros = new DataType.Time(DataType.TimeUnit.MICROS, true);
    var dataset = column(micros, 0L, 86_400_000_000L, -1L);
    Failure failure = Failure.meet(dataset, options().batchSize(1).output(OutputFormat.MAP));
    assertThat(failure.batches()).containsExactly(1);
    assertThat(failure.thrown())
        .hasMessage(
            "Corrupt time in column 'c': 86400000000 us after midnight is not within a day. Deliver"
                + " it as a number, or leave it out. ["
                + file()
                + ", row 1]");
    try (DataLoader loader = new DataLoader(dataset, options().nulls(NullPolicy.error()))) {
      assertThat((long[]) loader.iterator().next().tensor("c").toArray())
          .isEqualTo(new long[] {0, 86_400_000_000L, -1});
    }
    Failure.of(column(list(list(micros)), List.of(List.of(0L), List.of(0L, -1L))), options())
        .hasMessageContaining("-1 us after midnight")
        .hasMessageEndingWith(", row 0]");
  }
}
