package dev.penstock.stats;

/// What a worker spends its time on. At every moment it is in one stage, so the times add up to the
/// time it was at work.
public enum Stage {
  /// Opening data files and readers. The footers are read before an epoch and not counted here.
  OPEN,

  /// Reading from storage, whatever for: pages, page indexes, bloom filters.
  FETCH,

  /// Decompressing pages. Formats that do not tell it apart have it in [#DECODE].
  DECOMPRESS,

  /// Decoding values, and converting them to the types of the table.
  DECODE,

  /// Testing rows against the filter, and putting kept rows together.
  FILTER,

  /// Moving rows within shuffle windows.
  SHUFFLE,

  /// The user's transform, and putting together the blocks it is given.
  TRANSFORM,

  /// Copying rows to batches and finishing these; also what is in no other stage.
  BATCH,

  /// The user's collate function or collator.
  COLLATE,

  /// Waiting: for the consumer to take batches, or for rows before to be counted.
  WAIT
}
