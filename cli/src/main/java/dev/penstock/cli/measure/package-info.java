/// What `load` measures of an epoch's rows: digests of their values, and how well they are
/// shuffled. And what `bench` measures with: a warm-up, and an emulated accelerator.
///
/// Open [RowDigest] and [ShufflePass] for `load`; the latter reruns an epoch to make a
/// [ShuffleReport]. Open [Accelerator] for `bench`.
@NullMarked
package dev.penstock.cli.measure;

import org.jspecify.annotations.NullMarked;
