/// How files are cut into units of reading before anything is read.
///
/// Open [SplitStrategy] first, then [FileSplit]. Which of the training processes this one is,
/// [Ranks] finds.
@NullMarked
package dev.penstock.split;

import org.jspecify.annotations.NullMarked;
