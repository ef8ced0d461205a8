/// Turns columns into what a batch delivers: tensors, feature matrices, lists of numbers, Arrow
/// vectors, codes of texts, Java objects.
///
/// Start with [BatchLayout]: the columns of a batch and where each lies in memory. A [SliceTarget]
/// copies decoded rows of a column into a [PartialBatch].
@NullMarked
package dev.penstock.internal.columns;

import org.jspecify.annotations.NullMarked;
