package dev.penstock.stats;

import dev.penstock.advice.Advice;
import java.util.List;

/// What a loader has done in one epoch so far, seen at one moment.
///
/// @param epoch the epoch, counted from 0
/// @param rows rows the consumer received
/// @param batches batches the consumer received
/// @param rowsOfSources of these rows, those of each source of a [dev.penstock.Mixture]; with a
///   composition, the rows of files in the windows that were delivered to their end, such as the
///   documents of packs. Empty without a mixture
/// @param padding how much a composition pads; nothing without one
/// @param badFiles files that [dev.penstock.OnBadFile#SKIP] left out; 0 until the files are read
/// @param passes passes over rows before the epoch, in order; the last may still be running
/// @param read what was read from storage in the epoch, and what the filter left out
/// @param memory the off-heap memory that the loader holds
/// @param times where the time of the consumer and of the workers went
/// @param queue batches that are ready and being filled
public record LoaderStats(
    long epoch,
    long rows,
    long batches,
    List<Long> rowsOfSources,
    PaddingStats padding,
    int badFiles,
    List<PassStats> passes,
    ReadStats read,
    MemoryStats memory,
    EpochTimes times,
    BatchQueue queue) {
  /// Copies the lists.
  public LoaderStats {
    rowsOfSources = List.copyOf(rowsOfSources);
    passes = List.copyOf(passes);
  }

  /// {@return the statistics of a loader that has started no epoch}
  ///
  /// @param epoch the number of the first epoch
  /// @param badFiles files that were left out so far
  /// @param passes passes over rows before it
  /// @param memory the off-heap memory that it holds
  public static LoaderStats none(
      long epoch, int badFiles, List<PassStats> passes, MemoryStats memory) {
    return new LoaderStats(
        epoch,
        0,
        0,
        List.of(),
        PaddingStats.NONE,
        badFiles,
        passes,
        ReadStats.NONE,
        memory,
        EpochTimes.NONE,
        BatchQueue.NONE);
  }

  /// {@return what the epoch's speed depends on most, in one sentence for people to read; its words
  /// may change} The first rule that fits decides:
  ///
  /// 1. The consumer waited less than 10 % of the time: it is the consumer. A faster loader would
  ///    gain no more than that.
  /// 2. There were fewer than 10 batches, or less than 20 ms: that is too short to tell.
  /// 3. There are no workers: it is loading on the consumer's thread, and the stages that took most
  ///    of it are named.
  /// 4. The workers waited half of the time, or more than any of their work took; one that ended
  ///    early counts as waiting. If one of them waited less than a quarter of the time, the work is
  ///    shared unevenly; else both sides wait.
  /// 5. It is what the workers spent most of their time on: reading (`OPEN` and `FETCH`), decoding
  ///    (`DECOMPRESS` and `DECODE`), or one of the other stages.
  public Advice bottleneck() {
    return Bottleneck.sentence(this);
  }
}
