/// Batches as arrays of the Deep Java Library.
///
/// Open [DjlDataset] for `EasyTrain.fit`, [DjlBatches] for a training loop of your own, [DjlModel]
/// to score tables.
@NullMarked
package dev.penstock.djl;

import org.jspecify.annotations.NullMarked;
