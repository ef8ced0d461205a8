package dev.penstock.transform;

import dev.penstock.schema.Schema;
import java.util.List;
import java.util.function.Function;

/// Rows that can be read once, in blocks, to learn something from them: a dataset.
///
/// **Order.** Which rows a block has, and the order of the blocks, is a function of the files and
/// the filter. Workers and timing have no part in it.
public interface BlockSource {
  /// Returns the columns.
  ///
  /// @return their names and types
  Schema schema();

  /// Reads all rows, and returns what a function makes of each block.
  ///
  /// The results of all blocks are held until the last one is read, so they had better be small.
  ///
  /// @param <T> what the function makes
  /// @param columns the columns that the blocks shall have, at least one
  /// @param function the function, called by several threads at once, also with no rows; the block
  ///   is valid during the call
  /// @return the results, in the order of the rows
  /// @throws java.io.UncheckedIOException if the files cannot be read
  /// @throws IllegalStateException if the function throws; it names the rows
  <T> List<T> mapBlocks(List<String> columns, Function<ColumnBlock, T> function);
}
