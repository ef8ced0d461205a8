/// How files are cut into units of reading before anything is read.
///
/// Open [SplitStrategy] first, then [FileSplit]. [Ranks] finds which of the training processes this
/// one is. An argument that is out of the range of its documentation is an
/// [IllegalArgumentException].
@NullMarked
package dev.penstock.split;

import org.jspecify.annotations.NullMarked;
