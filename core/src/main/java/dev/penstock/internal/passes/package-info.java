/// What is read once before an epoch: which rows match, what is made of windows, rows for the cache
/// and for piles. [Passes] has the results; all are read by [PassReader].
@NullMarked
package dev.penstock.internal.passes;

import org.jspecify.annotations.NullMarked;
