package dev.penstock;

import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Rank;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.transform.BlockSource;
import dev.penstock.transform.ColumnBlock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/// One epoch in which workers pass every block to a function, and no rows are delivered.
///
/// A block is identified by its file and first row. Blocks do not depend on the dataset's split
/// strategy: this pass always uses splits that keep row groups whole.
///
/// @param dataset the rows
/// @param options for the number of workers
record BlockPass(StructuredDataset dataset, LoaderOptions options) implements BlockSource {
  private static final ColumnBlock NO_ROWS =
      ColumnBlock.empty(Schema.of(List.of(new Field("none", new DataType.Int(32, true), false))));

  private record Place(String file, long firstRow) {}

  @Override
  public Schema schema() {
    return dataset.schema();
  }

  @Override
  public <T> List<T> mapBlocks(List<String> columns, Function<ColumnBlock, T> function) {
    ConcurrentMap<Place, T> results = new ConcurrentHashMap<>();
    LoaderOptions pass =
        LoaderOptions.defaults()
            .rank(Rank.SINGLE)
            .workers(options.reading().workers())
            .transform((block, context) -> {
              T result = function.apply(block);
              context
                  .file()
                  .ifPresent(file -> results.put(new Place(file, context.firstRow()), result));
              return NO_ROWS;
            });
    StructuredDataset rows =
        dataset.columns(columns).splitStrategy(TargetSizeSplitStrategy.ofDefault());
    try (DataLoader loader = DataLoader.of(rows, pass)) {
      for (Batch batch : loader) {
        batch.close();
      }
    }
    return inOrder(results);
  }

  private <T> List<T> inOrder(Map<Place, T> results) {
    Map<String, Integer> order = new HashMap<>();
    for (DataFileInfo file : dataset.files()) {
      order.put(file.location().text(), order.size());
    }
    List<Place> places = new ArrayList<>(results.keySet());
    places.sort((left, right) -> {
      int files =
          Integer.compare(order.getOrDefault(left.file(), 0), order.getOrDefault(right.file(), 0));
      return files != 0 ? files : Long.compare(left.firstRow(), right.firstRow());
    });
    return places.stream().map(results::get).toList();
  }
}
