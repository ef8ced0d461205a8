/// What `load` measures of an epoch's rows: digests of their values, and how well they are
/// shuffled.
///
/// Open [RowDigest] for the former and [ShufflePass] for the latter, which reruns an epoch to make
/// a [ShuffleReport].
@NullMarked
package dev.penstock.cli.measure;

import org.jspecify.annotations.NullMarked;
