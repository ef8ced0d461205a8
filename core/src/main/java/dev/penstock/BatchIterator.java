package dev.penstock;

import dev.penstock.batch.Batch;

/// The batches of one epoch, in order.
///
/// **Ownership.** The caller closes every batch.
public interface BatchIterator extends EpochIterator<Batch> {}
