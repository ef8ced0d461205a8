package dev.penstock.stats;

/// When a worker read and decoded some rows of a file together. Times are nanoseconds since the
/// epoch began; those of the stages lie within `[startNanos, endNanos)`.
///
/// In a long epoch neighbours of one worker are put together, so that the number of spans stays
/// bounded: the span then covers the time between them, too.
///
/// @param worker the worker's number; -1 for the consumer's thread
/// @param startNanos when it began
/// @param endNanos when it ended
/// @param file the file of the rows; empty if they are of several
/// @param firstRow the first row that was examined, counted from 0 in the file
/// @param endRow the row behind the last one that was examined
/// @param rows how many rows came out
/// @param slices how many slices the span stands for, at least 1
/// @param openNanos time in [Stage#OPEN]
/// @param fetchNanos time in [Stage#FETCH]
/// @param decompressNanos time in [Stage#DECOMPRESS]
/// @param decodeNanos time in [Stage#DECODE]
/// @param filterNanos time in [Stage#FILTER]
/// @param transformNanos time in [Stage#TRANSFORM]
public record SliceSpan(
    int worker,
    long startNanos,
    long endNanos,
    String file,
    long firstRow,
    long endRow,
    long rows,
    int slices,
    long openNanos,
    long fetchNanos,
    long decompressNanos,
    long decodeNanos,
    long filterNanos,
    long transformNanos) {
  /// {@return one span for this and the next of the same worker}
  ///
  /// @param next the later span
  public SliceSpan plus(SliceSpan next) {
    boolean isOneFile = file.equals(next.file);
    return new SliceSpan(
        worker,
        startNanos,
        next.endNanos,
        isOneFile ? file : "",
        isOneFile ? Math.min(firstRow, next.firstRow) : 0,
        isOneFile ? Math.max(endRow, next.endRow) : 0,
        rows + next.rows,
        slices + next.slices,
        openNanos + next.openNanos,
        fetchNanos + next.fetchNanos,
        decompressNanos + next.decompressNanos,
        decodeNanos + next.decodeNanos,
        filterNanos + next.filterNanos,
        transformNanos + next.transformNanos);
  }
}
