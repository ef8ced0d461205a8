/// Delta Lake tables: exactly the rows of one version, without those that deletion vectors delete.
///
/// Open [DeltaDataset] first.
@NullMarked
package dev.penstock.delta;

import org.jspecify.annotations.NullMarked;
