package dev.penstock.transform;

import dev.penstock.schema.Schema;
import java.util.List;
import java.util.function.Function;

/// Rows that can be read once, in blocks, to learn something from them: a dataset.
///
/// **Order.** The rows of each block, and the order of the blocks, depend only on the files and the
/// filter, not on workers or timing.
public interface BlockSource {
  /// {@return the columns}
  Schema schema();

  /// {@return a function's result for each block of all rows, in the order of the rows}
  ///
  /// The results of all blocks are held until the last one is read, so keep them small.
  ///
  /// @param <T> what the function makes
  /// @param columns the columns of the blocks, at least one
  /// @param function the function, called by several threads at once, also with blocks of no rows;
  ///   the block is valid during the call
  /// @throws java.io.UncheckedIOException if the files cannot be read
  /// @throws IllegalStateException if the function throws; it names the rows
  <T> List<T> mapBlocks(List<String> columns, Function<ColumnBlock, T> function);
}
