/// How files are cut into units of reading before anything is read.
///
/// Open [SplitStrategy] first, then [FileSplit].
@NullMarked
package dev.penstock.split;

import org.jspecify.annotations.NullMarked;
