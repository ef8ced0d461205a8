package dev.penstock.stats;

/// What a worker spends its time on. A worker is always in exactly one stage, so the times add up
/// to its total time.
public enum Stage {
  /// Opening data files and readers. The footers are read before an epoch and not counted here.
  OPEN,

  /// Reading from storage, for any purpose: pages, page indexes, bloom filters.
  FETCH,

  /// Decompressing pages. Formats that cannot separate it count it in [#DECODE].
  DECOMPRESS,

  /// Decoding values, and converting them to the types of the table.
  DECODE,

  /// Testing rows against the filter, and gathering the rows that it keeps.
  FILTER,

  /// Moving rows within shuffle windows.
  SHUFFLE,

  /// The user's transform, and assembling its input blocks.
  TRANSFORM,

  /// Copying rows to batches and finishing the batches; also everything that is in no other stage.
  BATCH,

  /// The user's collate function or collator.
  COLLATE,

  /// Waiting for the consumer to take batches, or for earlier rows to be counted.
  WAIT
}
