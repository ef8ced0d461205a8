package dev.penstock.blackbox.cases;

import dev.penstock.split.FileSplit;
import dev.penstock.split.RoundRobinSplitStrategy;
import dev.penstock.split.Split;
import dev.penstock.split.SplitStrategy;
import dev.penstock.transform.Transform;
import java.util.ArrayList;
import java.util.List;

/// The users' functions in recorded cases, by name.
final class RecordedFunctions {
  private RecordedFunctions() {}

  static Transform transform(String name) {
    return switch (name) {
      case "identity" -> (block, _) -> block;
      case "uneven" -> (block, _) -> block.take(uneven(block.rowCount()));
      case "half" ->
          (block, _) -> {
            boolean[] keep = new boolean[block.rowCount()];
            for (int row = 0; row < keep.length; row += 2) {
              keep[row] = true;
            }
            return block.filter(keep);
          };
      case "none" -> (block, _) -> block.take();
      case "columns" ->
          (block, context) -> {
            double[] places = new double[block.rowCount()];
            for (int row = 0; row < places.length; row++) {
              places[row] = context.firstRow() + row / 8.0 + 1000 * context.epoch();
            }
            return block.with("place", places);
          };
      case "failing" ->
          (block, _) -> {
            for (long id : block.longs("id")) {
              if (id == 77) {
                throw new IllegalStateException("id 77 is not wanted");
              }
            }
            return block;
          };
      default -> throw new AssertionError(name);
    };
  }

  /// Drops every third row of a block and gives every fifth twice, with the block's rows reversed.
  private static int[] uneven(int rowCount) {
    List<Integer> rows = new ArrayList<>();
    for (int row = rowCount - 1; row >= 0; row--) {
      if (row % 3 != 0) {
        rows.add(row);
      }
      if (row % 5 == 0) {
        rows.add(row);
      }
    }
    return rows.stream().mapToInt(Integer::intValue).toArray();
  }

  static SplitStrategy strategy(String name) {
    return switch (name) {
      case "round-robin" -> new RoundRobinSplitStrategy();
      case "reversed" ->
          (files, count, epoch) -> {
            List<FileSplit> all = files.reversed().stream().map(FileSplit::whole).toList();
            int first = Math.toIntExact(Math.min(all.size(), 1 + epoch % count));
            return List.of(
                new Split(all.subList(0, first)), new Split(all.subList(first, all.size())));
          };
      case "lossy" ->
          (files, _, _) ->
              List.of(new Split(files.stream().skip(1).map(FileSplit::whole).toList()));
      default -> throw new AssertionError(name);
    };
  }
}
