package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Split;
import dev.penstock.split.SplitStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A column of a dataset as one array, and how many rows there are.
class WholeColumnTest extends OwnFolder {
  private StructuredDataset csv(String text) throws IOException {
    return file("a.csv", text);
  }

  @Test
  void valuesOfAllFilesAreInTheirOrder() throws IOException {
    Files.writeString(path.resolve("b.csv"), "n,x\n4,1e9\n5,-2\n");
    StructuredDataset first = csv("n,x\n1,0.5\n2,NaN\n3,7\n");
    StructuredDataset both = new StructuredDataset(path.toString());
    assertThat(first.doubles("x")).containsExactly(0.5, Double.NaN, 7);
    assertThat(both.doubles("x")).containsExactly(0.5, Double.NaN, 7, 1e9, -2);
    assertThat(both.doubles("n")).containsExactly(1, 2, 3, 4, 5);
    assertThat(both.longs("n")).containsExactly(1, 2, 3, 4, 5);
    assertThat(both.columns("x").longs("n")).as("not chosen").hasSize(5);
    assertThat(both.rowCount()).isEqualTo(5);
  }

  @Test
  void rowsAreThoseOfTheFilter() throws IOException {
    StructuredDataset some = csv("n,x\n1,0.5\n2,\n3,7\n").where("x is not null");
    assertThat(some.doubles("x")).containsExactly(0.5, 7);
    assertThat(some.longs("n")).containsExactly(1, 3);
    assertThat(some.rowCount()).isEqualTo(2);
    StructuredDataset none = some.where("n > 3");
    assertThat(none.longs("n")).isEmpty();
    assertThat(none.rowCount()).isZero();
  }

  @Test
  void numbersAreThoseOfACastToTheLast() throws IOException {
    StructuredDataset rows = csv("x\n1.5\n-2.5\n");
    assertThat(rows.castLossy("x", DataType.int64()).longs("x")).containsExactly(1, -2);
    assertThatThrownBy(() -> rows.longs("x"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContainingAll("'x'", "1.5", "int64", "a.csv");
    for (long inexact : new long[] {(1L << 53) + 1, Long.MAX_VALUE}) {
      StructuredDataset whole = csv("n\n-9007199254740994\n%d\n".formatted(inexact));
      assertThatThrownBy(() -> whole.doubles("n"))
          .isInstanceOf(ArithmeticException.class)
          .hasMessage(
              "Cannot copy column 'n' to a double[]: row 1 is %d, and the nearest double is another"
                  + " number. Use longs().",
              inexact);
    }
    assertThat(csv("n\n-9223372036854775808\n").doubles("n")).containsExactly(-0x1p63);
  }

  @Test
  void namesAreThoseOfColumns() throws IOException {
    StructuredDataset rows = file("a.jsonl", "{\"a\": {\"n\": 1}}\n{\"a\": {\"n\": 2}}\n");
    assertThat(rows.longs("a.n")).containsExactly(1, 2);
    assertThat(rows.doubles("a.n")).containsExactly(1, 2);
    StructuredDataset anyCase = csv("N,x\n1,2.5\n").caseSensitive(false);
    assertThat(anyCase.longs("n")).containsExactly(1);
    assertThat(anyCase.doubles("X")).containsExactly(2.5);
  }

  @Test
  void orderIsThatOfTheFilesWhateverTheStrategy() throws IOException {
    Files.writeString(path.resolve("b.csv"), "n\n3\n4\n");
    StructuredDataset first = csv("n\n1\n2\n");
    StructuredDataset rows = new StructuredDataset(path.toString());
    SplitStrategy backwards =
        (files, _, _) ->
            files.reversed().stream()
                .map(each -> new Split(List.of(FileSplit.whole(each))))
                .toList();
    assertThat(rows.splitStrategy(backwards).longs("n")).containsExactly(1, 2, 3, 4);
    assertThat(first.rowIndex("row").longs("row")).containsExactly(0, 1);
  }

  @Test
  void nullsAreRefusedInWords() throws IOException {
    StructuredDataset rows = csv("x,n\n1.5,1\n,\n");
    assertThatThrownBy(() -> rows.doubles("x"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(
            "Cannot copy column 'x' to an array: it has nulls. Leave them out by a filter such as"
                + " where(\"x is not null\"), or read batches with a NullPolicy.")
        .cause()
        .hasMessageContainingAll("row 1", "a.csv");
    assertThatThrownBy(() -> rows.longs("n")).hasMessageContaining("it has nulls");
  }

  @Test
  void whatIsNoNumberIsRefused() throws IOException {
    StructuredDataset rows = csv("s,n\na,1\n");
    assertThatThrownBy(() -> rows.doubles("t")).hasMessageContaining("'t'");
    assertThatThrownBy(() -> rows.doubles("s")).hasMessageContainingAll("'s'", "a.csv");
  }

  @Test
  void aMixtureIsRefused() throws IOException {
    StructuredDataset mixed = new StructuredDataset(Mixture.of(csv("n\n1\n"), 1));
    assertThatThrownBy(mixed::rowCount)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rowCount");
  }
}
