package dev.penstock.internal.passes;

import dev.penstock.internal.decode.BlockTransform;
import dev.penstock.internal.decode.FilterMemo;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Schema;
import dev.penstock.transform.BlockSource;
import dev.penstock.transform.ColumnBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// Passes every block of a dataset to a function, in workers. A split strategy does not change what
/// is in a block.
///
/// @param columns all that may be read
/// @param rows chooses columns, and refuses a choice that makes no sense
/// @param memory the most off-heap memory to take, in bytes
public record BlockPass(
    Supplier<Schema> columns, Function<List<String>, Source> rows, int workers, long memory)
    implements BlockSource {
  private record Place(String file, long firstRow) {}

  @Override
  public Schema schema() {
    return columns.get();
  }

  @Override
  public <T> List<T> mapBlocks(List<String> names, Function<ColumnBlock, T> function) {
    Source chosen = rows.apply(names);
    ConcurrentMap<Place, T> results = new ConcurrentHashMap<>();
    RowSteps steps =
        RowSteps.plain(chosen.table().everyColumn(), FilterMemo.none())
            .noting(
                BlockTransform.none(readable(chosen)),
                (block, context) -> {
                  String file = context.file().orElseThrow();
                  results.put(new Place(file, context.firstRow()), function.apply(block));
                });
    new PassReader(workers, new MemoryMeter(memory))
        .read("read blocks", PassReader.rows(List.of(chosen)), steps, List.of());
    return inOrder(chosen.table().files(), results);
  }

  /// Returns which rows the filter keeps. Reads its columns where statistics are inconclusive.
  public Matches matches(Source source) {
    return MatchPass.find(
        new PassReader(workers, new MemoryMeter(memory)), source, FilterMemo.none());
  }

  private static Schema readable(Source chosen) {
    try {
      Schema schema = chosen.schema();
      chosen.table().requireReadable(schema);
      return schema;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static <T> List<T> inOrder(List<TableFile> files, Map<Place, T> results) {
    Map<String, Integer> order = new HashMap<>();
    for (TableFile file : files) {
      order.put(file.location().text(), order.size());
    }
    return results.entrySet().stream()
        .sorted(
            Map.Entry.comparingByKey(
                Comparator.comparingInt(
                        (Place place) -> Objects.requireNonNull(order.get(place.file())))
                    .thenComparingLong(Place::firstRow)))
        .map(Map.Entry::getValue)
        .toList();
  }
}
