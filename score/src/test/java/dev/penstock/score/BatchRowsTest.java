package dev.penstock.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.batch.BatchAllocator;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BatchRowsTest {
  private static final int ROWS = 21;

  /// All forms of columns, with nulls: also as another process reads them.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsAreThoseOfTheBatch(boolean isForOthers, @org.junit.jupiter.api.io.TempDir Path temp)
      throws IOException {
    Path file = Files.writeString(temp.resolve("rows.jsonl"), lines());
    LoaderOptions options = LoaderOptions.defaults().batchSize(ROWS).workers(1);
    if (isForOthers) {
      options = options.batchAllocator(BatchAllocator.ofProcess());
    }
    try (DataLoader loader = DataLoader.of(new StructuredDataset(file.toString()), options)) {
      for (Batch batch : loader) {
        try (batch) {
          Map<String, List<?>> all = values(batch);
          for (int from = 0; from < ROWS; from++) {
            for (int to = from + 1; to <= ROWS; to++) {
              Map<String, List<?>> expected = new LinkedHashMap<>();
              int first = from;
              int end = to;
              all.forEach((name, each) -> expected.put(name, each.subList(first, end)));
              assertThat(values(BatchRows.of(batch, from, to))).isEqualTo(expected);
            }
          }
        }
      }
    }
  }

  private static String lines() {
    StringBuilder lines = new StringBuilder();
    for (int row = 0; row < ROWS; row++) {
      lines.append("{\"id\":").append(row).append(",\"list\":").append(list(row));
      lines.append(",\"text\":").append(row % 3 == 0 ? "null" : "\"é" + row + '"');
      lines.append(",\"texts\":").append(row % 4 == 0 ? "null" : "[\"a" + row + "\",null]");
      lines.append(",\"parts\":{\"yes\":").append(row % 5 == 0 ? "null" : row % 2 == 0);
      lines.append(",\"n\":").append(row).append("}}\n");
    }
    return lines.toString();
  }

  private static String list(int row) {
    List<Integer> list = new ArrayList<>();
    for (int i = 0; i < row % 4; i++) {
      list.add(row + i);
    }
    return list.toString();
  }

  private static Map<String, List<?>> values(Batch batch) {
    Map<String, List<?>> values = new LinkedHashMap<>();
    for (String name : batch.names()) {
      values.put(name, values(batch.column(name), batch.rowCount()));
    }
    return values;
  }

  private static List<?> values(Object column, int rows) {
    @Nullable Object[] values = new Object[rows];
    switch (column) {
      case Tensor tensor -> Arrays.setAll(values, tensor::getDouble);
      case RaggedTensor lists ->
          Arrays.setAll(values, row -> Arrays.toString((long[]) lists.row(row).toArray()));
      case ColumnSlice slice -> {
        assertThat(slice.rowCount()).isEqualTo(rows);
        ObjectMaker maker = ObjectMaker.of(slice.type());
        maker.bind(slice);
        try {
          maker.make(0, rows, values, 0);
        } catch (ObjectMaker.BadValueException e) {
          throw new AssertionError(e);
        }
      }
      default -> values = ((List<?>) column).toArray();
    }
    return Arrays.asList(values);
  }
}
