package dev.penstock.delta.internal.log;

import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.ExpressionHandler;
import io.delta.kernel.engine.FileSystemClient;
import io.delta.kernel.engine.JsonHandler;
import io.delta.kernel.engine.ParquetHandler;

/// What Delta's library reads logs with: our stores and our readers of JSON and Parquet.
///
/// **Threads.** Safe for any.
///
/// @param getFileSystemClient lists and reads files
/// @param getJsonHandler reads commits
/// @param getParquetHandler reads checkpoints
/// @param getExpressionHandler evaluates constants
public record LogEngine(
    FileSystemClient getFileSystemClient,
    JsonHandler getJsonHandler,
    ParquetHandler getParquetHandler,
    ExpressionHandler getExpressionHandler)
    implements Engine {
  /// Makes an engine.
  public static LogEngine of(TableFiles files) {
    return new LogEngine(
        new LogFiles(files), new LogJson(files), new LogParquet(files), new LogExpressions());
  }
}
