/// What a batch makes of columns: tensors, feature matrices, lists of numbers, Arrow vectors, codes
/// of texts, Java objects.
///
/// Open [BatchLayout] first: it says what a batch has and where it lies in memory. A [SliceTarget]
/// copies decoded rows of a column into a [PartialBatch].
@NullMarked
package dev.penstock.internal.columns;

import org.jspecify.annotations.NullMarked;
